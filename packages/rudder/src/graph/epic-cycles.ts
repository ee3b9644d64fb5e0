// Work that can never begin although no blocked_by leads back to itself: a task waits for what its epic waits for, and
// an epic is done when its tasks are. Work that is closed holds up nothing. Pure.
import type { Artefact } from "../artefact/artefact.ts";
import { findCycles, isClosed } from "./graph.ts";

/** What has to be done before this one: its blockers, its epic's, and an epic's own tasks. */
type Before = (one: Artefact) => readonly string[];

function beforeIn(artefacts: readonly Artefact[]): { readonly byId: ReadonlyMap<string, Artefact>; before: Before } {
  const byId = new Map(artefacts.map((one) => [one.id, one]));
  const tasksOf = new Map<string, string[]>();
  for (const { kind, id, epic } of artefacts) {
    if (kind !== "task" || epic === undefined) continue;
    const tasks = tasksOf.get(epic);
    if (tasks === undefined) tasksOf.set(epic, [id]);
    else tasks.push(id);
  }
  const before: Before = (one) => {
    if (isClosed(one)) return [];
    const others = one.kind === "epic" ? tasksOf.get(one.id) : byId.get(one.epic ?? "")?.blockedBy;
    return [...one.blockedBy.filter((id) => id !== one.id), ...(others ?? [])];
  };
  return { byId, before };
}

/** Each as a closed walk without its last step, one per knot. */
export function cyclesThroughEpics(artefacts: readonly Artefact[]): string[][] {
  const { before } = beforeIn(artefacts);
  const places = new Map(artefacts.map((one, place) => [one.id, place]));
  const edges = artefacts.map((one) => before(one).flatMap((id) => places.get(id) ?? []));
  return findCycles(edges).map((cycle) => cycle.map((place) => artefacts[place]?.id ?? ""));
}

/** The shortest walk from one to any of the others; undefined where it can be done before all of them. */
export function walkThroughEpics(
  artefacts: readonly Artefact[],
  { from, to }: { readonly from: string; readonly to: (one: Artefact) => boolean },
): string[] | undefined {
  const { byId, before } = beforeIn(artefacts);
  /** Each with the one that the walk comes from. */
  const reached = new Map<string, string | undefined>([[from, undefined]]);
  for (const [id] of reached) {
    const one = byId.get(id);
    if (one === undefined) continue;
    if (!isClosed(one) && to(one)) return walkTo(id, reached);
    for (const next of before(one)) if (!reached.has(next)) reached.set(next, id);
  }
  return undefined;
}

function walkTo(id: string, reached: ReadonlyMap<string, string | undefined>): string[] {
  const walk: string[] = [];
  for (let at: string | undefined = id; at !== undefined; at = reached.get(at)) walk.unshift(at);
  return walk;
}
