// Logs, memory and contexts, for programs and in words.
import type { LogLine } from "../memory/log-line.ts";
import type { LoadedContext } from "../tasks/context.ts";
import { noEpic, type PageMemory, type Synced, type TaskMemory } from "../tasks/memory/memory.ts";
import type { Answer } from "./answer.ts";
import { logToJson, logWords } from "./views.ts";

/** A line that was logged. */
export function loggedAnswer({ id, line }: { readonly id: string; readonly line: LogLine }): Answer {
  return { json: { id, ...logToJson(line) }, text: `${id}  logged as ${line.level}` };
}

/** The memory of a task, or a page. */
export function memoryAnswer(memory: PageMemory | TaskMemory): Answer {
  return memory.kind === "task" ? taskMemoryAnswer(memory) : pageAnswer(memory);
}

function pageAnswer({ id, page, log }: PageMemory): Answer {
  const lines = log.length === 0 ? "" : `\n\nLog\n${log.map(logWords).join("\n")}`;
  const nothing = `nothing yet: rudder memory add ${id} "what to remember"`;
  return { json: { id, memory: page, log: log.map(logToJson) }, text: `${page.trim()}${lines}`.trim() || nothing };
}

function taskMemoryAnswer({ id, epic, log, others, pages }: TaskMemory): Answer {
  const parts = [
    log.length === 0 ? "" : `Log of ${id}\n${log.map((line) => logWords({ ...line, taskId: id })).join("\n")}`,
    others.length === 0 ? "" : `Log of ${epic}\n${others.map(logWords).join("\n")}`,
    ...pages.map((page) => page.text.trim()),
  ];
  return {
    json: { id, log: log.map(logToJson), epic_log: others.map(logToJson), memory: pages },
    text: parts.filter((part) => part !== "").join("\n\n") || `nothing is known about ${id} yet`,
  };
}

/** A point that was added. */
export function rememberedAnswer(id: string, added: string): Answer {
  return { json: { id, added }, text: `${id}  remembered` };
}

/** What a sync moved. */
export function syncedAnswer({ synced, left }: Synced): Answer {
  const words = synced.map((one) => `${one.task_id} → ${one.epic_id}  ${one.lines} lines`).join("\n");
  return {
    json: { synced },
    text: words || "nothing to sync",
    notes: left.map((taskId) => `${noEpic(taskId).message}: its log stays in memory/${taskId}.log`),
  };
}

/** A context, or the words of an operation. */
export function contextAnswer(loaded: LoadedContext): Answer {
  if (loaded.kind === "task") {
    const { taskId, text, tokens, isCut } = loaded;
    return { json: { task_id: taskId, text, tokens, cut: isCut }, text };
  }
  const { operation, role } = loaded;
  return { json: { operation: operation.name, role, text: operation.text }, text: operation.text };
}
