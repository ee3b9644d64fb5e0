// The board of a haven: every task with who holds it and what it waits for, the epics, and what was learned. For pages
// and terminals that show it all.
import type { Artefact, Problem } from "../artefact/artefact.ts";
import { doneInArchive, withoutDone } from "../graph/archived-blockers.ts";
import { buildGraph, isClosed } from "../graph/graph.ts";
import { openBlockersOf } from "../graph/open-blockers.ts";
import type { HavenStore } from "../haven/store.ts";
import { isLive, type Lease } from "../lease/lease.ts";
import type { LogLine } from "../memory/log-line.ts";

/** Where a task stands on the board. */
export type Column = "ready" | "claimed" | "blocked" | "done";

/** A task on the board. */
export interface BoardTask {
  readonly task: Artefact;
  readonly column: Column;
  /** Only where it is live. */
  readonly lease: Lease | undefined;
  readonly waitsFor: readonly string[];
}

/** The whole board at one moment of the store's clock. */
export interface Board {
  readonly nowMs: number;
  readonly tasks: readonly BoardTask[];
  readonly epics: readonly Artefact[];
  /** The latest first. */
  readonly memory: readonly LogLine[];
  readonly problems: readonly Problem[];
  readonly broken: readonly string[];
}

/** Reads the board; `maxMemory` lines of memory at most. */
export async function readBoard(store: HavenStore, options: { readonly maxMemory: number }): Promise<Board> {
  const { artefacts, problems } = await store.snapshot();
  const { leases, broken, nowMs } = await store.leases();
  const graph = buildGraph(artefacts);
  const leaseOf = new Map(leases.filter((lease) => isLive(lease, nowMs)).map((lease) => [lease.taskId, lease]));
  const done = await doneInArchive(store, graph);
  const epics = artefacts.filter(({ kind }) => kind === "epic");
  const lines: LogLine[] = [...(await store.unsyncedLog(graph.tasks.map(({ id }) => id)))];
  for (const epic of epics) lines.push(...(await store.log(epic.id)));
  return {
    nowMs,
    tasks: graph.tasks.map((task) => {
      const waitsFor = withoutDone(openBlockersOf(graph, task), done).map(({ id }) => id);
      const lease = leaseOf.get(task.id);
      return { task, lease, waitsFor, column: columnOf(task, { lease, waitsFor }) };
    }),
    epics,
    memory: lines.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, options.maxMemory),
    problems,
    broken,
  };
}

function columnOf(
  task: Artefact,
  { lease, waitsFor }: { readonly lease: Lease | undefined; readonly waitsFor: readonly string[] },
): Column {
  if (isClosed(task)) return "done";
  if (lease !== undefined) return "claimed";
  return waitsFor.length > 0 || task.status === "Blocked" ? "blocked" : "ready";
}
