// rudder deps show|ready|critical and task next: questions about who waits for whom. Nothing is written.
import { criticalChains } from "../../../graph/critical.ts";
import { buildGraph, type Graph } from "../../../graph/graph.ts";
import { openBlockersOf, type Ready, readyTasks, stateWords } from "../../../graph/ready.ts";
import { normaliseId, parseId } from "../../../ids.ts";
import { isLive, type Lease } from "../../../lease/lease.ts";
import type { Answer } from "../../answer.ts";
import type { Session } from "../../session.ts";
import { toTable } from "../../table.ts";
import { brokenNotes, problemNotes, toJson } from "../../views.ts";

const DEFAULT_READY = 20;

export interface FoundReady {
  readonly graph: Graph;
  readonly ready: readonly Ready[];
  readonly leases: readonly Lease[];
  readonly notes: readonly string[];
}

/** What can be taken now. A run file that nobody can read may be somebody's lease: its task is nobody else's. */
export async function findReady(session: Session): Promise<FoundReady> {
  const snapshot = await session.store.snapshot();
  const graph = buildGraph(snapshot.artefacts);
  const now = session.clock();
  const { leases, broken } = await session.store.leases();
  const held = leases.filter((lease) => isLive(lease, now)).map((lease) => lease.taskId);
  const { digits } = session.store;
  const unreadable = broken.map((path) => normaliseId(/(T\d+)\.run$/.exec(path)?.[1] ?? "", digits) ?? "");
  const ready = readyTasks(graph, { heldIds: new Set([...held, ...unreadable]) });
  return {
    graph,
    ready,
    leases,
    notes: [...cycleNotes(graph), ...brokenNotes(broken), ...problemNotes(snapshot.problems)],
  };
}

function cycleNotes(graph: Graph): string[] {
  return graph.cycles.slice(0, 3).map((cycle) => {
    const [first = "", second = ""] = cycle;
    return `a cycle: ${[...cycle, first].join(" → ")}; break it: rudder deps remove ${first} --blocked-by ${second || first}`;
  });
}

export async function ready(session: Session, options: { readonly limit?: number }): Promise<Answer> {
  const found = await findReady(session);
  const limit = options.limit ?? DEFAULT_READY;
  const shown = found.ready.slice(0, limit);
  const rows = shown.map((one) => [
    one.artefact.id,
    String(one.impact),
    one.artefact.priority,
    one.artefact.effort,
    one.artefact.epic ?? "-",
    one.artefact.title,
  ]);
  const table = toTable(["ID", "UNBLOCKS", "PRIORITY", "EFFORT", "EPIC", "TITLE"], rows, session);
  const rest = found.ready.length - shown.length;
  return {
    json: shown.map(readyToJson),
    text:
      table === ""
        ? "nothing is ready: see rudder deps critical and rudder assign list"
        : rest > 0
          ? `${table}\n… ${rest} more: --limit ${found.ready.length}`
          : table,
    notes: found.notes,
  };
}

function readyToJson(one: Ready): Record<string, unknown> {
  return { ...toJson(one.artefact), impact: one.impact, chain_effort: one.chain };
}

export async function next(session: Session): Promise<Answer> {
  const found = await findReady(session);
  const [first] = found.ready;
  if (first === undefined)
    return { json: null, text: "nothing is ready: see rudder deps critical", notes: found.notes };
  const { id, title } = first.artefact;
  return {
    json: readyToJson(first),
    text: `${id}  ${title}\nunblocks ${first.impact}, priority ${first.artefact.priority}, effort ${first.artefact.effort}\ntake it: rudder assign claim ${id}`,
    notes: found.notes,
  };
}

export async function showDeps(session: Session, text: string): Promise<Answer> {
  const id = parseId(text, { kinds: ["task", "epic"], digits: session.store.digits });
  await session.store.artefact(id); // refuses what does not exist, and what exists twice
  const graph = buildGraph((await session.store.snapshot()).artefacts);
  const artefact = graph.byId.get(id);
  if (artefact === undefined) return { json: null, text: `${id} is gone` };
  const describe = (one: string) => ({
    id: one,
    status: stateWords(graph.byId.get(one)),
    title: graph.byId.get(one)?.title ?? "",
  });
  const blockers = artefact.blockedBy.map(describe);
  const dependents = graph.dependentsOf(id).map(describe);
  const open = openBlockersOf(graph, artefact);
  const rows = [
    ...blockers.map((one) => ["waits for", one.id, one.status, one.title]),
    ...dependents.map((one) => ["blocks", one.id, one.status, one.title]),
  ];
  const state = open.length === 0 ? "waits for nothing" : `waits for ${open.map((one) => one.id).join(", ")}`;
  const table = toTable(["", "ID", "STATUS", "TITLE"], rows, session);
  return {
    json: { id, blockers, dependents, waits_for: open, impact: graph.impactOf(id) },
    text: `${id} ${artefact.title}: ${state}; ${graph.impactOf(id)} wait for it${table === "" ? "" : `\n${table}`}`,
    notes: cycleNotes(graph).filter((note) => note.includes(id)),
  };
}

export async function critical(session: Session, options: { readonly limit?: number }): Promise<Answer> {
  const snapshot = await session.store.snapshot();
  const graph = buildGraph(snapshot.artefacts);
  const chains = criticalChains(graph, { limit: options.limit ?? 1 });
  const texts = chains.map((chain) => {
    const rows = chain.ids.map((id) => {
      const task = graph.byId.get(id);
      return [id, task?.effort ?? "", stateWords(task), task?.title ?? ""];
    });
    return `effort ${chain.effort}, ${chain.ids.length} tasks\n${toTable(["ID", "EFFORT", "STATUS", "TITLE"], rows, session)}`;
  });
  return {
    json: chains.map((chain) => ({ effort: chain.effort, ids: chain.ids })),
    text: texts.join("\n\n") || "nothing is open",
    notes: cycleNotes(graph),
  };
}
