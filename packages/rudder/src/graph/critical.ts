// The chain of open tasks that takes longest: whatever is late in it makes the whole project late. Pure.
import type { Artefact, Effort } from "../artefact/artefact.ts";
import { type Graph, isClosed } from "./graph.ts";

const WEIGHT: Readonly<Record<Effort, number>> = { S: 1, M: 2, L: 4, XL: 8 };

export interface Chains {
  /** The effort of the longest chain that starts with this task; 0 inside a cycle. */
  effortOf(id: string): number;
  /** That chain, first to do first. */
  chainFrom(id: string): readonly string[];
}

export function weightOf(artefact: Artefact): number {
  return WEIGHT[artefact.effort];
}

/** From the ends of all chains backwards. What waits in a cycle never gets its turn, and so counts for nothing. */
export function chainsOf(graph: Graph): Chains {
  const open = graph.tasks.filter((task) => !isClosed(task));
  const isOpen = new Set(open.map((task) => task.id));
  const effort = new Map<string, number>();
  const next = new Map<string, string>();
  const left = new Map<string, number>();
  const dependents = new Map(
    open.map((task) => [task.id, graph.dependentsOf(task.id).filter((other) => isOpen.has(other))]),
  );
  for (const task of open) left.set(task.id, dependents.get(task.id)?.length ?? 0);
  const queue = open.filter((task) => left.get(task.id) === 0).map((task) => task.id);
  for (let i = 0; i < queue.length; i++) {
    const id = queue[i] ?? "";
    const task = graph.byId.get(id);
    if (task === undefined) continue;
    let best = 0;
    for (const other of dependents.get(id) ?? []) {
      const value = effort.get(other) ?? 0;
      if (value > best) {
        best = value;
        next.set(id, other);
      }
    }
    effort.set(id, best + weightOf(task));
    for (const blocker of new Set(task.blockedBy)) {
      if (!isOpen.has(blocker) || blocker === id) continue;
      const rest = (left.get(blocker) ?? 0) - 1;
      left.set(blocker, rest);
      if (rest === 0) queue.push(blocker);
    }
  }
  return {
    effortOf: (id) => effort.get(id) ?? 0,
    chainFrom(id) {
      const chain: string[] = [];
      for (let at: string | undefined = id; at !== undefined; at = next.get(at)) chain.push(at);
      return chain;
    },
  };
}

/** The longest chains, longest first, each from its first open task. */
export function criticalChains(
  graph: Graph,
  options: { readonly limit: number },
): { readonly effort: number; readonly ids: readonly string[] }[] {
  const chains = chainsOf(graph);
  const isOpen = (id: string): boolean => {
    const task = graph.byId.get(id);
    return task !== undefined && task.kind === "task" && !isClosed(task);
  };
  const starts = graph.tasks.filter((task) => isOpen(task.id) && !task.blockedBy.some(isOpen));
  return starts
    .map((task) => ({ effort: chains.effortOf(task.id), ids: chains.chainFrom(task.id) }))
    .sort((a, b) => b.effort - a.effort)
    .slice(0, options.limit);
}
