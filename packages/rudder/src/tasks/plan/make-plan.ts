// A plan in the haven: shown first, made when it is applied, in one transaction. What is there already, by its title
// below the same parent, is left as it is, so that a plan may grow and a second run makes nothing twice.
import { dirname } from "node:path";
import { type Artefact, toArtefact } from "../../artefact/artefact.ts";
import { toArtefactText, toSlug } from "../../artefact/new-artefact.ts";
import { cyclesThroughEpics } from "../../graph/epic-cycles.ts";
import { isArchivePath } from "../../haven/archive.ts";
import { FOLDER_OF } from "../../haven/layout.ts";
import type { HavenReader, HavenStep } from "../../haven/store.ts";
import { reopenIn } from "../artefacts/done-parents.ts";
import { type DocumentProblem, documentError, type GivenDocument, readDocument } from "../document.ts";
import { changeOptions, type TaskSession } from "../session.ts";
import { type PlanItem, parsePlan } from "./parse-plan.ts";
import { type Resolved, resolvePlan, titleKey } from "./resolve-plan.ts";

/** A document longer than this is no plan that a person wrote. */
export const MAX_PLAN_BYTES = 1024 * 1024;

const FORM = "a plan is: # PRD, below it ## epics, below these ### tasks or - [ ] tasks; rudder plan --help shows one";

/** An item of a plan, and what became of it. */
export interface PlannedItem extends PlanItem {
  /** Absent in a dry run, for what is not there yet. */
  readonly id?: string;
  readonly state: "new" | "made" | "exists";
  /** What it waits for: ids where they are known, else titles. */
  readonly waitsFor: readonly string[];
  /** What it should wait for by the plan and does not: it was there, and is left as it is. */
  readonly missing: readonly string[];
}

/** A plan that was looked at, or made. */
export interface Planned {
  readonly items: readonly PlannedItem[];
  readonly isApplied: boolean;
}

/** Shows what a plan would make; makes it with `apply`. */
export async function makePlan(
  session: TaskSession,
  request: { readonly document: GivenDocument; readonly apply: boolean },
): Promise<Planned> {
  const { store, caller } = session;
  const { name } = request.document;
  const parsed = parsePlan(readDocument(request.document, { maxBytes: MAX_PLAN_BYTES, what: "a plan" }));
  const { resolved, problems } = resolvePlan(parsed.items, store.digits);
  const wrong = [...parsed.problems, ...problems];
  if (wrong.length > 0) throw documentError(name, wrong, FORM);
  const plan = { name, items: parsed.items, resolved };
  if (!request.apply) return describe(plan, await findExisting(store, plan), new Set());
  return store.change(async (step) => {
    const known = await findExisting(step, plan);
    const made = await makeMissing(step, plan, known);
    if (made.size > 0) step.audit({ event: "planned", taskId: known[0]?.id ?? "", by: caller.name });
    return describe(plan, known, made);
  }, changeOptions(session));
}

interface Plan {
  readonly name: string;
  readonly items: readonly PlanItem[];
  readonly resolved: readonly Resolved[];
}

/** By the number of the item: what the haven has under its title. */
type Known = (Place | undefined)[];
interface Place {
  readonly id: string;
  readonly path: string;
  readonly blockedBy: readonly string[];
}

/** Refuses what is ambiguous, what is archived and would get something new, and ids that nothing has. */
async function findExisting(view: HavenReader, { name, items, resolved }: Plan): Promise<Known> {
  const artefacts = [...(await view.snapshot()).artefacts];
  for (const id of await view.archivedIds()) {
    const stored = await view.archived(id);
    if (stored !== undefined) artefacts.push(stored.artefact);
  }
  const byPlace = new Map<string, Artefact[]>();
  for (const one of artefacts) {
    const parent = one.kind === "task" ? one.epic : one.kind === "epic" ? one.prd : "";
    const key = JSON.stringify([one.kind, parent, titleKey(one.title)]);
    byPlace.set(key, [...(byPlace.get(key) ?? []), one]);
  }
  const ids = new Set(artefacts.map(({ id }) => id));
  const problems: DocumentProblem[] = [];
  const known: Known = [];
  items.forEach((item, number) => {
    const parent = item.parent === undefined ? undefined : known[item.parent];
    const isNew = item.parent !== undefined && parent === undefined;
    const key = JSON.stringify([item.kind, item.kind === "prd" ? "" : parent?.id, titleKey(item.title)]);
    const [found, ...others] = isNew ? [] : (byPlace.get(key) ?? []);
    if (found !== undefined && others.length > 0) {
      const all = [found, ...others].map(({ id }) => id).join(", ");
      problems.push({ line: item.line, message: `${all} have this title: give all but one another title` });
    }
    known[number] = found;
    if (found === undefined && parent !== undefined && isArchivePath(parent.path)) {
      const message = `${parent.id} is archived: bring it back first, with rudder archive --restore ${parent.id}`;
      problems.push({ line: item.line, message });
    }
    for (const { id, line } of resolved[number]?.ids ?? []) {
      if (!ids.has(id))
        problems.push({ line, message: `there is no ${id}; write the title of a ${item.kind} of this plan` });
    }
  });
  if (problems.length === 0) problems.push(...cyclesWith(artefacts, { items, resolved, known }));
  if (problems.length > 0) throw documentError(name, problems, FORM);
  return known;
}

/** Cycles that new items would close with what the haven has. */
function cyclesWith(
  artefacts: readonly Artefact[],
  plan: { readonly items: readonly PlanItem[]; readonly resolved: readonly Resolved[]; readonly known: Known },
): DocumentProblem[] {
  const { items, resolved, known } = plan;
  const idOf = (number: number): string => known[number]?.id ?? `item ${number}`;
  const added = items.flatMap(({ kind, title, parent }, number) => {
    if (known[number] !== undefined) return [];
    const { items: own = [], ids = [] } = resolved[number] ?? {};
    const epic = kind === "task" && parent !== undefined ? { epic: idOf(parent) } : {};
    const blockedBy = [...own.map(idOf), ...ids.map(({ id }) => id)];
    return [{ number, node: toArtefact({ kind, id: idOf(number), path: "", title, blockedBy, ...epic }) }];
  });
  const nameOf = new Map(added.map(({ node }) => [node.id, node.title]));
  return cyclesThroughEpics([...artefacts, ...added.map(({ node }) => node)]).flatMap((cycle) => {
    const one = added.find(({ node }) => cycle.includes(node.id));
    if (one === undefined) return [];
    const path = [...cycle, ...cycle.slice(0, 1)].map((id) => nameOf.get(id) ?? id).join(" → ");
    return [{ line: items[one.number]?.line ?? 1, message: `a cycle: ${path}; take one of these after: lines out` }];
  });
}

/** Ids are given in the order of the document; then everything is written with what it waits for. */
async function makeMissing(step: HavenStep, { items, resolved }: Plan, known: Known): Promise<Set<number>> {
  const made = new Set<number>();
  for (const [number, item] of items.entries()) {
    if (known[number] !== undefined) continue;
    const id = await step.nextId(item.kind);
    const name = `${id}-${toSlug(item.title)}`;
    // The PRD is the first item, and each item comes after its parent.
    const base = dirname(known[0]?.path ?? "");
    const path = item.kind === "prd" ? `artefacts/prds/${name}/prd.md` : `${base}/${FOLDER_OF[item.kind]}/${name}.md`;
    known[number] = { id, path, blockedBy: [] };
    made.add(number);
  }
  for (const number of made) {
    const item = items[number];
    const place = known[number];
    if (item === undefined || place === undefined) continue;
    const { kind, title, effort, priority, milestone, tags, description } = item;
    const prd = kind === "prd" ? undefined : known[0]?.id;
    const epic = kind === "task" && item.parent !== undefined ? known[item.parent]?.id : undefined;
    const text = toArtefactText({
      kind,
      title,
      id: place.id,
      tags,
      description,
      blockedBy: waitsForOf(items, known, resolved[number]),
      ...(effort === undefined ? {} : { effort }),
      ...(priority === undefined ? {} : { priority }),
      ...(milestone === undefined ? {} : { milestone }),
      ...(prd === undefined ? {} : { prd }),
      ...(epic === undefined ? {} : { epic }),
    });
    await step.createArtefact({ id: place.id, path: place.path, text });
  }
  const above = [...made].map((number) => items[number]?.parent).filter((parent) => parent !== undefined);
  const there = [0, ...above].filter((number) => made.size > 0 && !made.has(number));
  await reopenIn(step, [...new Set(there.map((number) => known[number]?.id))]);
  return made;
}

function waitsForOf(items: readonly PlanItem[], known: Known, resolved: Resolved | undefined): string[] {
  const own = resolved?.items.map((number) => known[number]?.id ?? items[number]?.title ?? "") ?? [];
  return [...new Set([...own, ...(resolved?.ids.map(({ id }) => id) ?? [])])];
}

function describe({ items, resolved }: Plan, known: Known, made: ReadonlySet<number>): Planned {
  return {
    isApplied: made.size > 0,
    items: items.map((item, number) => {
      const place = known[number];
      const state = made.has(number) ? "made" : place === undefined ? "new" : "exists";
      const wanted = waitsForOf(items, known, resolved[number]);
      const there = state === "exists" ? (place?.blockedBy ?? []) : wanted;
      return {
        ...item,
        state,
        waitsFor: there,
        missing: wanted.filter((one) => !there.includes(one)),
        ...(place === undefined ? {} : { id: place.id }),
      };
    }),
  };
}
