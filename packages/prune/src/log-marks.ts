// Which lines of a log stay because something failed: each line of trouble, the whole block of the first failures, and a
// few lines around the rest. What trouble is was decided before.
import { type LineTable, lineLength } from "./lines.ts";
import type { LogLines } from "./log-lines.ts";
import { PASSED } from "./log-signs.ts";
import type { Templates } from "./log-templates.ts";
import { runsOfFailed, type Trouble } from "./log-troubles.ts";
import { MARKER_CHARS } from "./select.ts";
import { WHY } from "./why.ts";

const ERROR = WHY.indexOf("error") + 1;
export const BEFORE = 2;
export const AFTER = 3;
const BLOCK_FIRST = 25;
const BLOCK_LAST = 10;
export const BLOCK_LONGEST = 400;
/** So many frames of libraries in a row are worth a marker. */
const DULL_FRAMES = 3;
const WHOLE_FAILURES = [Number.POSITIVE_INFINITY, 5, 0];
/** Of trouble lines of one shape, this many show what stands around them; then the last. */
const SHOWN_AROUND = 3;

export interface MarkHow {
  readonly troubles: readonly Trouble[];
  readonly templates: Templates;
  /** K-29 to the letter, see LogHow. */
  readonly isOrder: boolean;
  /** What the reader can take: where trouble alone would pass it, failures are told in full only up to the fifth. */
  readonly maxChars?: number;
  /** Marks what else has to stay, before the whole is measured. */
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
  let must = new Uint8Array(table.count);
  for (const wholeFailures of WHOLE_FAILURES) {
    must = new Uint8Array(table.count);
    markTroubles(lines, how.troubles, must, { wholeFailures, isAround, isOrder: how.isOrder });
    how.markRest?.(must);
    if (how.isOrder || how.maxChars === undefined || charsOf(table, must) <= how.maxChars) break;
  }
  return must;
}

/** Marks each trouble line; of the first failures their whole block, and around other trouble a few lines. */
function markTroubles(
  lines: LogLines,
  troubles: readonly Trouble[],
  must: Uint8Array,
  {
    wholeFailures,
    isAround,
    isOrder,
  }: { wholeFailures: number; isAround: (line: number) => boolean; isOrder: boolean },
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
  for (const { from, to } of wholeFailures === 0 ? [] : runsOfFailed(lines).slice(0, wholeFailures))
    markBlock(lines, from, to, mark);
  let failures = 0;
  let blockEnd = -1;
  let last = -1;
  for (const { line, end, isTrouble, heading } of troubles) {
    mark(line, line);
    if (heading !== undefined) mark(heading, heading);
    // The line that closes one failure may open the next.
    if (end !== undefined && line >= blockEnd && failures++ < wholeFailures) {
      blockEnd = endOfBlock(lines, line, end);
      markBlock(lines, line, blockEnd, mark);
    }
    if (!isTrouble || failures > wholeFailures || wholeFailures === 0 || !isAround(line)) continue;
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

function endOfBlock({ table, clean }: LogLines, start: number, end: RegExp): number {
  const stop = Math.min(table.count - 1, start + BLOCK_LONGEST);
  for (let i = start + 1; i <= stop; i++) {
    const line = clean(i);
    if (PASSED.test(line)) return i - 1;
    if (end.test(line)) return i;
  }
  return Math.min(stop, start + BLOCK_FIRST);
}

/** The beginning and the end of a failure, less frames of libraries (but the one it was thrown in) and repeated lines. */
function markBlock(lines: LogLines, start: number, end: number, mark: (from: number, to: number) => void): void {
  let hasFrame = false;
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
      // On to the end, but for as many lines before it as tell whether it is inside a library.
      if (hasFrame) i = Math.max(i, end - BLOCK_LAST - DULL_FRAMES + 1);
      continue;
    }
    const isDull = i > start && i < end && lines.isAmongSame(i);
    if (!isDull && !lines.isFarFromPointer(i)) mark(i, i);
  }
}
