// The project in one value: counts, progress, who works on what, what is next, what is wrong.
import type { Artefact } from "../artefact/artefact.ts";
import { EPIC_STATUSES, PRD_STATUSES, type Status, TASK_STATUSES } from "../statuses.ts";
import { type FoundReady, findReady } from "./deps/deps.ts";
import type { TaskSession } from "./session.ts";

/** How many have each status. */
export type Counts = Readonly<Record<string, number>> & { readonly total: number };

/** The counts of each kind. */
export type AllCounts = Readonly<Record<"prds" | "epics" | "tasks", Counts>>;

/** How far an epic is. */
export interface Progress {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly total: number;
  readonly done: number;
  readonly active: number;
}

/** The project at one moment. */
export interface ProjectStatus extends FoundReady {
  readonly counts: AllCounts;
  readonly epics: readonly Progress[];
}

/** The whole status. */
export async function status(session: TaskSession): Promise<ProjectStatus> {
  const found = await findReady(session);
  const tasksOf = new Map<string, Artefact[]>();
  for (const task of found.graph.tasks) {
    if (task.epic === undefined || task.status === "Cancelled") continue;
    const own = tasksOf.get(task.epic);
    if (own === undefined) tasksOf.set(task.epic, [task]);
    else own.push(task);
  }
  const epics = found.graph.artefacts
    .filter((artefact) => artefact.kind === "epic")
    .map((epic) => progressOf(epic, tasksOf.get(epic.id) ?? []));
  return { ...found, counts: countAll(found.graph.artefacts), epics };
}

/** all that an agent that is restricted to one task may know of the others. */
export async function statusCounts({ store }: TaskSession): Promise<AllCounts> {
  return countAll((await store.snapshot()).artefacts);
}

function countAll(artefacts: readonly Artefact[]): AllCounts {
  const of = (kind: string): Artefact[] => artefacts.filter((artefact) => artefact.kind === kind);
  return {
    prds: countsOf(of("prd"), PRD_STATUSES),
    epics: countsOf(of("epic"), EPIC_STATUSES),
    tasks: countsOf(of("task"), TASK_STATUSES),
  };
}

function countsOf(artefacts: readonly Artefact[], statuses: readonly Status[]): Counts {
  const counts: Record<string, number> & { total: number } = { total: artefacts.length };
  for (const one of statuses) counts[one] = artefacts.filter((artefact) => artefact.status === one).length;
  const unknown = artefacts.filter((artefact) => artefact.status === undefined).length;
  if (unknown > 0) counts.unknown = unknown;
  return counts;
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
