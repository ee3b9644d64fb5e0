// rudder memory show|add|sync and task show-memory: what was learned, by whom, about what (RU-09, RU-10).
import { type Kind, kindOf, parseId } from "../../ids.ts";
import { addToMemory } from "../../memory/memory-file.ts";
import { RudderError } from "../../rudder-error.ts";
import type { Answer } from "../answer.ts";
import type { Session } from "../session.ts";
import { logToJson, logWords } from "../views.ts";

function parseMemoryId(session: Session, text: string, kinds: readonly Kind[]): string {
  return text.toLowerCase() === "project" ? "project" : parseId(text, { kinds, digits: session.store.digits });
}

export async function showMemory(session: Session, text: string): Promise<Answer> {
  const id = parseMemoryId(session, text, ["task", "epic", "prd"]);
  if (kindOf(id) === "task") return showTaskMemory(session, id);
  if (id !== "project") await session.store.artefact(id);
  const page = (await session.store.memory(id)) ?? "";
  const lines = kindOf(id) === "epic" ? await session.store.log(id) : [];
  const log = lines.length === 0 ? "" : `\n\nLog\n${lines.map(logWords).join("\n")}`;
  const nothing = `nothing yet: rudder memory add ${id} "what to remember"`;
  return { json: { id, memory: page, log: lines.map(logToJson) }, text: `${page.trim()}${log}`.trim() || nothing };
}

export async function showTaskMemory(session: Session, text: string): Promise<Answer> {
  const { store } = session;
  const id = parseId(text, { kinds: ["task"], digits: store.digits });
  const { artefact } = await store.artefact(id);
  const own = await store.log(id);
  const { epic, prd } = artefact;
  const others = epic === undefined ? [] : (await store.log(epic)).filter((line) => line.taskId !== id);
  const pages: { id: string; text: string }[] = [];
  for (const owner of [epic, prd, "project"]) {
    const page = owner === undefined ? undefined : await store.memory(owner);
    if (owner !== undefined && page !== undefined && hasContent(page)) pages.push({ id: owner, text: page });
  }
  const parts = [
    own.length === 0 ? "" : `Log of ${id}\n${own.map((line) => logWords({ ...line, taskId: id })).join("\n")}`,
    others.length === 0 ? "" : `Log of ${epic}\n${others.map(logWords).join("\n")}`,
    ...pages.map((page) => page.text.trim()),
  ];
  return {
    json: { id, log: own.map(logToJson), epic_log: others.map(logToJson), memory: pages },
    text: parts.filter((part) => part !== "").join("\n\n") || `nothing is known about ${id} yet`,
  };
}

/** A page with headings alone remembers nothing. */
function hasContent(page: string): boolean {
  return page.split("\n").some((line) => line.trim() !== "" && !line.startsWith("#"));
}

export async function addMemory(
  session: Session,
  request: { readonly id: string; readonly text: string; readonly section?: string },
): Promise<Answer> {
  const given = parseMemoryId(session, request.id, ["task", "epic", "prd"]);
  if (request.text.trim() === "") {
    throw new RudderError("invalid_argument", "the text is empty", {
      hint: 'rudder memory add E001 "what to remember"',
    });
  }
  const id = await session.store.change(
    async (step) => {
      const owner = given === "project" ? given : await ownerOf(given, (one) => step.artefact(one));
      await step.writeMemory(owner, addToMemory(await step.memory(owner), { ...request, id: owner }));
      return owner;
    },
    { signal: session.signal },
  );
  return { json: { id, added: request.text }, text: `${id}  remembered` };
}

async function ownerOf(
  id: string,
  read: (id: string) => Promise<{ readonly artefact: { readonly epic?: string | undefined } }>,
): Promise<string> {
  const { artefact } = await read(id);
  if (kindOf(id) !== "task") return id;
  if (artefact.epic === undefined) throw noEpic(id);
  return artefact.epic;
}

export async function syncMemory(session: Session, text: string | undefined): Promise<Answer> {
  const id = text === undefined ? undefined : parseId(text, { kinds: ["task", "epic"], digits: session.store.digits });
  const notes: string[] = [];
  const synced = await session.store.change(
    async (step) => {
      if (id !== undefined) await step.artefact(id);
      await step.sweep();
      const done: { task_id: string; epic_id: string; lines: number }[] = [];
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
        if (epicId === undefined) notes.push(`${noEpic(taskId).message}: its log stays in memory/${taskId}.log`);
        else done.push({ task_id: taskId, epic_id: epicId, lines: await step.syncLog(taskId, epicId) });
      }
      return done;
    },
    { signal: session.signal },
  );
  const words = synced.map((one) => `${one.task_id} → ${one.epic_id}  ${one.lines} lines`).join("\n");
  return { json: { synced }, text: words || "nothing to sync", notes };
}

function noEpic(id: string): RudderError {
  return new RudderError("not_found", `${id} belongs to no epic`, { hint: "its parent field names one: PRD-001/E001" });
}
