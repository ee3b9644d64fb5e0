// Artefacts and their texts, for programs and in words.
import type { Created } from "../tasks/artefacts/create.ts";
import type { Listed } from "../tasks/artefacts/list.ts";
import type { Removed } from "../tasks/artefacts/remove.ts";
import type { Shown } from "../tasks/artefacts/show.ts";
import type { ShownText } from "../tasks/artefacts/text.ts";
import type { Updated } from "../tasks/artefacts/update.ts";
import type { TaskChange } from "../tasks/change-task.ts";
import type { Answer } from "./answer.ts";
import { type TableOptions, toTable } from "./table.ts";
import { leaseToJson, leaseWords, problemNotes, problemWords, toJson } from "./views.ts";

/** A new artefact. */
export function createdAnswer(made: Created): Answer {
  const { id, path, kind, title, parent, blockedBy, reopened } = made;
  return {
    json: { id, path, kind, title, parent: parent ?? null, blocked_by: blockedBy, ...reopenedJson(reopened) },
    text: `${id}  ${path}`,
    notes: reopenedNotes(reopened),
  };
}

/** One artefact with everything about it. */
export function shownAnswer(shown: Shown): Answer {
  const { artefact, lease, nowMs, tasks, body } = shown;
  const { id, kind } = artefact;
  const rows: [string, string][] = [["status", artefact.status ?? "unknown"]];
  if (shown.isArchived) rows.push(["archived", `yes: rudder archive --restore ${id} brings it back`]);
  if (kind !== "prd")
    rows.push(["parent", [artefact.prd, kind === "task" ? artefact.epic : undefined].filter(Boolean).join("/")]);
  if (kind === "task") rows.push(["effort", artefact.effort], ["priority", artefact.priority]);
  if (artefact.assignee !== undefined) rows.push(["assignee", artefact.assignee]);
  if (lease !== undefined) rows.push(["held by", leaseWords(lease, nowMs)]);
  if (shown.blockedBy.length > 0)
    rows.push(["blocked by", shown.blockedBy.map((one) => `${one.id} (${one.state})`).join(", ")]);
  if (shown.blocks.length > 0) rows.push(["blocks", shown.blocks.join(", ")]);
  if (artefact.tags.length > 0) rows.push(["tags", artefact.tags.join(", ")]);
  const targets = Object.entries(artefact.targets).map(([name, version]) => `${name} ${version}`);
  if (targets.length > 0) rows.push(["targets", targets.join(", ")]);
  if (tasks.length > 0) {
    const done = tasks.filter((task) => task.status === "Done").length;
    rows.push(["tasks", `${done} of ${tasks.length} done`]);
  }
  rows.push(["file", artefact.path]);
  return {
    json: {
      ...toJson(artefact),
      ...(shown.isArchived ? { archived: true } : {}),
      fields: shown.fields,
      lease: lease === undefined ? null : leaseToJson(lease, nowMs),
      waits_for: shown.waitsFor,
      blocks: shown.blocks,
      body,
      problems: artefact.problems,
    },
    text: `${toTable([id, artefact.title], rows)}\n\n${body.trim()}`,
    notes: artefact.problems.map(problemWords),
  };
}

/** Artefacts in a table. */
export function listedAnswer({ kind, shown, total, holders, problems }: Listed, options: TableOptions): Answer {
  const rows = shown.map((artefact) =>
    kind === "task"
      ? [
          artefact.id,
          artefact.status ?? "?",
          artefact.priority,
          artefact.effort,
          artefact.epic ?? "-",
          holders.get(artefact.id) ?? "-",
          artefact.title,
        ]
      : [artefact.id, artefact.status ?? "?", ...(kind === "epic" ? [artefact.prd ?? "-"] : []), artefact.title],
  );
  const head = {
    task: ["ID", "STATUS", "PRIORITY", "EFFORT", "EPIC", "HOLDER", "TITLE"],
    epic: ["ID", "STATUS", "PRD", "TITLE"],
    prd: ["ID", "STATUS", "TITLE"],
  }[kind];
  const rest = total - shown.length;
  const table = toTable(head, rows, options) || `no ${kind} yet: rudder ${kind} create --help`;
  return {
    json: shown.map((artefact) => ({ ...toJson(artefact), holder: holders.get(artefact.id) ?? null })),
    text: rest > 0 ? `${table}\n… ${rest} more: --limit ${total}` : table,
    notes: problemNotes(problems),
  };
}

/** An artefact after its fields were changed. */
export function updatedAnswer({ artefact, reopened }: Updated): Answer {
  return {
    json: { ...toJson(artefact), ...reopenedJson(reopened) },
    text: `${artefact.id}  ${artefact.status ?? "?"}  ${artefact.title}`,
    notes: reopenedNotes(reopened),
  };
}

function reopenedJson(ids: readonly string[]): { readonly reopened?: readonly string[] } {
  return ids.length === 0 ? {} : { reopened: ids };
}

function reopenedNotes(ids: readonly string[]): string[] {
  return ids.map((id) => `${id} was Done, and is In Progress again`);
}

/** What was removed. */
export function removedAnswer({ id, title, path, freed }: Removed): Answer {
  return {
    json: { id, title, path, freed },
    text: `${id}  removed: ${title}`,
    notes: freed.length === 0 ? [] : [`${freed.join(", ")} no longer wait for it`],
  };
}

/** A task after its status was set. */
export function statusSetAnswer({ taskId, status, title, reopened = [] }: TaskChange): Answer {
  return {
    json: { id: taskId, status, title, ...reopenedJson(reopened) },
    text: `${taskId}  ${status}  ${title}`,
    notes: reopenedNotes(reopened),
  };
}

/** A file, or a section. */
export function textAnswer({ id, path, section, text, boxes }: ShownText): Answer {
  if (section !== undefined) return { json: { id, path, section, text }, text: text.trimEnd() };
  const json = boxes.map((box) => ({ text: box.text, checked: box.isChecked }));
  return { json: { id, path, text, boxes: json }, text };
}

/** A section after its edit. */
export function editedAnswer(
  edited: { readonly id: string; readonly path: string; readonly isChanged: boolean; readonly sameTitle: number },
  section: string,
): Answer {
  const { id, path, isChanged, sameTitle } = edited;
  return {
    json: { id, path, section, changed: isChanged },
    text: `${id}  ${isChanged ? "edited" : "unchanged"}: ${section}`,
    notes: sameTitle > 1 ? [`${id} has ${sameTitle} sections called ${section}; this is the first one`] : [],
  };
}

/** A box that was set. */
export function boxAnswer(box: { readonly id: string; readonly item: string; readonly isChecked: boolean }): Answer {
  return {
    json: { id: box.id, item: box.item, checked: box.isChecked },
    text: `${box.id}  [${box.isChecked ? "x" : " "}] ${box.item}`,
  };
}
