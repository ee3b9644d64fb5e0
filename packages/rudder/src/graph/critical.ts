// The chain of open tasks that takes longest: whatever is late in it makes the whole project late. Pure.
import type { Artefact, Effort } from "../artefact/artefact.ts";
import { type Graph, isClosed } from "./graph.ts";

const WEIGHT: Readonly<Record<Effort, number>> = { S: 1, M: 2, L: 4, XL: 8 };

interface Chains {
  /** The effort of the longest chain that starts with this task; 0 inside a cycle. */
  effortOf(id: string): number;
  /** That chain, first to do first. */
  chainFrom(id: string): readonly string[];
}

function weightOf(artefact: Artefact): number {
  return WEIGHT[artefact.effort];
}

/**
 * From the ends of all chains backwards; `from`: of those alone that begin with one of these. What waits in a cycle never
 * gets its turn, and so counts for nothing.
 */
export function chainsOf(graph: Graph, from?: readonly number[]): Chains {
  const { artefacts, blockers, dependents } = graph;
  const isOpen = (at: number): boolean => artefacts[at]?.kind === "task" && !isClosed(artefacts[at]);
  const effort = new Float64Array(artefacts.length);
  const next = new Int32Array(artefacts.length).fill(-1);
  /** Of each, how many that wait for it have not had their turn. */
  const left = new Int32Array(artefacts.length);
  const queue: number[] = [];
  for (const index of from === undefined ? artefacts.keys() : openBehind(graph, from, isOpen)) {
    if (!isOpen(index)) continue;
    for (const other of dependents[index] ?? []) if (isOpen(other)) left[index] = (left[index] ?? 0) + 1;
    if (left[index] === 0) queue.push(index);
  }
  for (let at = 0; at < queue.length; at++) {
    const index = queue[at] ?? 0;
    const task = artefacts[index];
    if (task === undefined) continue;
    let best = 0;
    for (const other of dependents[index] ?? []) {
      const value = isOpen(other) ? (effort[other] ?? 0) : 0;
      if (value > best) {
        best = value;
        next[index] = other;
      }
    }
    effort[index] = best + weightOf(task);
    for (const blocker of blockers[index] ?? []) {
      if (!isOpen(blocker)) continue;
      const rest = (left[blocker] ?? 0) - 1;
      left[blocker] = rest;
      if (rest === 0) queue.push(blocker);
    }
  }
  return {
    effortOf(id) {
      const index = graph.indexOf(id);
      return index === undefined ? 0 : (effort[index] ?? 0);
    },
    chainFrom(id) {
      const chain: string[] = [];
      for (let at = graph.indexOf(id) ?? -1; at >= 0; at = next[at] ?? -1) chain.push(artefacts[at]?.id ?? "");
      return chain;
    },
  };
}

/** These and all open tasks that wait for them, directly or not. */
function openBehind({ dependents }: Graph, from: readonly number[], isOpen: (at: number) => boolean): Set<number> {
  const found = new Set(from);
  for (const at of found) for (const other of dependents[at] ?? []) if (isOpen(other)) found.add(other);
  return found;
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
