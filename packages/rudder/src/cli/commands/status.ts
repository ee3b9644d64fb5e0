// rudder status: the project in one screen. Counts, progress, who works on what, what is next, what is wrong.
import type { Artefact } from "../../artefact/artefact.ts";
import { EPIC_STATUSES, PRD_STATUSES, type Status, TASK_STATUSES } from "../../statuses.ts";
import type { Answer } from "../answer.ts";
import type { Session } from "../session.ts";
import { toBar, toTable } from "../table.ts";
import { leaseToJson, leaseWords } from "../views.ts";
import { findReady } from "./deps/deps.ts";

const SHOWN_EPICS = 8;
const SHOWN_LEASES = 8;
const SHOWN_READY = 5;

export async function status(session: Session): Promise<Answer> {
  const snapshot = await session.store.snapshot();
  const { graph, ready, leases, notes } = await findReady(session);
  const now = session.clock();
  const of = (kind: string): Artefact[] => snapshot.artefacts.filter((artefact) => artefact.kind === kind);
  const tasksOf = new Map<string, Artefact[]>();
  for (const task of graph.tasks) {
    if (task.epic === undefined || task.status === "Cancelled") continue;
    const own = tasksOf.get(task.epic);
    if (own === undefined) tasksOf.set(task.epic, [task]);
    else own.push(task);
  }
  const epics = of("epic").map((epic) => progressOf(epic, tasksOf.get(epic.id) ?? []));
  const counts = {
    prds: countsOf(of("prd"), PRD_STATUSES),
    epics: countsOf(of("epic"), EPIC_STATUSES),
    tasks: countsOf(graph.tasks, TASK_STATUSES),
  };
  const open = epics.filter((epic) => epic.status !== "Done").sort((a, b) => b.active - a.active || b.total - a.total);
  const parts = [
    countsText(counts),
    section("EPICS", open.slice(0, SHOWN_EPICS).map(epicRow), open.length - SHOWN_EPICS, "rudder epic list", session),
    section(
      "HELD",
      leases
        .slice(0, SHOWN_LEASES)
        .map((lease) => [lease.taskId, leaseWords(lease, now), graph.byId.get(lease.taskId)?.title ?? ""]),
      leases.length - SHOWN_LEASES,
      "rudder assign list",
      session,
    ),
    section(
      "READY",
      ready
        .slice(0, SHOWN_READY)
        .map((one) => [one.artefact.id, `unblocks ${one.impact}`, one.artefact.priority, one.artefact.title]),
      ready.length - SHOWN_READY,
      "rudder deps ready",
      session,
    ),
  ];
  const cycles = graph.cycles.map((cycle) => [...cycle, cycle[0] ?? ""].join(" → "));
  return {
    json: {
      haven: session.store.haven,
      ...counts,
      epics_progress: epics,
      held: leases.map((lease) => leaseToJson(lease, now)),
      ready: ready.length,
      next: ready[0]?.artefact.id ?? null,
      cycles,
      problems: snapshot.problems,
    },
    text: parts.filter((part) => part !== "").join("\n\n"),
    notes,
  };
}

/** X-28: all that an agent that is restricted to one task may know of the others. */
export async function statusCounts(session: Session): Promise<Answer> {
  const { artefacts } = await session.store.snapshot();
  const of = (kind: string): Artefact[] => artefacts.filter((artefact) => artefact.kind === kind);
  const counts = {
    prds: countsOf(of("prd"), PRD_STATUSES),
    epics: countsOf(of("epic"), EPIC_STATUSES),
    tasks: countsOf(of("task"), TASK_STATUSES),
  };
  return { json: counts, text: countsText(counts) };
}

type Counts = Readonly<Record<string, number>> & { readonly total: number };

function countsOf(artefacts: readonly Artefact[], statuses: readonly Status[]): Counts {
  const counts: Record<string, number> & { total: number } = { total: artefacts.length };
  for (const one of statuses) counts[one] = artefacts.filter((artefact) => artefact.status === one).length;
  const unknown = artefacts.filter((artefact) => artefact.status === undefined).length;
  if (unknown > 0) counts.unknown = unknown;
  return counts;
}

function countsText(counts: Readonly<Record<"prds" | "epics" | "tasks", Counts>>): string {
  const words = (one: Counts): string =>
    Object.entries(one)
      .filter(([name, count]) => name !== "total" && count > 0)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ");
  const { prds, epics, tasks } = counts;
  const done = tasks.Done ?? 0;
  const wanted = tasks.total - (tasks.Cancelled ?? 0);
  const lines = [
    `PRDs   ${prds.total}${prds.total === 0 ? "" : `  (${words(prds)})`}`,
    `Epics  ${epics.total}${epics.total === 0 ? "" : `  (${words(epics)})`}`,
    `Tasks  ${tasks.total}${tasks.total === 0 ? "" : `  (${words(tasks)})`}`,
  ];
  if (wanted > 0) lines.push(`${toBar(done, wanted, 30)} ${Math.floor((done / wanted) * 100)} %`);
  return lines.join("\n");
}

interface Progress {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly total: number;
  readonly done: number;
  readonly active: number;
}

function progressOf(epic: Artefact, own: readonly Artefact[]): Progress {
  return {
    id: epic.id,
    title: epic.title,
    status: epic.status ?? "unknown",
    total: own.length,
    done: own.filter((task) => task.status === "Done").length,
    active: own.filter((task) => task.status === "In Progress").length,
  };
}

function epicRow(epic: Progress): string[] {
  return [epic.id, toBar(epic.done, epic.total, 12), `${epic.done}/${epic.total}`, epic.title];
}

function section(title: string, rows: readonly string[][], rest: number, command: string, session: Session): string {
  if (rows.length === 0) return "";
  const head = [title, ...Array.from({ length: (rows[0]?.length ?? 1) - 1 }, () => "")];
  const more = rest > 0 ? `\n… ${rest} more: ${command}` : "";
  return `${toTable(head, rows, session)}${more}`;
}
