// Reads logs and command output: failures are kept, repeats are shown once. Linear in the text, no grammar; a line's shape
// (numbers, times and ids masked) decides how rare it is.
import { MARKER_CHARS } from "../select/select.ts";
import { WHY } from "../select/why.ts";
import { findCommits } from "../text/commits.ts";
import type { Focus } from "../text/focus.ts";
import { type LineTable, lineLength } from "../text/lines.ts";
import { logLinesOf } from "./log-lines.ts";
import { markFailures } from "./log-marks.ts";
import { ADVICE, PASSED } from "./log-signs.ts";
import { idsOf, templatesOf } from "./log-templates.ts";
import { BARE_FIELD, findTroubles, statesTrouble } from "./log-troubles.ts";
import { findOutcomes } from "./outcomes.ts";

interface LogReading {
  readonly scores: Float64Array;
  readonly must: Uint8Array;
  /** First line (0-based) of the same template, or -1. */
  readonly repeatOf: Int32Array;
}

/** How a log is to be read. */
export interface LogHow {
  readonly barriers: readonly number[];
  readonly focus: Focus;
  /**
   * K-29 to the letter: no trouble line is dropped, nor its context, not even the thousandth of its kind; and no other line
   * is protected.
   */
  readonly isOrder: boolean;
  /** The text is the output of a search: its beginning and end matter no more than the rest. */
  readonly isSearch?: boolean;
  /** Room: where failures alone would not fit, they are shortened (log-marks.ts). */
  readonly maxChars?: number;
  /** Called now and then; throws where the work is to end. */
  readonly poll: () => void;
}

const END = WHY.indexOf("end") + 1;
const HEADER = WHY.indexOf("header") + 1;
const FILL = WHY.indexOf("fill") + 1;
const LONE_LINE_CHARS = 80;
const FIRST_LINES = 3;
const LAST_LINES = 15;
/** The last few of these stay unless they are advice; the others unless they are repeats or passed tests, too. */
const LAST_ALWAYS = 5;
const REPEATED = 20;
const REPEATED_SHOWN = 8;
const RARE = 0.05;
const RARE_IN_CALM = 0.1;

/** Scores the lines of a log, and marks those that must stay. */
export function readLog(table: LineTable, relevance: Float64Array, how: LogHow): LogReading {
  const n = table.count;
  const templates = templatesOf(table, idsOf(how.focus), how.poll);
  const { first, seen, count } = templates;
  const lines = logLinesOf(table, how.poll);
  // A line that states a failure needs no comparison with others.
  const outcomes = findOutcomes(table, (i) => !statesTrouble(lines.clean(i)) || BARE_FIELD.test(lines.clean(i)));
  // To the letter (K-29), a message that names an error is a line of one.
  const commits = how.isOrder ? undefined : findCommits(table);
  const isLog = (i: number): boolean => commits?.[i] !== 1;
  const troubles = findTroubles(lines, first, { everyError: how.isOrder, isLog, outcomes });
  // Where nothing went wrong, lines that occur only once matter more.
  const rareness = troubles.some(({ isTrouble }) => isTrouble) ? RARE : RARE_IN_CALM;
  const repeatOf = new Int32Array(n).fill(-1);
  const scores = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const origin = first[i] ?? i;
    if (origin !== i) repeatOf[i] = origin;
    const times = count[origin] ?? 1;
    const isEdge = seen[i] === 1 || seen[i] === times;
    // Behind the first and the last instance of a shape the others add little.
    const news = isEdge ? 1 : 1 / Math.sqrt(times);
    const score = Math.round(((relevance[i] ?? 0) * news + (isEdge ? rareness / times : 0)) * 1024) / 1024;
    // Spare room is never spent on library stack frames.
    scores[i] = score > 0 && lines.isLibraryFrame(i) ? 0 : score;
  }
  const often = mostRepeated(count);
  const isDullEnd = (i: number): boolean => (count[first[i] ?? i] ?? 1) >= REPEATED || lines.isDull(i);
  const markRest = (must: Uint8Array): void => {
    if (how.isOrder || how.isSearch === true) return;
    const show = (from: number, to: number): void => {
      for (let i = Math.max(0, from); i <= Math.min(n - 1, to); i++) if (must[i] === 0) must[i] = HEADER;
    };
    const showFirst = (start: number): void => {
      for (let i = start; i < start + FIRST_LINES; i++) if (!PASSED.test(lines.clean(i))) show(i, i);
    };
    for (const end of [...how.barriers, n])
      for (let i = Math.max(0, end - LAST_LINES); i < end; i++)
        if (must[i] === 0 && (end - i <= LAST_ALWAYS ? !ADVICE.test(lines.clean(i)) : !isDullEnd(i))) must[i] = END;
    for (const start of [0, ...how.barriers]) showFirst(start);
    for (const i of often) show(i, i);
    fillSmallGaps(table, must, new Set(how.barriers));
  };
  const must = markFailures(lines, { ...how, troubles, templates, markRest });
  return { scores, must, repeatOf };
}

/** A gap that is shorter than its marker, a lone short line, and blank lines are shown. */
function fillSmallGaps(table: LineTable, must: Uint8Array, barriers: ReadonlySet<number>): void {
  let from = -1;
  let chars = 0;
  for (let i = 0; i <= must.length; i++) {
    if (i < must.length && must[i] === 0 && !barriers.has(i)) {
      if (from < 0) from = i;
      chars += lineLength(table, i);
      continue;
    }
    if (from > 0 && i < must.length && chars <= (i - from === 1 ? LONE_LINE_CHARS : MARKER_CHARS))
      must.fill(FILL, from, i);
    from = i < must.length && must[i] === 0 ? i : -1;
    chars = from < 0 ? 0 : lineLength(table, i);
  }
}

/** First lines of the shapes that fill the log: one instance each, so that a marker can point to it. */
function mostRepeated(count: Int32Array): number[] {
  const often: number[] = [];
  for (let i = 0; i < count.length; i++) if ((count[i] ?? 0) >= REPEATED) often.push(i);
  return often.sort((a, b) => (count[b] ?? 0) - (count[a] ?? 0) || a - b).slice(0, REPEATED_SHOWN);
}
