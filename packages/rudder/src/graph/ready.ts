// What can be worked on now, the most useful first: what most others wait for, then priority, then the longest chain
// behind it, then the id. Pure.
import { type Artefact, PRIORITIES } from "../artefact/artefact.ts";
import { chainsOf } from "./critical.ts";
import { type ArtefactLookup, type Graph, isClosed } from "./graph.ts";

/** A blocker that is not done. */
export interface Waiting {
  readonly id: string;
  /** Why it still blocks: its status, or that it does not exist. */
  readonly state: string;
}

/** A task that can be taken, and what its rank depends on. */
export interface Ready {
  readonly artefact: Artefact;
  /** How many open tasks wait for it, directly or not. */
  readonly impact: number;
  /** The effort of the longest chain that starts with it. */
  readonly chain: number;
}

/** Everything that keeps a task (or an epic) waiting. Done blocks no task; Cancelled does, until a person decides. */
export function openBlockersOf(graph: Graph, artefact: Artefact): Waiting[] {
  const epic = artefact.kind !== "task" || artefact.epic === undefined ? undefined : graph.byId.get(artefact.epic);
  const inherited = epic?.blockedBy ?? [];
  if (artefact.blockedBy.length + inherited.length === 0) return [];
  return openBlockersIn(graph.byId, [...new Set([...artefact.blockedBy, ...inherited])]);
}

/** Those of `ids` that are not done. */
export function openBlockersIn(byId: ArtefactLookup, ids: readonly string[]): Waiting[] {
  const waiting: Waiting[] = [];
  for (const id of ids) {
    const blocker = byId.get(id);
    if (blocker?.status !== "Done") waiting.push({ id, state: stateWords(blocker) });
  }
  return waiting;
}

/** The status of an artefact, for people. */
export function stateWords(artefact: Artefact | undefined): string {
  if (artefact === undefined) return "does not exist";
  return artefact.status ?? "unknown";
}

/** `heldIds`: tasks that a caller works on; they are not free. `doneIds`: done, and not in the graph any more. */
export function readyTasks(
  graph: Graph,
  options: { readonly heldIds: ReadonlySet<string>; readonly doneIds?: ReadonlySet<string> },
): ReadyList {
  const ranked = rankedOf(graph, options.doneIds ?? new Set());
  let held = 0;
  for (const id of options.heldIds) if (ranked.ids.has(id)) held += 1;
  return {
    length: ranked.list.length - held,
    first(count) {
      const found: Ready[] = [];
      for (const one of ranked.list) {
        if (found.length >= count) break;
        const artefact = options.heldIds.has(one.id) ? undefined : graph.byId.get(one.id);
        if (artefact !== undefined) found.push({ artefact, impact: one.impact, chain: one.chain });
      }
      return found;
    },
  };
}

/** What is ready, best first. */
export interface ReadyList {
  readonly length: number;
  first(count: number): readonly Ready[];
}

interface Ranked {
  readonly list: readonly { readonly id: string; readonly impact: number; readonly chain: number }[];
  readonly ids: ReadonlySet<string>;
  /** What it was worked out from, beside the artefacts. */
  readonly done: string;
  /** The artefacts that it was worked out from. */
  artefacts: readonly Artefact[];
}

/** By the edges, which graphs of a haven share while no dependency changes. */
const rankings = new WeakMap<Graph["blockers"], Ranked>();

/** The order is worked out again only where a change could matter: a claim, a title or a tag changes no rank. */
function rankedOf(graph: Graph, doneIds: ReadonlySet<string>): Ranked {
  const known = rankings.get(graph.blockers);
  const done = [...doneIds].sort().join(" ");
  if (known !== undefined && known.done === done && isSameRank(known.artefacts, graph.artefacts)) {
    known.artefacts = graph.artefacts;
    return known;
  }
  const chains = chainsOf(graph);
  const list = graph.tasks
    .filter((task) => isTakeable(task) && openBlockersOf(graph, task).every(({ id }) => doneIds.has(id)))
    .map((artefact) => ({ artefact, impact: graph.impactOf(artefact.id), chain: chains.effortOf(artefact.id) }))
    .sort(compareReady)
    .map(({ artefact, impact, chain }) => ({ id: artefact.id, impact, chain }));
  const ranked = { list, ids: new Set(list.map((one) => one.id)), done, artefacts: graph.artefacts };
  rankings.set(graph.blockers, ranked);
  return ranked;
}

function isSameRank(before: readonly Artefact[], now: readonly Artefact[]): boolean {
  if (before === now) return true;
  for (let at = 0; at < now.length; at++) {
    const [old, next] = [before[at], now[at]];
    if (old !== next && (old === undefined || next === undefined || markOf(old) !== markOf(next))) return false;
  }
  return before.length === now.length;
}

/** What the rank of an artefact, or of those around it, depends on. */
function markOf(artefact: Artefact): string {
  const state = isClosed(artefact) ? artefact.status : isTakeable(artefact) ? "open" : "shut";
  return `${artefact.id} ${state} ${artefact.priority} ${artefact.effort} ${artefact.epic ?? ""}`;
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
