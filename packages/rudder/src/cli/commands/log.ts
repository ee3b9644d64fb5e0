// rudder task log (RU-14): one line, acknowledged when it is on disk. Open to everyone.
import { parseId } from "../../ids.ts";
import { toIso } from "../../lease/instant.ts";
import { LEVELS, type Level, type LogLine } from "../../memory/log-line.ts";
import { RudderError } from "../../rudder-error.ts";
import type { Answer } from "../answer.ts";
import type { Session } from "../session.ts";
import { logToJson } from "../views.ts";

const MAX_CHARS = 16_384;

export interface LogRequest {
  readonly id: string;
  readonly message: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export async function log(session: Session, request: LogRequest): Promise<Answer> {
  const id = parseId(request.id, { kinds: ["task"], digits: session.store.digits });
  const { options } = request;
  if (request.message.trim() === "") {
    throw new RudderError("invalid_argument", "the message is empty", {
      hint: 'rudder task log T042 "what you learned"',
    });
  }
  const text = (name: string) => (typeof options[name] === "string" ? { [name]: bounded(options[name], name) } : {});
  const content = {
    level: levelOf(options),
    message: bounded(request.message, "message"),
    ...(Array.isArray(options.file) ? { files: options.file.map((file) => bounded(String(file), "file")) } : {}),
    ...text("snippet"),
    ...text("command"),
    ...(session.caller.kind === "name" ? { by: session.caller.name } : {}),
  };
  const line = await session.store.change(
    async (step) => {
      await step.artefact(id); // a log of nothing would never be read
      const stamped: LogLine = { at: toIso(session.clock().wallMs), ...content };
      await step.appendLog(id, stamped);
      return stamped;
    },
    { signal: session.signal },
  );
  return { json: { id, ...logToJson(line) }, text: `${id}  logged as ${line.level}` };
}

function levelOf(options: Readonly<Record<string, unknown>>): Level {
  const given = LEVELS.filter((level) => options[level] === true || options.level === level);
  const [level = "info"] = given;
  if (given.length < 2) return level;
  throw new RudderError("invalid_argument", `one level, not ${given.length}: ${given.join(", ")}`, {
    hint: "the most serious one will do",
  });
}

function bounded(text: string, name: string): string {
  if (text.length <= MAX_CHARS) return text;
  throw new RudderError("invalid_argument", `the ${name} has ${text.length} characters`, {
    hint: `at most ${MAX_CHARS}: name the file and say what is in it`,
  });
}
