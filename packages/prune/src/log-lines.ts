// A line of a log as a reader sees it, and the few things that are asked of single lines. It marks nothing.
import { type LineTable, lineAt } from "./lines.ts";
import { FRAME, LIBRARY_FRAME } from "./log-signs.ts";

/** Of a long line its beginning and its end: what went wrong is often said last. */
const LOOK_CHARS = 500;
const LOOK_LAST_CHARS = 300;
const ESCAPE = String.fromCharCode(27);
const ANSI = new RegExp(
  `${ESCAPE}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${String.fromCharCode(7)}]*(?:${String.fromCharCode(7)}|$))`,
  "g",
);

/** What a terminal would show: no colours, and of a progress line only what was last written over it. */
export function cleanLine(table: LineTable, i: number): string {
  let line = lineAt(table, i);
  if (line.includes("\r")) line = lastWritten(line);
  if (line.length > LOOK_CHARS + LOOK_LAST_CHARS) {
    line = `${line.slice(0, LOOK_CHARS)} ${line.slice(-LOOK_LAST_CHARS)}`;
  }
  return line.includes(ESCAPE) ? line.replace(ANSI, "") : line;
}

function lastWritten(line: string): string {
  let end = line.length;
  while (end > 0 && line.charAt(end - 1) === "\r") end--;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

/** A stack frame in code that is not the reader's own. */
export function isLibraryFrame(table: LineTable, i: number): boolean {
  const line = cleanLine(table, i);
  return FRAME.test(line) && LIBRARY_FRAME.test(line);
}
