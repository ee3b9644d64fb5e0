// What a caller that is restricted to one task may do. It judges the words that the program itself
// has read, and the ids in them by their number: T42, T042 and t042 are one task. What is not allowed here is refused.
import type { Words } from "../../command-line.ts";
import { idsIn, readId } from "../../ids.ts";
import { RudderError } from "../../rudder-error.ts";

/** Commands that concern one task, which they name first. */
const OF_ONE_TASK = new Set([
  "task show",
  "task show-memory",
  "task targets",
  "task log",
  "task start",
  "task done",
  "task block",
  "deps show",
  "assign claim",
  "assign release",
  "assign renew",
  "context load",
  "memory show",
  "artifact show",
  "artifact edit",
  "artifact check",
  "artifact uncheck",
]);
/** Commands that concern no single task; status then answers with counts. */
const OF_NO_TASK = new Set(["versions", "status"]);

/** The refusal of everything but the one task. */
export function accessDenied(taskId: string): RudderError {
  return new RudderError("denied", `Access denied: This agent can only access task ${taskId}`, {
    hint: `use ${taskId}, versions or status; others' findings are in context_load ${taskId}`,
    details: { task_id: taskId },
  });
}

function isSameTask(text: string, taskId: string): boolean {
  const [one, other] = [readId(text), readId(taskId)];
  return one?.kind === "task" && other?.kind === "task" && one.number === other.number;
}

/** Throws `denied` for another task. */
export function requireTask(text: string, taskId: string): void {
  if (!isSameTask(text, taskId)) throw accessDenied(taskId);
}

/** argv beside what was read of it: an id is refused wherever it stands, in a quoted text or an option's value too. */
export function requireAllowed(words: Words, argv: readonly string[], taskId: string): void {
  const name = words.path.join(" ");
  if (!OF_ONE_TASK.has(name) && !OF_NO_TASK.has(name)) throw accessDenied(taskId);
  if (OF_ONE_TASK.has(name)) requireTask(words.args[0] ?? "", taskId);
  for (const word of argv) {
    for (const id of idsIn(word)) {
      // "S3" in a sentence is the name of a product; as a word of its own it is the id of a story.
      const isMeant = readId(id)?.kind === "task" || readId(word) !== undefined;
      if (isMeant) requireTask(id, taskId);
    }
  }
}

/**
 * Commands that start, end or wait for processes outside the sandbox, or read files there: for people on a terminal,
 * never through `cli`.
 */
const FOR_PEOPLE = new Set([
  "agent spawn",
  "agent kill",
  "agent reap",
  "sandbox init",
  "plan",
  "import",
  "mcp start",
  "mcp stop",
  "mcp bridge",
]);

/** Throws `denied` for a command that is for people on a terminal. */
export function requireHarmless(words: Words): void {
  const name = words.path.join(" ");
  if (!FOR_PEOPLE.has(name)) return;
  throw new RudderError("denied", `rudder ${name} cannot be used here: it reaches outside the sandbox`, {
    hint: "a person has to run it on a terminal",
  });
}
