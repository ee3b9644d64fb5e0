// Who waits for whom: tasks as nodes, blocked_by as edges, an epic's blockers counted for its tasks. Pure; built from a
// snapshot. Cycles are found once, and everything else walks around them.
import type { Artefact } from "../artefact/artefact.ts";

export interface Graph {
  readonly byId: ReadonlyMap<string, Artefact>;
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
}

/** One per list: a server is asked about the same snapshot many times. */
const built = new WeakMap<readonly Artefact[], Graph>();

export function buildGraph(artefacts: readonly Artefact[]): Graph {
  const graph = built.get(artefacts) ?? build(artefacts);
  built.set(artefacts, graph);
  return graph;
}

function build(artefacts: readonly Artefact[]): Graph {
  // Numbers inside: a question about 5,000 tasks asks about every edge, and maps of strings are slow at that.
  const byId = new Map<string, Artefact>();
  const indexOf = new Map<string, number>();
  artefacts.forEach((artefact, index) => {
    byId.set(artefact.id, artefact);
    indexOf.set(artefact.id, index);
  });
  const blockers: number[][] = artefacts.map(() => []);
  const dependents: number[][] = artefacts.map(() => []);
  /** Who waits for something that does not exist. */
  const lost = new Map<string, string[]>();
  artefacts.forEach((artefact, index) => {
    for (const blocker of artefact.blockedBy) {
      const at = indexOf.get(blocker);
      if (at === undefined) lost.set(blocker, [...(lost.get(blocker) ?? []), artefact.id]);
      // A task that waits for itself is a finding of its own (self_ref), not an edge.
      else if (at !== index && blockers[index]?.includes(at) === false) {
        blockers[index]?.push(at);
        dependents[at]?.push(index);
      }
    }
  });
  const countWaiting = createCounter(dependents, artefacts.map(isClosed));
  return {
    byId,
    artefacts,
    blockers,
    dependents,
    indexOf: (id) => indexOf.get(id),
    tasks: artefacts.filter((artefact) => artefact.kind === "task"),
    dependentsOf(id) {
      const at = indexOf.get(id);
      if (at === undefined) return lost.get(id) ?? [];
      return (dependents[at] ?? []).map((index) => artefacts[index]?.id ?? "");
    },
    impactOf: (id) => countWaiting(indexOf.get(id)),
    cycles: findCycles(blockers).map((cycle) => cycle.map((index) => artefacts[index]?.id ?? "")),
  };
}

function createCounter(dependents: readonly (readonly number[])[], closed: readonly boolean[]) {
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
        if (seenIn[waiting] === walk || closed[waiting] === true) continue;
        seenIn[waiting] = walk;
        queue[end] = waiting;
        end += 1;
      }
    }
    return end - 1;
  };
}

export function isClosed(artefact: Artefact): boolean {
  return artefact.status === "Done" || artefact.status === "Cancelled";
}

/** Depth first with the path in hand; without recursion, because a chain may be thousands long. One cycle per knot. */
function findCycles(blockers: readonly (readonly number[])[]): number[][] {
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
