// A line in a task's log (RU-14), acknowledged when it is on disk. Open to everyone but a caller that lost the task
// while a newer holder lives.
import { parseId } from "../ids.ts";
import { toIso } from "../iso-time.ts";
import type { Level, LogLine } from "../memory/log-line.ts";
import { RudderError } from "../rudder-error.ts";
import { commandTask } from "./change-task.ts";
import type { TaskSession } from "./session.ts";

const MAX_CHARS = 16_384;

/** What to log about which task. */
interface LogRequest {
  readonly id: string;
  readonly message: string;
  readonly level: Level;
  readonly files?: readonly string[] | undefined;
  readonly snippet?: string | undefined;
  readonly command?: string | undefined;
}

/** Adds the line; what comes back is what was written. */
export async function log(
  session: TaskSession,
  request: LogRequest,
): Promise<{ readonly id: string; readonly line: LogLine }> {
  const id = parseId(request.id, { kinds: ["task"], digits: session.store.digits });
  if (request.message.trim() === "") {
    throw new RudderError("invalid_argument", "the message is empty", {
      hint: 'rudder task log T042 "what you learned"',
    });
  }
  const { snippet, command, files } = request;
  const content = {
    level: request.level,
    message: bounded(request.message, "message"),
    ...(files === undefined ? {} : { files: files.map((file) => bounded(file, "file")) }),
    ...(snippet === undefined ? {} : { snippet: bounded(snippet, "snippet") }),
    ...(command === undefined ? {} : { command: bounded(command, "command") }),
    ...(session.caller.kind === "name" ? { by: session.caller.name } : {}),
  };
  const { extra } = await commandTask<LogLine>(session, {
    taskId: id,
    command: { kind: "write", what: "log", by: session.caller },
    event: "logged",
    extra(_text, { nowMs }) {
      const line: LogLine = { at: toIso(nowMs), ...content };
      return { value: line, lines: [line] };
    },
  });
  return { id, line: extra ?? { at: "", ...content } };
}

/** Refuses a text that is too long for a log. */
export function bounded(text: string, name: string): string {
  if (text.length <= MAX_CHARS) return text;
  throw new RudderError("invalid_argument", `the ${name} has ${text.length} characters`, {
    hint: `at most ${MAX_CHARS}: name the file and say what is in it`,
  });
}
