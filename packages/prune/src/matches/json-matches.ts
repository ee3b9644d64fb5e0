// Reads the output of `rg --json`: one record a line, of which those of type `match` name a path and a line.
import { lineAt, splitLines } from "../text/lines.ts";
import { hasTooManyNotes, type MatchLine, type MatchLines } from "./match-lines.ts";

const CONTEXT: MatchLine = { kind: "context" };
const NOTE: MatchLine = { kind: "note" };
const RECORDS: ReadonlySet<unknown> = new Set(["begin", "context", "end", "summary"]);

/** Reads the records of `rg --json`; undefined where the text is not a list of them. */
export function parseJsonMatches(text: string): MatchLines | undefined {
  const table = splitLines(text);
  const entries = Array.from({ length: table.count }, (_, index) => readRecord(lineAt(table, index)));
  const notes = entries.filter(({ kind }, index) => kind === "note" && !lineAt(table, index).startsWith("rg: "));
  const isList = entries.some(({ kind }) => kind === "match") && !hasTooManyNotes(notes.length, table.count);
  return isList ? { table, entries, unit: "matches" } : undefined;
}

function readRecord(line: string): MatchLine {
  if (line === "") return CONTEXT;
  const record = parse(line);
  if (RECORDS.has(record?.type)) return CONTEXT;
  const path = pathOf(record?.data?.path);
  const number = record?.data?.line_number;
  if (record?.type !== "match" || path === undefined) return NOTE;
  // `rg --json -N` prints no line numbers.
  return { kind: "match", path, line: typeof number === "number" ? number : undefined };
}

interface WrittenPath {
  readonly text?: unknown;
  /** Base64, of a path that is no UTF-8. */
  readonly bytes?: unknown;
}

interface JsonRecord {
  readonly type?: unknown;
  readonly data?: { readonly path?: WrittenPath | null; readonly line_number?: unknown } | null;
}

function parse(line: string): JsonRecord | null | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function pathOf(path: WrittenPath | null | undefined): string | undefined {
  if (typeof path?.text === "string") return path.text;
  return typeof path?.bytes === "string" ? Buffer.from(path.bytes, "base64").toString("utf8") : undefined;
}
