// opencode's own read: the file's lines with their numbers between two tags, 2,000 lines or 50 kB at most, and a line about
// where it ended. Kept lines are numbered in the same way.

import { outputOf, replaceOutput } from "../hook/output.ts";
import { READ_MIN_TOKENS, type Reading } from "../hook/reading.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";

const START = "<content>\n";
/** Behind the lines; reminders may follow. */
const END = /^\n\((?:End of file|Showing lines|Output capped)[^\n]*\)\n<\/content>/;
/** A kept line, in the form of a cut. */
const KEPT = /^(\d+)│ /;
const OURS = /^(?:\d+│ |⟦… |\[(?:weak match; )?rest: )/;

/** The lines of a file; undefined for directories, images and results of another shape. */
export function readOpencodeRead(event: ToolEvent): Reading | undefined {
  const { input } = event;
  const output = outputOf(event);
  const path = textOf(input.file_path);
  const page = output === undefined ? undefined : parsePage(output);
  if (output === undefined || page === undefined || path === undefined) return undefined;
  const isRanged = input.offset !== undefined || input.limit !== undefined;
  if (page.firstLine !== 1 && !isRanged) return undefined;
  return {
    text: page.lines.join("\n"),
    class: isRanged ? "read-range" : "read",
    ...(isRanged ? { firstLine: page.firstLine } : {}),
    clientView: (text) => numbered(text, page.firstLine),
    minTokens: READ_MIN_TOKENS,
    ...{ path, what: path, asked: [], numbered: true, isWholeFile: true },
    replace: (shown) => {
      const lines = shown.split("\n").map((line) => line.replace(KEPT, "$1: "));
      return replaceOutput(`${page.head}${lines.join("\n")}\n${page.tail}`);
    },
    withNotice: (notice) => replaceOutput(`${output}\n${notice}`),
  };
}

interface Page {
  /** Up to the first line of the file. */
  readonly head: string;
  readonly firstLine: number;
  readonly lines: readonly string[];
  readonly tail: string;
}

function parsePage(output: string): Page | undefined {
  const start = output.indexOf(START) + START.length;
  const firstLine = Number(/^(\d+): /.exec(output.slice(start, start + 20))?.[1] ?? 0);
  if (start < START.length || firstLine === 0) return undefined;
  const lines: string[] = [];
  let at = start;
  for (let number = firstLine; output.startsWith(`${number}: `, at); number++) {
    const end = output.indexOf("\n", at);
    if (end < 0) return undefined;
    lines.push(output.slice(at + `${number}: `.length, end));
    at = end + 1;
  }
  const tail = output.slice(at);
  return END.test(tail) ? { head: output.slice(0, start), firstLine, lines, tail } : undefined;
}

/** As its model sees it; what we show has its numbers already. */
function numbered(text: string, firstLine: number): string {
  const lines = text.split("\n");
  return lines.map((line, index) => (OURS.test(line) ? line : `${firstLine + index}: ${line}`)).join("\n");
}
