// Who waits for whom: tasks as nodes, blocked_by as edges, an epic's blockers counted for its tasks. Pure; built from a
// snapshot. Cycles are found once, and everything else walks around them.
import type { Artefact } from "../artefact/artefact.ts";

export interface Graph {
  readonly byId: ReadonlyMap<string, Artefact>;
  /** Tasks, in the order of their ids. */
  readonly tasks: readonly Artefact[];
  /** What waits directly for this id. */
  dependentsOf(id: string): readonly string[];
  /** Everything open that waits for it, directly or not, itself excluded. */
  impactOf(id: string): number;
  /** Each as a closed walk without its last step: [T001, T002] means T001 → T002 → T001. */
  readonly cycles: readonly (readonly string[])[];
}

export function buildGraph(artefacts: readonly Artefact[]): Graph {
  const byId = new Map(artefacts.map((artefact) => [artefact.id, artefact]));
  const tasks = artefacts.filter((artefact) => artefact.kind === "task");
  const dependents = new Map<string, string[]>();
  const push = (on: string, waiting: string): void => {
    const list = dependents.get(on);
    if (list === undefined) dependents.set(on, [waiting]);
    else if (!list.includes(waiting)) list.push(waiting);
  };
  for (const artefact of artefacts) {
    for (const blocker of artefact.blockedBy) if (blocker !== artefact.id) push(blocker, artefact.id);
  }
  return {
    byId,
    tasks,
    dependentsOf: (id) => dependents.get(id) ?? [],
    impactOf: (id) => countWaiting(id, dependents, byId),
    cycles: findCycles(artefacts, byId),
  };
}

function countWaiting(id: string, dependents: ReadonlyMap<string, readonly string[]>, byId: Graph["byId"]): number {
  const seen = new Set([id]);
  const queue = [id];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const waiting of dependents.get(next) ?? []) {
      const artefact = byId.get(waiting);
      if (seen.has(waiting) || artefact === undefined || isClosed(artefact)) continue;
      seen.add(waiting);
      queue.push(waiting);
    }
  }
  return seen.size - 1;
}

export function isClosed(artefact: Artefact): boolean {
  return artefact.status === "Done" || artefact.status === "Cancelled";
}

/** Depth first with the path in hand; without recursion, because a chain may be thousands long. One cycle per knot. */
function findCycles(artefacts: readonly Artefact[], byId: Graph["byId"]): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const start of artefacts) {
    if (done.has(start.id)) continue;
    const path: { readonly id: string; next: number }[] = [{ id: start.id, next: 0 }];
    const onPath = new Map([[start.id, 0]]);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const blocker = byId.get(top.id)?.blockedBy[top.next];
      top.next += 1;
      if (blocker === undefined) {
        path.pop();
        onPath.delete(top.id);
        done.add(top.id);
      } else if (onPath.has(blocker)) {
        // A task that waits for itself is a finding of its own (self_ref), not a cycle.
        if (blocker !== top.id) cycles.push(path.slice(onPath.get(blocker)).map((step) => step.id));
      } else if (byId.has(blocker) && !done.has(blocker)) {
        onPath.set(blocker, path.length);
        path.push({ id: blocker, next: 0 });
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
