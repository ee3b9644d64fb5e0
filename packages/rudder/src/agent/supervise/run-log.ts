// `run.log`: the run of one agent for people, a line for each event. All events, with every field, are in the runner's
// own log. What agents write is untrusted: no control character gets in.
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { oneLine } from "@jeeves/base";

const MAX_LINE_CHARS = 2_000;

/** An open log; a line that cannot be written is lost. */
export interface RunLogFile {
  line(at: string, words: string): void;
  close(): void;
}

/** Opens the log at its end. A disk that fails costs lines, never the run. */
export function openRunLogFile(path: string): RunLogFile {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  } catch {
    descriptor = undefined;
  }
  return {
    line(at, words) {
      if (descriptor === undefined) return;
      try {
        writeSync(descriptor, `${at} ${oneLine(words, MAX_LINE_CHARS)}\n`);
      } catch {
        // The line is lost, the run goes on.
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** One record of a run, as the runner gives it. */
export interface RunRecord {
  readonly ts: string;
  readonly event: string;
  readonly data?: object | undefined;
}

/** Undefined for what does not belong here. */
export function toLogWords({ event, data }: RunRecord): string | undefined {
  const field = new Map<string, unknown>(Object.entries(data ?? {}));
  const text = (name: string): string => String(field.get(name) ?? "");
  switch (event) {
    case "run.started":
      return `run in ${text("cwd")} by ${text("provider")}`;
    case "run.ended":
      return `run ended: ${text("status")}${field.has("message") ? `: ${text("message")}` : ""}`;
    case "agent.started":
      return `agent started: session ${text("session_id")}, model ${text("model")}`;
    case "agent.server":
      return `server ${text("name")}: ${text("status")}${field.has("message") ? `: ${text("message")}` : ""}`;
    case "agent.message":
      return `says: ${text("text")}`;
    case "agent.notice":
      return `notice: ${text("message")}`;
    case "agent.tool_call":
      return `calls ${text("tool")} ${JSON.stringify(field.get("input") ?? {})}`;
    case "agent.tool_result":
      return `${field.get("is_error") === true ? "failed" : "got"} ${text("tool")}: ${text("text")}`;
    default:
      return event.endsWith("config_invalid") ? `${event}: ${JSON.stringify(data)}` : undefined;
  }
}

/** What one of rudder's tools answered; undefined for every other record. */
export function rudderAnswer({ event, data }: RunRecord): string | undefined {
  const field = new Map<string, unknown>(Object.entries(data ?? {}));
  const tool = String(field.get("tool") ?? "");
  return event === "agent.tool_result" && /rudder[/_]/.test(tool) ? String(field.get("text") ?? "") : undefined;
}
