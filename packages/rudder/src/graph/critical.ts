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

/** From the ends of all chains backwards. What waits in a cycle never gets its turn, and so counts for nothing. */
export function chainsOf(graph: Graph): Chains {
  const { artefacts, blockers, dependents } = graph;
  const isOpen = artefacts.map((artefact) => artefact.kind === "task" && !isClosed(artefact));
  const effort = new Float64Array(artefacts.length);
  const next = new Int32Array(artefacts.length).fill(-1);
  const left = dependents.map((all) => all.filter((other) => isOpen[other] === true).length);
  const queue: number[] = [];
  isOpen.forEach((open, index) => {
    if (open && left[index] === 0) queue.push(index);
  });
  for (let at = 0; at < queue.length; at++) {
    const index = queue[at] ?? 0;
    const task = artefacts[index];
    if (task === undefined) continue;
    let best = 0;
    for (const other of dependents[index] ?? []) {
      const value = isOpen[other] === true ? (effort[other] ?? 0) : 0;
      if (value > best) {
        best = value;
        next[index] = other;
      }
    }
    effort[index] = best + weightOf(task);
    for (const blocker of blockers[index] ?? []) {
      if (isOpen[blocker] !== true) continue;
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
