// The lines of a log as a reader sees them, with properties of single lines.
import { type LineTable, lineAt, splitLines } from "../text/lines.ts";
import { ADVICE, FRAME, LIBRARY_FRAME, LOUD_TROUBLE, PASSED, POINTED_LINE, SOURCE_LINE } from "./log-signs.ts";

/**
 * The parts of a long line that are looked at: beginning, end (where the problem often is), and the loudest words in
 * between.
 */
const LOOK_CHARS = 500;
const LOOK_LAST_CHARS = 300;
const LOOK_LOUD_CHARS = 200;
const ESCAPE = String.fromCharCode(27);
const ANSI = new RegExp(
  `${ESCAPE}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${String.fromCharCode(7)}\\n]*(?:${String.fromCharCode(7)}|$))`,
  "gm",
);

const POINTER_LINES = 8;
const POLL_LINES = 256;

type AskLine = (i: number) => boolean;

/** Lines of a log, with properties that are computed once for each. */
export interface LogLines {
  readonly table: LineTable;
  /** What a terminal would show: no colours, and of a progress line only what was last written over it. */
  readonly clean: (i: number) => string;
  readonly isFrame: AskLine;
  /** A stack frame in code that is not the reader's own. */
  readonly isLibraryFrame: AskLine;
  /** Useless as context of trouble: another test that passed, advice, the callers of a library. */
  readonly isDull: AskLine;
  /** The same as the line above and the line below. */
  readonly isAmongSame: AskLine;
  /** A line of source that a tool prints around the one it points to (`> 12 |`), more than two lines away from it. */
  readonly isFarFromPointer: AskLine;
}

/**
 * The lines of a log. Cleaning a line calls `poll` now and then; what it throws passes through.
 * @param trim removes a prefix that is not the program's own
 */
export function logLinesOf(
  table: LineTable,
  poll: () => void,
  trim: (line: string, i: number) => string = (line) => line,
): LogLines {
  let cleaned = 0;
  const clean = (i: number): string => {
    if (++cleaned % POLL_LINES === 0) poll();
    return trim(cleanLine(table, i), i);
  };
  // Failures overlap, by hundreds of lines where each frame names an error: a line is looked at once for all of them.
  const once = (ask: AskLine): AskLine => {
    const known = new Uint8Array(table.count);
    return (i) => {
      if (known[i] === 0) known[i] = ask(i) ? 1 : 2;
      return known[i] === 1;
    };
  };
  const isFrame = once((i) => FRAME.test(clean(i)));
  const isLibraryFrame = once((i) => isFrame(i) && LIBRARY_FRAME.test(clean(i)));
  const isPointed = once((i) => POINTED_LINE.test(clean(i)));
  return {
    table,
    clean,
    isFrame,
    isLibraryFrame,
    isDull: once((i) => isLibraryFrame(i) || PASSED.test(clean(i)) || ADVICE.test(clean(i))),
    isAmongSame: once((i) => {
      const here = lineAt(table, i);
      return lineAt(table, i - 1) === here && lineAt(table, i + 1) === here;
    }),
    isFarFromPointer: once((i) => {
      if (!SOURCE_LINE.test(clean(i))) return false;
      let nearest = Number.POSITIVE_INFINITY;
      for (let j = Math.max(0, i - POINTER_LINES); j <= Math.min(table.count - 1, i + POINTER_LINES); j++)
        if (isPointed(j)) nearest = Math.min(nearest, Math.abs(j - i));
      return nearest > 2 && nearest <= POINTER_LINES;
    }),
  };
}

/** The same lines without colour codes. */
export function uncoloured(table: LineTable): LineTable {
  return table.text.includes(ESCAPE) ? splitLines(table.text.replace(ANSI, "")) : table;
}

function cleanLine(table: LineTable, i: number): string {
  let line = lineAt(table, i);
  if (line.includes("\r")) line = lastWritten(line);
  if (line.length > LOOK_CHARS + LOOK_LAST_CHARS) {
    const middle = line.slice(LOOK_CHARS, -LOOK_LAST_CHARS);
    const loud = LOUD_TROUBLE.exec(middle)?.index ?? -1;
    const said = loud < 0 ? "" : middle.slice(loud, loud + LOOK_LOUD_CHARS);
    line = `${line.slice(0, LOOK_CHARS)} ${said} ${line.slice(-LOOK_LAST_CHARS)}`;
  }
  return line.includes(ESCAPE) ? line.replace(ANSI, "") : line;
}

function lastWritten(line: string): string {
  let end = line.length;
  while (end > 0 && line.charAt(end - 1) === "\r") end--;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}
