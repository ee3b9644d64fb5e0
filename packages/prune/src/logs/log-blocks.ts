// One failure in a log: where its report ends, and which of its lines are essential.
import { indentOf } from "../text/lines.ts";
import type { LogLines } from "./log-lines.ts";
import { PASSED, SOURCE_LINE } from "./log-signs.ts";
import { formOf } from "./log-templates.ts";
import { isTrouble } from "./log-troubles.ts";

/** Lines after which a report without an end is given up. */
export const BLOCK_LONGEST = 400;
/** First lines that are shown of a long failure, or of one whose end is not found. */
export const BLOCK_FIRST = 25;
/** Lines of a shortened report: those that give a reason, and the first others. */
const MOST_REASONS = 6;
const MOST_OTHERS = 2;
const SHORT_REASONS = 2;
/** Python's tracebacks end with the call that failed; others begin with it. */
const LAST_INNERMOST = /^[\s|E]*File "/;
/** What was compared, as test tools print it. */
const REASON =
  /^\s*(?:E |> |[-+] ?\S|(?:code|left|right|reason|message|msg|details?|diff):)|\b(?:expected|received|actual|got|want(?:ed)?)\b/i;
const PLACE = /[\w)\]]:\d+|\(\d+,\d+\)|\bline \d/;

/**
 * The last line of the failure that opens at `start`: at its tool's own end, or where the output above it continues.
 */
export function endOfBlock(lines: LogLines, start: number, end: RegExp): number {
  const { table, clean } = lines;
  const stop = Math.min(table.count - 1, start + BLOCK_LONGEST);
  const goesOn = streamAbove(lines, start);
  for (let i = start + 1; i <= stop; i++) {
    const line = clean(i);
    if (PASSED.test(line)) return i - 1;
    if (end.test(line)) return i;
    if (goesOn(i)) return i - 1;
  }
  return Math.min(stop, start + BLOCK_FIRST);
}

/**
 * Makes a test whether a line below a failure continues the output above it: two lines of one form before and after.
 */
function streamAbove({ table, clean, isFrame }: LogLines, start: number): (i: number) => boolean {
  const form = start < 2 ? 0 : formOf(table, start - 1);
  if (form === 0 || form !== formOf(table, start - 2) || form === formOf(table, start)) return () => false;
  const indent = indentOf(table, start);
  return (i) =>
    indentOf(table, i) <= indent &&
    formOf(table, i) === form &&
    (i + 1 >= table.count || formOf(table, i + 1) === form) &&
    !isFrame(i) &&
    !SOURCE_LINE.test(clean(i));
}

/** The last line of a failure without a sign: behind its frames and the lines indented below it. */
export function endOfDetails({ table, isFrame }: LogLines, start: number): number {
  const indent = indentOf(table, start);
  const stop = Math.min(table.count - 1, start + BLOCK_FIRST);
  let end = start;
  while (end < stop && (isFrame(end + 1) || indentOf(table, end + 1) > indent)) end++;
  return end;
}

/**
 * The lines that tell what failed, why and where: the first, reasons, the outermost and the innermost place. The short form
 * has fewer reasons and only the innermost place.
 */
export function coreOf(lines: LogLines, start: number, end: number, { isShort = false } = {}): number[] {
  const { table, clean, isFrame, isLibraryFrame } = lines;
  const reasons: number[] = [];
  const others: number[] = [];
  const places: number[] = [];
  const libraryPlaces: number[] = [];
  for (let i = start + 1; i <= end; i++) {
    const line = clean(i);
    if (line.trim() === "") continue;
    if (isFrame(i) || PLACE.test(line)) (isLibraryFrame(i) ? libraryPlaces : places).push(i);
    else if (isTrouble(line) || REASON.test(line)) reasons.push(i);
    else if (!SOURCE_LINE.test(line)) others.push(i);
  }
  const own = places.length > 0 ? places : libraryPlaces;
  const [firstPlace = start, lastPlace = start] = [own[0], own.at(-1)];
  const isLastInnermost = LAST_INNERMOST.test(clean(lastPlace));
  const innermost = isLastInnermost ? lastPlace : firstPlace;
  const core = [start, innermost, ...reasons.slice(0, isShort ? SHORT_REASONS : MOST_REASONS)];
  if (!isShort) core.push(firstPlace, lastPlace, ...others.slice(0, MOST_OTHERS));
  // The source that a traceback quotes below a frame.
  if (!isShort && innermost < end && indentOf(table, innermost + 1) > indentOf(table, innermost))
    core.push(innermost + 1);
  // The exception at the end of a traceback.
  if (isTrouble(clean(end))) core.push(end);
  return core;
}
