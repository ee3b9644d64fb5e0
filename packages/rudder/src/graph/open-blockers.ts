// What keeps a task or an epic waiting: its own blockers, and those of its epic. Pure.
import type { Artefact } from "../artefact/artefact.ts";
import type { ArtefactLookup, Graph } from "./graph.ts";

/** A blocker that is not done. */
export interface Waiting {
  readonly id: string;
  /** Why it still blocks: its status, or that it does not exist. */
  readonly state: string;
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
