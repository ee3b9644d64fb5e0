// Stretches of a text that read like the output of a program, whatever stands around them: a test run pasted into a page,
// records in a JSON file, a log that is called a source. They are found by the look of their lines, by lines of one shape
// again and again, and by the blocks that tools open at a failure.
import { indentOf, type LineTable, lineHead } from "../text/lines.ts";
import { COLOUR, lookOf } from "./line-looks.ts";
import { BLOCK_LONGEST } from "./log-blocks.ts";
import { type LogLines, logLinesOf } from "./log-lines.ts";
import { shapeOf, type Templates, templatesOf } from "./log-templates.ts";
import { isTrouble, signOf } from "./log-troubles.ts";

/** A run of lines, 0-based and inclusive. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Share of a text that must be output for the whole to be a log. */
const LOG_SHARE = 0.7;
/** A sample of lines must not contradict that. */
const LOOK_LINES = 32;
const LOOK_SHARE = 0.3;
const MOST_WRITTEN = 0.5;
/** So many lines must indicate a program, less those that indicate the opposite; of a short text a share is enough. */
const LEAST_SIGNS = 5;
const LEAST_SHARE = 0.2;
/** A stretch ends after so much counter-evidence since the last line of evidence. */
const MOST_AGAINST = 6;
const UNCLEAR = -0.25;
/** Programs print lines of one shape at least so often, or in small rounds. */
const SAME_SHAPE = 20;
const ROUND_LINES = 12;
const FINDING = /^\S+[:(]\d+[:,]\d+/;
const WORD = /\p{L}{2}/u;

/** Whether a text reads like a log from its beginning to its end. */
export function readsLikeLog(table: LineTable, poll: () => void): boolean {
  const shapes = new Map<number, number>();
  const looks = Math.min(table.count, LOOK_LINES);
  const lines = logLinesOf(table, poll);
  let filled = 0;
  let printed = 0;
  let repeated = 0;
  let written = 0;
  let data = 0;
  for (let nth = 0; nth < looks; nth++) {
    const i = Math.floor((nth * table.count) / looks);
    const text = lines.clean(i);
    if (text.trim() === "") continue;
    filled++;
    const shape = shapeOf(table, i);
    const times = (shapes.get(shape) ?? 0) + 1;
    shapes.set(shape, times);
    const look = lookOf(text);
    if (look === "written") written++;
    if (look === "data") data++;
    if (look === "printed" || isColoured(table, i)) printed++;
    else if (times > 1) repeated++;
  }
  // Records of JSON over several lines each are read by their indentation, and lines of one shape may be a source's table.
  if (data > filled * MOST_WRITTEN) return false;
  if (written > filled * MOST_WRITTEN && printed < filled * LEAST_SHARE) return false;
  if (printed + repeated === 0 || printed + repeated < filled * LOOK_SHARE) return false;
  let output = 0;
  for (const { from, to } of findOutput(lines, templatesOf(table, new Set(), poll)))
    output += filledLines(table, from, to);
  return output >= filledLines(table) * LOG_SHARE;
}

/**
 * The stretches of a text that read like output, in order.
 * @param among per line, whether to look at it; a stretch ends where it is 0
 */
export function findOutput(lines: LogLines, { first, count }: Templates, among?: Uint8Array): Stretch[] {
  const { table, clean } = lines;
  const found: Stretch[] = [];
  const blockEndOf = blockEnds(lines);
  let blockEnd = -1;
  const isFrequent = (i: number): boolean => (count[first[i] ?? i] ?? 1) >= SAME_SHAPE;
  const comesRound = (i: number): boolean => {
    for (let round = 1; round <= ROUND_LINES; round++) {
      let line = i;
      while (line > i - round && line - round >= 0 && first[line] === first[line - round]) line--;
      if (line === i - round) return true;
    }
    return false;
  };
  const opensRecord = (i: number): boolean => /^\s*\{\s*$/.test(clean(i)) && /^\s*\},\s*$/.test(clean(i - 1));
  const weightOf = (i: number): number => {
    const text = clean(i);
    if (text.trim() === "") return 0;
    const look = lookOf(text);
    if (look === "printed" || isColoured(table, i)) {
      if (i > blockEnd) blockEnd = blockEndOf(i);
      return isUnmistakable(text) ? LEAST_SIGNS : 1;
    }
    if (isFrequent(i) && WORD.test(text) && (look === "unclear" || comesRound(i))) return 1;
    // Output or source of a failed test belongs to the failure.
    if (i <= blockEnd) return 0;
    if (look !== "data") return look === "written" ? -1 : UNCLEAR;
    return opensRecord(i) ? 1 : isFrequent(i) ? 0 : UNCLEAR;
  };
  const filled = filledLines(table);
  const least = Math.min(LEAST_SIGNS, filled, Math.max(2, filled * LEAST_SHARE));
  let from = -1;
  let to = -1;
  let sum = 0;
  let most = 0;
  for (let i = 0; i <= table.count; i++) {
    const isIn = i < table.count && among?.[i] !== 0;
    if (!isIn && from < 0) continue;
    const weight = isIn ? weightOf(i) : Number.NEGATIVE_INFINITY;
    if (from < 0) {
      if (weight <= 0) continue;
      from = i;
      sum = 0;
      most = 0;
    }
    sum += weight;
    if (sum > most) {
      most = sum;
      to = i;
    }
    if (sum > 0 && sum > most - MOST_AGAINST) continue;
    if (most >= least) found.push({ from, to });
    from = -1;
  }
  return found;
}

/** A tool's own sign of a failure, where it prints it: at the beginning of the line. */
function isUnmistakable(text: string): boolean {
  const sign = signOf(text);
  if (sign === undefined || sign.isWeak || /^\s/.test(text) || text.trimEnd().endsWith(";")) return false;
  return isTrouble(text) ? text.includes(" ") : FINDING.test(text);
}

function isColoured(table: LineTable, i: number): boolean {
  return lineHead(table, i).includes(COLOUR);
}

function filledLines(table: LineTable, from = 0, to = table.count - 1): number {
  let filled = 0;
  for (let i = from; i <= to; i++) if (indentOf(table, i) >= 0) filled++;
  return filled;
}

/**
 * Finds the last line of the failure that a tool reports from line i on; less than i where it opens none, or none that
 * ends. Where an end was not found it is not looked for again.
 */
function blockEnds({ table, clean }: LogLines): (i: number) => number {
  const searchedTo = new Map<RegExp, number>();
  return (i) => {
    const indent = indentOf(table, i);
    const dedented = (line: number): string => clean(line).slice(indent);
    const end = signOf(dedented(i))?.end;
    if (end === undefined) return -1;
    const stop = Math.min(table.count - 1, i + BLOCK_LONGEST);
    for (let line = Math.max(i, searchedTo.get(end) ?? -1) + 1; line <= stop; line++) {
      searchedTo.set(end, line);
      const own = indentOf(table, line);
      if (own >= 0 && own < indent) return -1;
      if (end.test(dedented(line))) {
        searchedTo.delete(end);
        return line;
      }
    }
    return -1;
  };
}
