// One line of a log (RU-09): `<ISO ts> [LEVEL] message {{json meta}}`, in an epic's log with `[TNNN] ` before the level.
// A message that one line cannot carry as it is (line ends, braces that look like meta) is whole in its meta.

import { toJsonLine } from "../json-line.ts";

/** The levels of log lines, the mildest first; `tip` is for what others should know. */
export const LEVELS = ["info", "tip", "warn", "error", "critical"] as const;
/** How serious a log line is. */
export type Level = (typeof LEVELS)[number];

/**
 * A line of a log. `at` is an ISO time; it is empty for a line that was not understood, whose text is all in `message`.
 */
export interface LogLine {
  readonly at: string;
  readonly level: Level;
  readonly message: string;
  readonly taskId?: string;
  readonly files?: readonly string[];
  readonly snippet?: string;
  readonly command?: string;
  /** The name of the caller, where it has one. */
  readonly by?: string;
}

const FORM = /^(\S+) (?:\[(T\d+)\] )?\[(INFO|TIP|WARN|ERROR|CRITICAL)\] (.*?)(?: \{\{(\{.*\})\}\})?$/;
/** Exactly these would break the line, steer a terminal, or be lost in UTF-8 (half a surrogate pair). */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * The line without its line end. It is one line whatever the message holds: then the message is in the meta as well.
 */
export function formatLogLine(line: LogLine): string {
  // A line that no parser understood stays what it was.
  if (line.at === "") return line.message.replace(/[\r\n]+/g, " ");
  const isPlain = !UNSAFE.test(line.message) && !line.message.includes("{{") && line.message === line.message.trim();
  const meta = {
    ...(isPlain ? {} : { message: line.message }),
    ...(line.files === undefined || line.files.length === 0 ? {} : { files: line.files }),
    ...(line.snippet === undefined ? {} : { snippet: line.snippet }),
    ...(line.command === undefined ? {} : { command: line.command }),
    ...(line.by === undefined ? {} : { by: line.by }),
  };
  const words = isPlain ? line.message : flatten(line.message);
  const tail = Object.keys(meta).length === 0 ? "" : ` {{${toJsonLine(meta)}}}`;
  const task = line.taskId === undefined ? "" : `[${line.taskId}] `;
  return `${line.at} ${task}[${line.level.toUpperCase()}] ${words}${tail}`;
}

/**
 * Parses a line. Never throws: a line that a person wrote, or that a dying process left half written, is shown as it
 * is.
 */
export function parseLogLine(text: string): LogLine {
  const found = FORM.exec(text);
  if (found === null) return { at: "", level: "info", message: text };
  const [, at = "", taskId, word = "", message = "", json] = found;
  const meta = parseMeta(json);
  const string = (name: string): string | undefined => {
    const value = meta[name];
    return typeof value === "string" ? value : undefined;
  };
  const snippet = string("snippet");
  const command = string("command");
  const by = string("by");
  const { files } = meta;
  return {
    at,
    level: LEVELS.find((level) => level.toUpperCase() === word) ?? "info",
    message: string("message") ?? message,
    ...(taskId === undefined ? {} : { taskId }),
    ...(Array.isArray(files) ? { files: files.map(String) } : {}),
    ...(snippet === undefined ? {} : { snippet }),
    ...(command === undefined ? {} : { command }),
    ...(by === undefined ? {} : { by }),
  };
}

/** The lines of a log, without empty ones. */
export function parseLog(text: string): LogLine[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => parseLogLine(line.replace(/\r$/, "")));
}

function flatten(message: string): string {
  return message.replace(/\s+/g, " ").replace(new RegExp(UNSAFE, "gu"), "").replaceAll("{{", "{ {").trim();
}

function parseMeta(json: string | undefined): Readonly<Record<string, unknown>> {
  if (json === undefined) return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
