// Logs and command output: what failed stays, what repeats is told once. Linear in the text, no grammar; a line's
// shape (numbers, times and ids masked) says how rare it is.
import { type LineTable, lineAt, lineLength } from "./lines.ts";
import { CALM, FRAME, LIBRARY_FRAME, LOG_SIGNS, NAMED_TROUBLE, PASSED, TROUBLE } from "./log-signs.ts";
import { templatesOf, timeless } from "./log-templates.ts";
import { MARKER_CHARS } from "./select.ts";
import { WHY } from "./why.ts";

export interface LogReading {
  readonly scores: Float64Array;
  readonly must: Uint8Array;
  /** First line (0-based) of the same template, or -1. */
  readonly repeatOf: Int32Array;
}

export interface LogHow {
  readonly barriers: readonly number[];
  /** K-29 to the letter: no trouble line goes, not even the thousandth of its kind, and nothing else is safe. */
  readonly isOrder: boolean;
  /** What the reader can take: where trouble alone would pass it, failures are told in full only up to the fifth. */
  readonly maxChars?: number;
}

const ERROR = WHY.indexOf("error") + 1;
const HEADER = WHY.indexOf("header") + 1;
const BEFORE = 2;
const AFTER = 3;
const FIRST_LINES = 3;
const LAST_LINES = 15;
const REPEATED = 20;
const REPEATED_SHOWN = 8;
const BLOCK_FIRST = 25;
const BLOCK_LAST = 10;
const BLOCK_LONGEST = 400;
const WHOLE_FAILURES = [Number.POSITIVE_INFINITY, 5, 0];
/** Of trouble lines that are the same but for time and address, this many are told; then the last. */
const SAME_TROUBLE = 3;
/** Of trouble lines of one shape, this many show what stands around them; then the last. Each line itself stays. */
const SHOWN_AROUND = 3;
const LOOK_CHARS = 500;

export function readLog(table: LineTable, relevance: Float64Array, how: LogHow): LogReading {
  const n = table.count;
  const { first, seen, count } = templatesOf(table);
  const repeatOf = new Int32Array(n).fill(-1);
  const scores = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const origin = first[i] ?? i;
    if (origin !== i) repeatOf[i] = origin;
    const times = count[origin] ?? 1;
    const isEdge = seen[i] === 1 || seen[i] === times;
    // What the reader has seen in its first and last instance tells little in the others.
    const news = isEdge ? 1 : 1 / Math.sqrt(times);
    scores[i] = Math.round(((relevance[i] ?? 0) * news + (isEdge ? 0.1 / times : 0)) * 1024) / 1024;
  }
  const isAround = (i: number): boolean => {
    const nth = seen[i] ?? 1;
    return nth <= SHOWN_AROUND || nth === count[first[i] ?? i];
  };
  const troubles = findTroubles(table, how.isOrder);
  const often = mostRepeated(count);
  let must = new Uint8Array(n);
  for (const wholeFailures of WHOLE_FAILURES) {
    must = new Uint8Array(n);
    const show = (from: number, to: number): void => {
      for (let i = Math.max(0, from); i <= Math.min(n - 1, to); i++) if (must[i] === 0) must[i] = HEADER;
    };
    markTroubles(table, troubles, must, { wholeFailures, isAround });
    if (how.isOrder) break;
    for (const end of [...how.barriers, n]) must.fill(ERROR, Math.max(0, end - LAST_LINES), end);
    for (const start of [0, ...how.barriers]) show(start, start + FIRST_LINES - 1);
    for (const i of often) show(i, i);
    if (how.maxChars === undefined || charsOf(table, must) <= how.maxChars) break;
  }
  return { scores, must, repeatOf };
}

interface Trouble {
  readonly line: number;
  /** Where the failure that opens here closes; undefined where none opens. */
  readonly end: RegExp | undefined;
  readonly isTrouble: boolean;
}

/** Every line that tells of trouble, less those that are the same as others but for time and address. */
function findTroubles(table: LineTable, everyError: boolean): Trouble[] {
  const found: (Trouble & { readonly shape: string; readonly nth: number })[] = [];
  const times = new Map<string, number>();
  for (let line = 0; line < table.count; line++) {
    const text = cleanLine(table, line);
    const sign = SIGN_HINT.test(text) ? signOf(text) : undefined;
    const trouble = isTrouble(text, everyError);
    if (sign === undefined && !trouble) continue;
    const shape = everyError ? "" : timeless(text);
    const nth = (times.get(shape) ?? 0) + 1;
    times.set(shape, nth);
    found.push({ line, end: sign?.end, isTrouble: trouble, shape, nth });
  }
  return found.filter(({ shape, nth }) => everyError || nth <= SAME_TROUBLE || nth === times.get(shape));
}

/** Marks each trouble line; of the first failures their whole block, and around other trouble a few lines. */
function markTroubles(
  table: LineTable,
  troubles: readonly Trouble[],
  must: Uint8Array,
  { wholeFailures, isAround }: { wholeFailures: number; isAround: (line: number) => boolean },
): void {
  const n = table.count;
  const mark = (from: number, to: number): void => {
    for (let i = Math.max(0, from); i <= Math.min(n - 1, to); i++) must[i] = ERROR;
  };
  let failures = 0;
  let blockEnd = -1;
  for (const { line, end, isTrouble } of troubles) {
    mark(line, line);
    // The line that closes one failure may open the next.
    if (end !== undefined && line >= blockEnd && failures++ < wholeFailures) {
      blockEnd = endOfBlock(table, line, end);
      markBlock(table, line, blockEnd, mark);
    }
    if (!isTrouble || failures > wholeFailures || wholeFailures === 0 || !isAround(line)) continue;
    let last = line;
    while (last + 1 < n && last - line < BLOCK_LONGEST && FRAME.test(cleanLine(table, last + 1))) last++;
    mark(line - BEFORE, line);
    if (last > line) markBlock(table, line, last, mark);
    mark(last, last + AFTER);
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

/** First lines of the shapes that fill the log: one instance each, so that a marker can point to it. */
function mostRepeated(count: Int32Array): number[] {
  const often: number[] = [];
  for (let i = 0; i < count.length; i++) if ((count[i] ?? 0) >= REPEATED) often.push(i);
  return often.sort((a, b) => (count[b] ?? 0) - (count[a] ?? 0) || a - b).slice(0, REPEATED_SHOWN);
}

function isTrouble(line: string, everyError: boolean): boolean {
  if (everyError && NAMED_TROUBLE.test(line)) return true;
  return TROUBLE.test(line) && !CALM.test(line) && !PASSED.test(line);
}

/** One cheap look before the table is asked: most lines of most logs are none of its business. */
const SIGN_HINT =
  /^(?:[_=E\-✖>*#]|\s*(?:FAIL|×|●|\d+\)|not ok|--- |Test|Traceback|\d+ (?:pass|fail|test|err))|Test|Snap|test |FAILED|ERROR|error|failures|panic|fatal|goroutine|exit|\[?exit|Found|\S+:\d+:|Exception|Caused|[\w.$]+(?:Exception|Error)|\[(?:INFO|ERROR)\]|BUILD|npm |make|ninja|ok\s|PASS|Process|.+\(\d+,\d+\): error| > \[)/;

function signOf(line: string): { isSum: boolean; end: RegExp | undefined } | undefined {
  let isSum = false;
  let end: RegExp | undefined;
  for (const sign of LOG_SIGNS) {
    if (sign.sum?.test(line) === true) isSum = true;
    if (end === undefined && sign.fail?.test(line) === true) end = sign.end ?? /^\s*$/;
  }
  return isSum || end !== undefined ? { isSum, end } : undefined;
}

function endOfBlock(table: LineTable, start: number, end: RegExp): number {
  const stop = Math.min(table.count - 1, start + BLOCK_LONGEST);
  for (let i = start + 1; i <= stop; i++) {
    const line = cleanLine(table, i);
    if (end.test(line)) return i;
    if (PASSED.test(line)) return i - 1;
  }
  return Math.min(stop, start + BLOCK_FIRST);
}

/** The beginning and the end of a failure, less the inside of a run of frames that are the same or from libraries only. */
function markBlock(table: LineTable, start: number, end: number, mark: (from: number, to: number) => void): void {
  for (let i = start; i <= end; i++) {
    if (i - start >= BLOCK_FIRST && end - i >= BLOCK_LAST) continue;
    const all = (test: (line: number) => boolean): boolean =>
      i > start && i < end && test(i - 1) && test(i) && test(i + 1);
    const here = lineAt(table, i);
    const isDull = all((line) => isLibraryFrame(table, line)) || all((line) => lineAt(table, line) === here);
    if (!isDull) mark(i, i);
  }
}

function isLibraryFrame(table: LineTable, i: number): boolean {
  const line = cleanLine(table, i);
  return LIBRARY_FRAME.test(line) && FRAME.test(line);
}

const ESCAPE = String.fromCharCode(27);
const ANSI = new RegExp(
  `${ESCAPE}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${String.fromCharCode(7)}]*(?:${String.fromCharCode(7)}|$))`,
  "g",
);

/** What a terminal would show: no colours, and of a progress line only what was last written over it. */
function cleanLine(table: LineTable, i: number): string {
  let line = lineAt(table, i);
  if (line.length > LOOK_CHARS) line = line.slice(0, LOOK_CHARS);
  if (line.includes(ESCAPE)) line = line.replace(ANSI, "");
  if (line.includes("\r")) line = line.replace(/\r+$/, "").replace(/^.*\r/s, "");
  return line;
}
