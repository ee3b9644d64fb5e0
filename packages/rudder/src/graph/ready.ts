// What can be worked on now, the most useful first: what most others wait for, then priority, then the longest chain
// behind it, then the id. Pure.
import { type Artefact, PRIORITIES } from "../artefact/artefact.ts";
import { chainsOf } from "./critical.ts";
import { type Graph, isClosed } from "./graph.ts";

export interface Waiting {
  readonly id: string;
  /** Why it still blocks: its status, or that nobody knows it. */
  readonly state: string;
}

export interface Ready {
  readonly artefact: Artefact;
  /** How many open tasks wait for it, directly or not. */
  readonly impact: number;
  /** The effort of the longest chain that starts with it. */
  readonly chain: number;
}

/** Everything that keeps a task (or an epic) waiting. Done blocks nobody; Cancelled does, until someone decides. */
export function openBlockersOf(graph: Graph, artefact: Artefact): Waiting[] {
  const epic = artefact.kind !== "task" || artefact.epic === undefined ? undefined : graph.byId.get(artefact.epic);
  const inherited = epic?.blockedBy ?? [];
  if (artefact.blockedBy.length + inherited.length === 0) return [];
  const ids = new Set([...artefact.blockedBy, ...inherited]);
  const waiting: Waiting[] = [];
  for (const id of ids) {
    const blocker = graph.byId.get(id);
    if (blocker?.status !== "Done") waiting.push({ id, state: stateWords(blocker) });
  }
  return waiting;
}

export function stateWords(artefact: Artefact | undefined): string {
  if (artefact === undefined) return "does not exist";
  return artefact.status ?? "unknown";
}

/** `heldIds`: tasks that someone works on; they are nobody else's to take. */
export function readyTasks(graph: Graph, options: { readonly heldIds: ReadonlySet<string> }): Ready[] {
  const chains = chainsOf(graph);
  return graph.tasks
    .filter((task) => isTakeable(task) && !options.heldIds.has(task.id) && openBlockersOf(graph, task).length === 0)
    .map((artefact) => ({
      artefact,
      impact: graph.impactOf(artefact.id),
      chain: chains.effortOf(artefact.id),
    }))
    .sort(compareReady);
}

/** In Progress without a lease: its holder is gone, someone has to finish it. */
function isTakeable(task: Artefact): boolean {
  if (task.problems.some((problem) => problem.code === "broken_yaml" || problem.code === "invalid_status"))
    return false;
  return !isClosed(task) && task.status !== "Blocked";
}

/** Tasks come in the order of their ids, and sorting is stable: what is equal here stays in that order. */
function compareReady(a: Ready, b: Ready): number {
  return (
    b.impact - a.impact ||
    PRIORITIES.indexOf(b.artefact.priority) - PRIORITIES.indexOf(a.artefact.priority) ||
    b.chain - a.chain
  );
}
