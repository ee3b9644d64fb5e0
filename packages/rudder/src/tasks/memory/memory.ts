// What was learned, by whom, about what (RU-09, RU-10, X-67).
import { type Kind, kindOf, parseId } from "../../ids.ts";
import type { LogLine } from "../../memory/log-line.ts";
import { addToMemory } from "../../memory/memory-file.ts";
import { RudderError } from "../../rudder-error.ts";
import { readAnywhere } from "../artefacts/read-anywhere.ts";
import { commandTask } from "../change-task.ts";
import { changeOptions, requireForce, type TaskSession } from "../session.ts";

/** The memory of an epic, a PRD or the project. */
export interface PageMemory {
  readonly kind: "page";
  readonly id: string;
  readonly page: string;
  readonly log: readonly LogLine[];
}

/** The memory for a task: its own log, what its siblings learned, and the pages above it. */
export interface TaskMemory {
  readonly kind: "task";
  readonly id: string;
  readonly epic: string | undefined;
  readonly log: readonly LogLine[];
  readonly others: readonly LogLine[];
  readonly pages: readonly { readonly id: string; readonly text: string }[];
}

function parseMemoryId(session: TaskSession, text: string, kinds: readonly Kind[]): string {
  return text.toLowerCase() === "project" ? "project" : parseId(text, { kinds, digits: session.store.digits });
}

/** The memory of a task, an epic, a PRD, or `project`. */
export async function showMemory(session: TaskSession, text: string): Promise<PageMemory | TaskMemory> {
  const id = parseMemoryId(session, text, ["task", "epic", "prd"]);
  if (kindOf(id) === "task") return showTaskMemory(session, id);
  if (id !== "project") await readAnywhere(session.store, id);
  const page = (await session.store.memory(id)) ?? "";
  return { kind: "page", id, page, log: kindOf(id) === "epic" ? await session.store.log(id) : [] };
}

/** the lines of sibling tasks count from the moment they are logged, synced or not. */
export async function showTaskMemory(session: TaskSession, text: string): Promise<TaskMemory> {
  const { store } = session;
  const id = parseId(text, { kinds: ["task"], digits: store.digits });
  const { artefact } = await readAnywhere(store, id);
  const { epic, prd } = artefact;
  const pages: { id: string; text: string }[] = [];
  for (const owner of [epic, prd, "project"]) {
    const page = owner === undefined ? undefined : await store.memory(owner);
    if (owner !== undefined && page !== undefined && hasContent(page)) pages.push({ id: owner, text: page });
  }
  return { kind: "task", id, epic, log: await store.log(id), others: await othersIn(session, { id, epic }), pages };
}

/** Lines of an epic's other tasks: the unsynced ones are read first, so that a sync meanwhile hides none. */
async function othersIn(
  { store }: TaskSession,
  task: { readonly id: string; readonly epic: string | undefined },
): Promise<readonly LogLine[]> {
  if (task.epic === undefined) return [];
  const siblings = (await store.tasksOf(task.epic)).filter((one) => one.id !== task.id);
  const unsynced = await store.unsyncedLog(siblings.map((one) => one.id));
  const synced = (await store.log(task.epic)).filter((line) => line.taskId !== task.id);
  const keyOf = ({ at, taskId, level, message }: LogLine): string => JSON.stringify([at, taskId, level, message]);
  const seen = new Set(synced.map(keyOf));
  return [...synced, ...unsynced.filter((line) => !seen.has(keyOf(line)))];
}

/** A page with headings alone remembers nothing. */
function hasContent(page: string): boolean {
  return page.split("\n").some((line) => line.trim() !== "" && !line.startsWith("#"));
}

/** One more point; a task's goes into the memory of its epic. */
export interface AddRequest {
  readonly id: string;
  readonly text: string;
  readonly section?: string | undefined;
  readonly force?: boolean | undefined;
}

/** Adds the point; the id is of the memory that it went into. */
export async function addMemory(session: TaskSession, request: AddRequest): Promise<{ readonly id: string }> {
  const given = parseMemoryId(session, request.id, ["task", "epic", "prd"]);
  const force = requireForce(session, request.force);
  if (request.text.trim() === "") {
    throw new RudderError("invalid_argument", "the text is empty", {
      hint: 'rudder memory add E001 "what to remember"',
    });
  }
  if (kindOf(given) === "task") {
    const { extra } = await commandTask<string>(session, {
      taskId: given,
      command: { kind: "write", what: "edit", by: session.caller, force },
      event: "remembered",
      async extra(_text, { stored }, view) {
        const { epic } = stored.artefact;
        if (epic === undefined) throw noEpic(given);
        const text = addToMemory(await view.memory(epic), { ...request, id: epic });
        return { value: epic, memory: { id: epic, text } };
      },
    });
    return { id: extra ?? given };
  }
  return session.store.change(async (step) => {
    if (given !== "project") await step.artefact(given);
    await step.writeMemory(given, addToMemory(await step.memory(given), { ...request, id: given }));
    step.audit({ event: "remembered", taskId: given, by: session.caller.name });
    return { id: given };
  }, changeOptions(session));
}

/** What a sync moved, and what it had to leave. */
export interface Synced {
  readonly synced: readonly { readonly task_id: string; readonly epic_id: string; readonly lines: number }[];
  readonly left: readonly string[];
}

/** Moves task logs into their epics' logs: all, or those of one task or epic. */
export async function syncMemory(session: TaskSession, text: string | undefined): Promise<Synced> {
  const id = text === undefined ? undefined : parseId(text, { kinds: ["task", "epic"], digits: session.store.digits });
  return session.store.change(async (step) => {
    if (id !== undefined) await step.artefact(id);
    await step.sweep();
    const synced: { task_id: string; epic_id: string; lines: number }[] = [];
    const left: string[] = [];
    for (const taskId of await step.pendingLogs()) {
      if (id !== undefined && kindOf(id) === "task" && id !== taskId) continue;
      const epicId = await step.artefact(taskId).then(
        (stored) => stored.artefact.epic,
        (error: unknown) => {
          if (error instanceof RudderError) return undefined; // its artefact is gone or double: its log stays
          throw error;
        },
      );
      if (id !== undefined && kindOf(id) === "epic" && epicId !== id) continue;
      if (epicId === undefined) left.push(taskId);
      else synced.push({ task_id: taskId, epic_id: epicId, lines: await step.syncLog(taskId, epicId) });
    }
    step.audit({ event: "synced", taskId: id ?? "", by: session.caller.name });
    return { synced, left };
  }, changeOptions(session));
}

/** The words for a task without an epic. */
export function noEpic(id: string): RudderError {
  return new RudderError("not_found", `${id} belongs to no epic`, { hint: "its parent field names one: PRD-001/E001" });
}
