// ripgrep's `--json` lines to matches. One match is one line of the file; the column counts
// characters, not bytes.

import type { Match } from "./match.ts";
import type { FoundLine } from "./verify-lines.ts";

/** A match, and the line that it was found in. */
export interface Finding {
  readonly match: Match;
  readonly found: FoundLine;
}

/** Undefined for records that are not lines of a file: begin, end, summary. */
export function parseRgLine(line: string): Finding | undefined {
  // The type comes first in every line, so lines of other kinds need not be parsed.
  const kind = line.startsWith('{"type":"match"')
    ? "match"
    : line.startsWith('{"type":"context"')
      ? "context"
      : undefined;
  if (kind === undefined) return undefined;
  const { data } = parseData(line);
  if (data?.path === undefined || data.lines === undefined || typeof data.line_number !== "number") return undefined;
  const text = withoutLineEnd(textOf(data.lines));
  const path = toShownPath(textOf(data.path));
  const found: FoundLine = {
    path: data.path.text ?? Buffer.from(data.path.bytes ?? "", "base64"),
    shownPath: path,
    bytes: data.lines.text === undefined ? lineBytes(data.lines.bytes ?? "") : Buffer.from(text, "utf8"),
    line: data.line_number,
    ...(typeof data.absolute_offset === "number" ? { offset: data.absolute_offset } : {}),
  };
  if (kind === "context") return { match: { path, line: data.line_number, column: null, text, context: true }, found };
  const start = data.submatches?.[0]?.start;
  const column = start === undefined ? null : columnAt(data.lines, { text, start });
  return { match: { path, line: data.line_number, column, text }, found };
}

function lineBytes(base64: string): Buffer {
  const bytes = Buffer.from(base64, "base64");
  return bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
}

/** ripgrep gives text where it is UTF-8, else base64 of the bytes. */
interface RgText {
  readonly text?: string;
  readonly bytes?: string;
}

interface RgData {
  readonly path?: RgText;
  readonly lines?: RgText;
  readonly line_number?: number | null;
  readonly absolute_offset?: number;
  readonly submatches?: readonly { readonly start: number }[];
}

function parseData(line: string): { readonly data?: RgData } {
  try {
    // The shape is ripgrep's own; each field is still checked by its reader.
    return JSON.parse(line) as { readonly data?: RgData };
  } catch {
    return {};
  }
}

function textOf(value: RgText): string {
  return value.text ?? Buffer.from(value.bytes ?? "", "base64").toString("utf8");
}

function columnAt(lines: RgText, at: { readonly text: string; readonly start: number }): number {
  const ascii = at.text.slice(0, at.start);
  if (lines.text !== undefined && isAscii(ascii)) return at.start + 1;
  const bytes = lines.text === undefined ? Buffer.from(lines.bytes ?? "", "base64") : Buffer.from(lines.text, "utf8");
  return countCodePoints(bytes.toString("utf8", 0, at.start)) + 1;
}

/** The length of a text in code points. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** A path as shown to callers: without a leading `./`. */
export function toShownPath(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path;
}

function withoutLineEnd(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text; // `\r` belongs to the line
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}
