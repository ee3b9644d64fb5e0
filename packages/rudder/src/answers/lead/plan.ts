// A plan that was looked at or made, for programs and in words.
import type { Planned, PlannedItem } from "../../tasks/plan/make-plan.ts";
import type { Answer } from "../answer.ts";

const INDENT = { prd: "", epic: "  ", task: "    " } as const;

/** What a plan makes, or made. */
export function plannedAnswer(planned: Planned, options: { readonly apply: boolean }): Answer {
  const { items } = planned;
  const count = (state: PlannedItem["state"]): number => items.filter((one) => one.state === state).length;
  const [made, there, missing] = [count("made"), count("exists"), count("new")];
  const summary = options.apply
    ? made === 0
      ? `nothing to make: all ${there} are there`
      : `${made} made${there > 0 ? `, ${there} were there` : ""}`
    : missing === 0
      ? `nothing to make: all ${there} are there`
      : `${missing} to make${there > 0 ? `, ${there} are there` : ""}; nothing was written: --apply makes them`;
  return {
    json: { applied: options.apply, made, existing: there, missing, items: items.map(itemToJson) },
    text: `${items.map(itemWords).join("\n")}\n\n${summary}`,
    notes: items.flatMap((item) => missingNote(item, options)),
  };
}

/** An after: line that was added to what is there would else go unnoticed. */
function missingNote({ id, missing }: PlannedItem, options: { readonly apply: boolean }): string[] {
  if (id === undefined || missing.length === 0) return [];
  const cure = options.apply ? `; rudder deps add ${id} --blocked-by ${missing.join(",")}` : "";
  return [`${id} is left as it is: it does not wait for ${missing.join(", ")}${cure}`];
}

function itemToJson(item: PlannedItem): Record<string, unknown> {
  return {
    kind: item.kind,
    title: item.title,
    id: item.id ?? null,
    state: item.state,
    line: item.line,
    waits_for: item.waitsFor,
    ...(item.missing.length > 0 ? { not_added: item.missing } : {}),
    ...(item.kind === "task" ? { effort: item.effort ?? "M", priority: item.priority ?? "normal" } : {}),
    tags: item.tags,
  };
}

function itemWords(item: PlannedItem): string {
  const mark = item.state === "exists" ? "=" : "+";
  const id = item.id === undefined ? "" : `${item.id} `;
  const facts = [item.effort, item.priority, ...item.tags.map((tag) => `#${tag}`)].filter((one) => one !== undefined);
  const after = item.waitsFor.length === 0 ? "" : `  after ${item.waitsFor.join(", ")}`;
  return `${INDENT[item.kind]}${mark} ${id}${item.title}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}${after}`;
}
