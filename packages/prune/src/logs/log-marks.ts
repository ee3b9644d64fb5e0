// Which lines of a log stay because something failed: each line of trouble, the reports of failures, and a few lines
// around the rest. Where that is more than the reader can take, reports shrink to reasons and places.

import { MARKER_CHARS } from "../select/select.ts";
import { WHY } from "../select/why.ts";
import { type LineTable, lineLength } from "../text/lines.ts";
import { BLOCK_FIRST, BLOCK_LONGEST, coreOf, endOfBlock, endOfDetails } from "./log-blocks.ts";
import type { LogLines } from "./log-lines.ts";
import type { Templates } from "./log-templates.ts";
import { runsOfFailed, type Trouble } from "./log-troubles.ts";

const ERROR = WHY.indexOf("error") + 1;
const OUTCOME = WHY.indexOf("outcome") + 1;
const MENTION = WHY.indexOf("mention") + 1;
/** Lines of context before trouble. */
export const BEFORE = 2;
/** Lines of context after it. */
export const AFTER = 3;
const BLOCK_LAST = 10;
/** At least so many frames of libraries in a row are left out. */
const DULL_FRAMES = 3;
/** Lines of the difference between expected and actual values that stay where a long report is shortened. */
const CHANGED_LINES = 20;
const CHANGED = /^\s*[-+](?![-+])\s*\S/;
/** Where not all failures fit in full, so many are shown in full. */
const WHOLE_FAILURES = 5;
/** Of trouble lines of one shape, so many first ones and the last one are shown with context. */
const SHOWN_AROUND = 3;

interface MarkHow {
  readonly troubles: readonly Trouble[];
  readonly templates: Templates;
  /** K-29 to the letter, see LogHow. */
  readonly isOrder: boolean;
  /** Room: where failures alone would not fit, they are shortened, see LEVELS. */
  readonly maxChars?: number;
  /** Marks other lines that must stay, before the whole is measured. */
  readonly markRest?: (must: Uint8Array) => void;
}

/** Per line: 0, or the code of the reason it must stay. */
export function markFailures(lines: LogLines, how: MarkHow): Uint8Array {
  const { table } = lines;
  const { first } = how.templates;
  // Among trouble lines only: `"severity": 2` has the shape of every `"severity": 1`.
  const ofShape = new Map<number, number[]>();
  for (const { line } of how.troubles) {
    const shape = first[line] ?? line;
    const same = ofShape.get(shape);
    if (same === undefined) ofShape.set(shape, [line]);
    else same.push(line);
  }
  const isAround = (i: number): boolean => {
    const same = ofShape.get(first[i] ?? i) ?? [];
    return how.isOrder || i <= (same[SHOWN_AROUND - 1] ?? i) || i === same.at(-1);
  };
  const reports = reportsOf(lines, how.troubles);
  const runs = runsOfFailed(lines).map(({ from, to }) => reportOf(lines, from, to));
  const markAt = (level: Level): Uint8Array => {
    const must = new Uint8Array(table.count);
    markTroubles(lines, how.troubles, must, { ...level, reports, runs, isAround, isOrder: how.isOrder });
    how.markRest?.(must);
    return must;
  };
  const { maxChars = Number.POSITIVE_INFINITY } = how;
  const fits = (must: Uint8Array): boolean => charsOf(table, must) <= maxChars;
  for (const level of LEVELS) {
    const must = markAt(level);
    if (how.isOrder || fits(must)) return must;
  }
  // Reasons for as many failures as there is room for: the first ones.
  let [fit, over] = [0, Math.max(reports.size, runs.length)];
  while (over - fit > 1) {
    const reasons = (fit + over) >> 1;
    if (fits(markAt({ whole: 0, cores: 0, reasons }))) fit = reasons;
    else over = reasons;
  }
  return markAt({ whole: 0, cores: 0, reasons: fit });
}

/** How many failures are shown in full, how many by what matters most, and how many by their reason and place. */
interface Level {
  readonly whole: number;
  readonly cores: number;
  readonly reasons: number;
}

const ALL = Number.POSITIVE_INFINITY;
/** From the longest on: the context of failures is dropped before any reason is. */
const LEVELS: readonly Level[] = [
  { whole: ALL, cores: ALL, reasons: ALL },
  { whole: WHOLE_FAILURES, cores: ALL, reasons: ALL },
  { whole: 0, cores: ALL, reasons: ALL },
  { whole: 0, cores: 0, reasons: ALL },
];

/** What one failure has below its first line. */
interface Report {
  readonly from: number;
  readonly to: number;
  readonly core: () => readonly number[];
  readonly reason: () => readonly number[];
}

function reportOf(lines: LogLines, from: number, to: number): Report {
  let core: readonly number[] | undefined;
  let reason: readonly number[] | undefined;
  return {
    from,
    to,
    core: () => (core ??= coreOf(lines, from, to)),
    reason: () => (reason ??= coreOf(lines, from, to, { isShort: true })),
  };
}

/** Reports by the first line of their failure. One inside of another belongs to that. */
function reportsOf(lines: LogLines, troubles: readonly Trouble[]): Map<number, Report> {
  const reports = new Map<number, Report>();
  let blockEnd = -1;
  for (const { line, end, isTrouble, details } of troubles) {
    if (end !== undefined) {
      // The line that closes one failure may open the next.
      if (line < blockEnd) continue;
      blockEnd = endOfBlock(lines, line, end);
      reports.set(line, reportOf(lines, line, blockEnd));
    } else if (isTrouble && line > blockEnd && details !== "")
      reports.set(line, reportOf(lines, line, endOfDetails(lines, line)));
  }
  return reports;
}

interface Marking extends Level {
  readonly reports: ReadonlyMap<number, Report>;
  /** What failed tests printed before their outcome was known. */
  readonly runs: readonly Report[];
  /** Whether what stands around a line is shown, too. */
  readonly isAround: (line: number) => boolean;
  readonly isOrder: boolean;
}

/** Marks each trouble line, and as much of each failure as the level allows. */
function markTroubles(
  lines: LogLines,
  troubles: readonly Trouble[],
  must: Uint8Array,
  { whole, cores, reasons, reports, runs, isAround, isOrder }: Marking,
): void {
  const n = lines.table.count;
  const mark = (from: number, to: number): void => {
    for (let i = Math.max(0, from); i <= Math.min(n - 1, to); i++) must[i] = ERROR;
  };
  const markAround = (from: number, to: number): void => {
    for (let i = Math.max(0, from); i <= Math.min(n - 1, to); i++) {
      // K-29 wants the immediate context, whatever it is.
      if (must[i] === 0 && (isOrder || !lines.isDull(i))) must[i] = ERROR;
    }
  };
  const tell = (nth: number, report: Report, isBlock: boolean): void => {
    if (isBlock && nth < whole) markBlock(lines, report.from, report.to, mark);
    else if (nth < reasons) for (const i of nth < cores ? report.core() : report.reason()) mark(i, i);
  };
  for (const [nth, run] of runs.entries()) tell(nth, run, true);
  let failures = 0;
  let last = -1;
  for (const { line, end, isTrouble, isCalm, isMention, heading } of troubles) {
    if (isOrder || (!isCalm && !isMention)) mark(line, line);
    else if (must[line] === 0) must[line] = isCalm ? OUTCOME : MENTION;
    if (heading !== undefined) mark(heading, heading);
    const isShownAround = isTrouble && failures <= whole && whole > 0 && isAround(line);
    const report = reports.get(line);
    if (report !== undefined && (end !== undefined || !isShownAround)) tell(failures, report, end !== undefined);
    if (report !== undefined) failures++;
    if (!isShownAround) continue;
    // Where troubles are frames of one trace, what follows them was seen with the one before.
    last = Math.max(last, line);
    while (last + 1 < n && last - line < BLOCK_LONGEST && lines.isFrame(last + 1)) last++;
    markAround(line - BEFORE, line);
    if (last > line) markBlock(lines, line, last, mark);
    markAround(last, last + AFTER);
  }
}

function charsOf(table: LineTable, kept: Uint8Array): number {
  let chars = 0;
  for (let i = 0; i < kept.length; i++) {
    if (kept[i] !== 0) chars += lineLength(table, i);
    else if (i === 0 || kept[i - 1] !== 0) chars += MARKER_CHARS;
  }
  return chars;
}

/** The beginning and the end of a failure, less frames of libraries (but the one it was thrown in) and repeated lines. */
function markBlock(lines: LogLines, start: number, end: number, mark: (from: number, to: number) => void): void {
  let hasFrame = false;
  let changed = 0;
  for (let i = start; i <= end; i++) {
    let libraryEnd = i;
    while (libraryEnd <= end && lines.isLibraryFrame(libraryEnd)) libraryEnd++;
    const first = hasFrame ? i : i + 1;
    if (libraryEnd - first >= DULL_FRAMES) {
      if (!hasFrame) mark(i, i);
      hasFrame = true;
      i = libraryEnd - 1;
      continue;
    }
    hasFrame ||= lines.isFrame(i);
    if (i - start >= BLOCK_FIRST && end - i >= BLOCK_LAST) {
      if (!hasFrame && CHANGED.test(lines.clean(i)) && changed++ < CHANGED_LINES) mark(i, i);
      // Skips to the end, less the lines before it that show whether it is inside a library.
      if (hasFrame) i = Math.max(i, end - BLOCK_LAST - DULL_FRAMES + 1);
      continue;
    }
    const isDull = i > start && i < end && lines.isAmongSame(i);
    if (!isDull && !lines.isFarFromPointer(i)) mark(i, i);
  }
}
