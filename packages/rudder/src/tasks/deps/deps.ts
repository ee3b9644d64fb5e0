// Questions about who waits for whom. Nothing is written.
import type { Artefact, Problem } from "../../artefact/artefact.ts";
import { doneInArchive, findArchived, withoutDone } from "../../graph/archived-blockers.ts";
import { criticalChains } from "../../graph/critical.ts";
import { buildGraph, type Graph } from "../../graph/graph.ts";
import { openBlockersOf, stateWords, type Waiting } from "../../graph/open-blockers.ts";
import { type ReadyList, readyTasks } from "../../graph/ready.ts";
import { normaliseId, parseId } from "../../ids.ts";
import { isLive, type Lease } from "../../lease/lease.ts";
import type { TaskSession } from "../session.ts";

/** What can be taken now, and what was seen on the way. */
export interface FoundReady {
  readonly graph: Graph;
  readonly ready: ReadyList;
  readonly leases: readonly Lease[];
  readonly nowMs: number;
  readonly broken: readonly string[];
  readonly problems: readonly Problem[];
}

/** What can be taken now. A run file that cannot be read may be a lease: its task is not free. */
export async function findReady({ store }: TaskSession): Promise<FoundReady> {
  const snapshot = await store.snapshot();
  const graph = buildGraph(snapshot.artefacts);
  const { leases, broken, nowMs } = await store.leases();
  const held = leases.filter((lease) => isLive(lease, nowMs)).map((lease) => lease.taskId);
  const unreadable = broken.map((path) => normaliseId(/(T\d+)\.run$/.exec(path)?.[1] ?? "", store.digits) ?? "");
  const doneIds = await doneInArchive(store, graph);
  const ready = readyTasks(graph, { heldIds: new Set([...held, ...unreadable]), doneIds });
  return { graph, ready, leases, nowMs, broken, problems: snapshot.problems };
}

/** An artefact at the other end of an edge. */
interface Neighbour {
  readonly id: string;
  readonly status: string;
  readonly title: string;
}

/** What one waits for, and what waits for it. */
export interface Deps {
  readonly artefact: Artefact;
  readonly blockers: readonly Neighbour[];
  readonly dependents: readonly Neighbour[];
  readonly waitsFor: readonly Waiting[];
  readonly impact: number;
  /** Those that this one is part of. */
  readonly cycles: readonly (readonly string[])[];
}

/** Both ends of the edges of a task or an epic. */
export async function showDeps({ store }: TaskSession, text: string): Promise<Deps> {
  const id = parseId(text, { kinds: ["task", "epic"], digits: store.digits });
  const stored = await store.artefact(id); // refuses what does not exist, and what exists twice
  const graph = buildGraph((await store.snapshot()).artefacts);
  const artefact = graph.byId.get(id) ?? stored.artefact;
  const archived = await findArchived(
    store,
    artefact.blockedBy.filter((one) => !graph.byId.has(one)),
  );
  const describe = (one: string): Neighbour => {
    const other = graph.byId.get(one) ?? archived.get(one);
    return { id: one, status: stateWords(other), title: other?.title ?? "" };
  };
  return {
    artefact,
    blockers: artefact.blockedBy.map(describe),
    dependents: graph.dependentsOf(id).map(describe),
    waitsFor: withoutDone(openBlockersOf(graph, artefact), await doneInArchive(store, graph)),
    impact: graph.impactOf(id),
    cycles: graph.cycles.filter((cycle) => cycle.includes(id)),
  };
}

/** The longest chains of open tasks. */
export interface Critical {
  readonly graph: Graph;
  readonly chains: readonly { readonly effort: number; readonly ids: readonly string[] }[];
}

/** The longest chains, longest first. */
export async function findCritical(
  { store }: TaskSession,
  options: { readonly limit?: number | undefined },
): Promise<Critical> {
  const graph = buildGraph((await store.snapshot()).artefacts);
  return { graph, chains: criticalChains(graph, { limit: options.limit ?? 1 }) };
}
