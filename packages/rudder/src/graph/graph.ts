// Who waits for whom: artefacts as nodes, blocked_by as edges; what a task waits for by way of its epic is added in
// ready.ts and epic-cycles.ts. Pure; built from a snapshot. Cycles are found once, and everything else walks around
// them.
import type { Artefact } from "../artefact/artefact.ts";
import { forgetRevision, revisionOf } from "../artefact/revisions.ts";

/** Artefacts by id. */
export type ArtefactLookup = Pick<ReadonlyMap<string, Artefact>, "get" | "has">;

/** Who waits for whom. */
export interface Graph {
  readonly byId: ArtefactLookup;
  /** Tasks, in the order of their ids. */
  readonly tasks: readonly Artefact[];
  /** Everything, by the numbers that edges use. */
  readonly artefacts: readonly Artefact[];
  readonly blockers: readonly (readonly number[])[];
  readonly dependents: readonly (readonly number[])[];
  indexOf(id: string): number | undefined;
  /** What waits directly for this id. */
  dependentsOf(id: string): readonly string[];
  /** Everything open that waits for it, directly or not, itself excluded. */
  impactOf(id: string): number;
  /** Each as a closed walk without its last step: [T001, T002] means T001 → T002 → T001. */
  readonly cycles: readonly (readonly string[])[];
  /** Ids that do not exist, with those that wait for them. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/** One per list: a server is asked about the same snapshot many times. */
const built = new WeakMap<readonly Artefact[], Graph>();

/** The graph of a list; worked out once, and from an earlier list's where only fields of a few artefacts differ. */
export function buildGraph(artefacts: readonly Artefact[]): Graph {
  const graph = built.get(artefacts) ?? revise(artefacts) ?? build(artefacts);
  built.set(artefacts, graph);
  forgetRevision(artefacts);
  return graph;
}

/** The edges of an earlier graph hold where every changed artefact waits for the same ones. */
function revise(artefacts: readonly Artefact[]): Graph | undefined {
  const revision = revisionOf(artefacts);
  if (revision === undefined) return undefined;
  const before = built.get(revision.from) ?? revise(revision.from);
  if (before === undefined) return undefined;
  for (const at of revision.changed) {
    const [old, now] = [revision.from[at], artefacts[at]];
    if (old?.id !== now?.id || old?.blockedBy.join() !== now?.blockedBy.join()) return undefined;
  }
  const { blockers, dependents, cycles, indexOf, missing } = before;
  return toGraph(artefacts, { blockers, dependents, cycles, indexOf, missing });
}

type Edges = Pick<Graph, "blockers" | "dependents" | "cycles" | "indexOf" | "missing">;

function toGraph(artefacts: readonly Artefact[], edges: Edges): Graph {
  const { indexOf, dependents, missing } = edges;
  const get = (id: string): Artefact | undefined => artefacts[indexOf(id) ?? -1];
  let countWaiting: ReturnType<typeof createCounter> | undefined;
  let tasks: readonly Artefact[] | undefined;
  return {
    ...edges,
    byId: { get, has: (id) => indexOf(id) !== undefined },
    artefacts,
    get tasks() {
      tasks ??= artefacts.filter((artefact) => artefact.kind === "task");
      return tasks;
    },
    dependentsOf(id) {
      const at = indexOf(id);
      if (at === undefined) return missing.get(id) ?? [];
      return (dependents[at] ?? []).map((index) => artefacts[index]?.id ?? "");
    },
    impactOf(id) {
      countWaiting ??= createCounter(dependents, artefacts);
      return countWaiting(indexOf(id));
    },
  };
}

function build(artefacts: readonly Artefact[]): Graph {
  // Numbers inside: a question about 5,000 tasks asks about every edge, and maps of strings are slow at that.
  const places = new Map<string, number>();
  artefacts.forEach((artefact, index) => void places.set(artefact.id, index));
  const blockers: number[][] = artefacts.map(() => []);
  const dependents: number[][] = artefacts.map(() => []);
  const missing = new Map<string, string[]>();
  artefacts.forEach((artefact, index) => {
    for (const blocker of artefact.blockedBy) {
      const at = places.get(blocker);
      if (at === undefined) missing.set(blocker, [...(missing.get(blocker) ?? []), artefact.id]);
      // A task that waits for itself is a finding of its own (self_ref), not an edge.
      else if (at !== index && blockers[index]?.includes(at) === false) {
        blockers[index]?.push(at);
        dependents[at]?.push(index);
      }
    }
  });
  const cycles = findCycles(blockers).map((cycle) => cycle.map((index) => artefacts[index]?.id ?? ""));
  return toGraph(artefacts, { blockers, dependents, cycles, missing, indexOf: (id) => places.get(id) });
}

function createCounter(dependents: readonly (readonly number[])[], artefacts: readonly Artefact[]) {
  const seenIn = new Int32Array(dependents.length);
  const queue = new Int32Array(dependents.length);
  let walk = 0;
  return (start: number | undefined): number => {
    if (start === undefined) return 0;
    walk += 1;
    seenIn[start] = walk;
    queue[0] = start;
    let end = 1;
    for (let at = 0; at < end; at++) {
      for (const waiting of dependents[queue[at] ?? 0] ?? []) {
        const artefact = artefacts[waiting];
        if (seenIn[waiting] === walk || artefact === undefined || isClosed(artefact)) continue;
        seenIn[waiting] = walk;
        queue[end] = waiting;
        end += 1;
      }
    }
    return end - 1;
  };
}

/** Done or Cancelled. */
export function isClosed(artefact: Artefact): boolean {
  return artefact.status === "Done" || artefact.status === "Cancelled";
}

/** Depth first with the path in hand; without recursion, because a chain may be thousands long. One cycle per knot. */
export function findCycles(blockers: readonly (readonly number[])[]): number[][] {
  const cycles: number[][] = [];
  const isDone = new Uint8Array(blockers.length);
  /** Where a node stands on the path, plus one; zero for one that does not. */
  const placeOf = new Int32Array(blockers.length);
  const nextOf = new Int32Array(blockers.length);
  for (let start = 0; start < blockers.length; start++) {
    if (isDone[start] === 1) continue;
    const path = [start];
    placeOf[start] = 1;
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const blocker = blockers[top]?.[nextOf[top] ?? 0];
      nextOf[top] = (nextOf[top] ?? 0) + 1;
      if (blocker === undefined) {
        path.pop();
        placeOf[top] = 0;
        isDone[top] = 1;
      } else if ((placeOf[blocker] ?? 0) > 0) cycles.push(path.slice((placeOf[blocker] ?? 1) - 1));
      else if (isDone[blocker] === 0) {
        path.push(blocker);
        placeOf[blocker] = path.length;
      }
    }
  }
  return cycles;
}

/** The walk that a new edge would close, or undefined: from the blocker back to the one that is to wait for it. */
export function walkBetween(graph: Graph, from: string, to: string): string[] | undefined {
  const before = new Map<string, string>();
  const queue = [from];
  for (let i = 0; i < queue.length; i++) {
    const id = queue[i] ?? "";
    if (id === to) {
      const walk = [id];
      for (let at = id; at !== from; ) {
        at = before.get(at) ?? from;
        walk.unshift(at);
      }
      return walk;
    }
    for (const blocker of graph.byId.get(id)?.blockedBy ?? []) {
      if (before.has(blocker) || blocker === from) continue;
      before.set(blocker, id);
      queue.push(blocker);
    }
  }
  return undefined;
}
