// The order of what can be taken: what most others wait for, then priority, then the longest chain behind it, then the
// id. It is kept from question to question, and a change puts only those in another place that it concerns: working all
// of it out again would make every question cost what the haven holds. Pure.
import { type Artefact, PRIORITIES } from "../artefact/artefact.ts";
import { chainsOf } from "./critical.ts";
import { type Graph, isClosed } from "./graph.ts";
import { openBlockersOf } from "./open-blockers.ts";

/** A task that can be taken, if no one holds it. */
export interface Rank {
  readonly id: string;
  /** How many open tasks wait for it, directly or not. */
  readonly impact: number;
  /** The effort of the longest chain that starts with it. */
  readonly chain: number;
  readonly priority: number;
  /** Its number in the graph. */
  readonly at: number;
}

/** All of them. */
export interface ReadyOrder {
  /** Best first. */
  readonly list: readonly Rank[];
  readonly byId: ReadonlyMap<string, Rank>;
}

interface Known extends ReadyOrder {
  readonly byId: Map<string, Rank>;
  /** What it was worked out from, beside the artefacts. */
  readonly done: string;
  readonly artefacts: readonly Artefact[];
}

/** A change that concerns more than so many is one for working everything out again. */
const MAX_CONCERNED = 500;
/** By the edges, which graphs of a haven share while no dependency changes. */
const orders = new WeakMap<Graph["blockers"], Known>();

/** `doneIds`: done, and not in the graph any more. */
export function readyOrder(graph: Graph, doneIds: ReadonlySet<string>): ReadyOrder {
  const { artefacts, blockers } = graph;
  const known = orders.get(blockers);
  const done = [...doneIds].sort().join(" ");
  const concerned = known?.done === done ? concernedBy(graph, known.artefacts) : undefined;
  const order =
    known === undefined || concerned === undefined
      ? orderOf(ranksOf(graph, undefined, doneIds))
      : revise(
          known,
          [...concerned].map((at) => artefacts[at]?.id ?? ""),
          ranksOf(graph, concerned, doneIds),
        );
  const next = { ...order, done, artefacts };
  orders.set(blockers, next);
  return next;
}

function orderOf(ranks: readonly Rank[]): Pick<Known, "list" | "byId"> {
  const list = [...ranks].sort(compare);
  return { list, byId: new Map(list.map((one) => [one.id, one])) };
}

/** Takes those out that are concerned, and puts what they are now in their places. */
function revise(known: Known, concerned: readonly string[], ranks: readonly Rank[]): Pick<Known, "list" | "byId"> {
  const { byId } = known;
  if (concerned.length === 0) return known;
  const list = [...known.list];
  for (const id of concerned) {
    const old = byId.get(id);
    if (old === undefined) continue;
    list.splice(placeOf(list, old), 1);
    byId.delete(id);
  }
  for (const one of ranks) {
    list.splice(placeOf(list, one), 0, one);
    byId.set(one.id, one);
  }
  return { list, byId };
}

/** Where it stands in the list, or would stand. */
function placeOf(list: readonly Rank[], rank: Rank): number {
  let low = 0;
  for (let high = list.length; low < high; ) {
    const middle = (low + high) >> 1;
    const other = list[middle];
    if (other !== undefined && compare(other, rank) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Those of `among`, or of all tasks, that can be taken. */
function ranksOf(graph: Graph, among: ReadonlySet<number> | undefined, doneIds: ReadonlySet<string>): Rank[] {
  const ready: number[] = [];
  for (const at of among ?? graph.artefacts.keys()) {
    const task = graph.artefacts[at];
    if (task?.kind !== "task" || !isTakeable(task)) continue;
    if (openBlockersOf(graph, task).every(({ id }) => doneIds.has(id))) ready.push(at);
  }
  if (ready.length === 0) return [];
  const chains = chainsOf(graph, among === undefined ? undefined : ready);
  return ready.flatMap((at) => {
    const task = graph.artefacts[at];
    if (task === undefined) return [];
    const { id } = task;
    const priority = PRIORITIES.indexOf(task.priority);
    return [{ id, impact: graph.impactOf(id), chain: chains.effortOf(id), priority, at }];
  });
}

/**
 * The numbers of those whose place, or whether they can be taken, may be another one than for the earlier artefacts;
 * undefined where these are too many.
 */
function concernedBy(graph: Graph, before: readonly Artefact[]): ReadonlySet<number> | undefined {
  const { artefacts, blockers, dependents } = graph;
  const concerned = new Set<number>();
  if (before === artefacts) return concerned;
  if (before.length !== artefacts.length) return undefined;
  const queue: number[] = [];
  for (let at = 0; at < artefacts.length; at++) {
    const [old, now] = [before[at], artefacts[at]];
    // A claim, a title or a tag changes no rank.
    if (old === now || (old !== undefined && now !== undefined && markOf(old) === markOf(now))) continue;
    concerned.add(at);
    queue.push(at);
    for (const waiting of dependents[at] ?? []) {
      concerned.add(waiting);
      if (artefacts[waiting]?.kind === "epic") addTasksOf(artefacts, artefacts[waiting]?.id, concerned);
    }
    if (concerned.size > MAX_CONCERNED) return undefined;
  }
  // What these wait for, directly or not, counts them; what is closed passes nothing on.
  const passed = new Set(queue);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const blocker of blockers[next] ?? []) {
      const artefact = artefacts[blocker];
      if (artefact === undefined || isClosed(artefact) || passed.has(blocker)) continue;
      passed.add(blocker);
      queue.push(blocker);
      concerned.add(blocker);
      if (concerned.size > MAX_CONCERNED) return undefined;
    }
  }
  return concerned;
}

function addTasksOf(artefacts: readonly Artefact[], epic: string | undefined, to: Set<number>): void {
  for (const [at, artefact] of artefacts.entries()) if (artefact.epic === epic) to.add(at);
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

/** Numbers are in the order of the ids. */
function compare(a: Rank, b: Rank): number {
  return b.impact - a.impact || b.priority - a.priority || b.chain - a.chain || a.at - b.at;
}
