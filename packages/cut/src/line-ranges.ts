// Ranges of lines and of characters: which are valid, what they hold, and as much of that as a client displays.
// Pure.
import { type CharRange, type LineTable, linesOf } from "@jeeves/prune";

/** A range of lines, 1-based and inclusive. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** What is wrong with ranges of lines or of characters; `range` is the first wrong one. */
export type RangeFault =
  | { readonly kind: "empty" }
  | { readonly kind: "below_one" | "reversed" | "past_end"; readonly range: LineRange }
  | { readonly kind: "too_much"; readonly chars: number; readonly maxChars: number };

interface ReadOptions {
  /** Default: the whole text, byte for byte. */
  readonly ranges?: readonly LineRange[] | undefined;
  /** Instead of lines: characters of the whole text, as the markers inside of lines name them. */
  readonly chars?: readonly CharRange[] | undefined;
  readonly lineNumbers?: boolean;
  readonly maxChars?: number | undefined;
  readonly maxRepeatedChars?: number;
}

/** What was read of a text. */
export interface LinePage {
  readonly text: string;
  /** What `text` holds: the ranges that were asked for, the ends clamped, as far as they fit. */
  readonly ranges: readonly LineRange[];
  /** The same where characters were asked for. */
  readonly chars?: readonly CharRange[];
  /** The only line of the page, where not even that could be shown whole. */
  readonly cutLine?: CutLine;
  /** What comes after this page, as `a-b`, ranges separated by commas: lines, or characters where these were asked for. */
  readonly next?: string;
}

interface CutLine {
  readonly number: number;
  readonly text: string;
  readonly shownChars: number;
  /** The characters of the whole text that are missing. */
  readonly rest: CharRange;
}

/** What is wrong with ranges in any text; undefined where nothing is. Whether they are past the end is not checked. */
export function faultOfRanges(ranges: readonly LineRange[]): RangeFault | undefined {
  if (ranges.length === 0) return { kind: "empty" };
  const wrong = ranges.find(({ startLine, endLine }) => startLine < 1 || startLine > endLine);
  return wrong && { kind: wrong.startLine < 1 ? "below_one" : "reversed", range: wrong };
}

/**
 * The lines of `ranges` (or the characters of `chars`), joined by `\n`, nothing after the last one. An end past the text is
 * clamped; any other wrong range is a fault.
 */
export function readLines(table: LineTable, options: ReadOptions): LinePage | { readonly fault: RangeFault } {
  if (options.chars !== undefined) return readChars(table, options.chars, options);
  const { ranges: asked, lineNumbers = false, maxChars = Number.POSITIVE_INFINITY } = options;
  const fault = asked && (faultOfRanges(asked) ?? faultInText(asked, table));
  if (fault !== undefined) return { fault };
  const ranges = asked?.map(({ startLine, endLine }) => ({ startLine, endLine: Math.min(endLine, table.count) }));
  const whole = ranges ?? (table.count === 0 ? [] : [{ startLine: 1, endLine: table.count }]);
  const tooMuch = faultOfSize(whole, table, options.maxRepeatedChars);
  if (tooMuch !== undefined) return { fault: tooMuch };
  const text = ranges === undefined && !lineNumbers ? table.text : render(table, whole, lineNumbers);
  return text.length <= maxChars ? { text, ranges: whole } : pageOf(table, whole, { lineNumbers, maxChars });
}

function faultInText(ranges: readonly LineRange[], { count }: LineTable): RangeFault | undefined {
  const past = ranges.find(({ startLine }) => startLine > count);
  return past && { kind: "past_end", range: past };
}

function faultOfSize(
  ranges: readonly LineRange[],
  { starts, text }: LineTable,
  maxRepeatedChars = Number.POSITIVE_INFINITY,
): RangeFault | undefined {
  const chars = ranges.reduce((sum, { startLine, endLine }) => sum + charsIn(starts, startLine, endLine), 0);
  const maxChars = Math.max(text.length, maxRepeatedChars);
  return chars > maxChars ? { kind: "too_much", chars, maxChars } : undefined;
}

function charsIn(starts: Uint32Array, startLine: number, endLine: number): number {
  return (starts[endLine] ?? 0) - (starts[startLine - 1] ?? 0);
}

function render(table: LineTable, ranges: readonly LineRange[], lineNumbers: boolean): string {
  return ranges
    .map(({ startLine, endLine }) => {
      const lines = linesOf(table, startLine, endLine);
      if (!lineNumbers) return lines;
      return lines
        .split("\n")
        .map((line, offset) => `${startLine + offset}│ ${line}`)
        .join("\n");
    })
    .join("\n");
}

/** As many whole lines as fit; of a line that is longer than that, its beginning. */
function pageOf(
  table: LineTable,
  ranges: readonly LineRange[],
  { lineNumbers, maxChars }: { readonly lineNumbers: boolean; readonly maxChars: number },
): LinePage {
  const prefixOf = (line: number) => (lineNumbers ? `${line}│ ` : "");
  const shown: LineRange[] = [];
  const left: LineRange[] = [];
  let cutLine: CutLine | undefined;
  let room = maxChars;
  for (const { startLine, endLine } of ranges) {
    let end = startLine - 1;
    while (left.length === 0 && cutLine === undefined && end < endLine) {
      const prefix = prefixOf(end + 1);
      const line = linesOf(table, end + 1, end + 1);
      const cost = prefix.length + line.length + 1;
      const isFirst = shown.length === 0 && end === startLine - 1;
      if (cost > room && !isFirst) break;
      const shownChars = lengthWithin(line, room - prefix.length);
      if (shownChars < line.length) {
        const start = table.starts[end] ?? 0;
        const rest = { startChar: start + shownChars + 1, endChar: start + line.length };
        cutLine = { number: end + 1, text: line, shownChars, rest };
      }
      room -= cost;
      end++;
    }
    if (end >= startLine) shown.push({ startLine, endLine: end });
    if (end < endLine) left.push({ startLine: end + 1, endLine });
  }
  const next = left.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(",");
  const text =
    cutLine === undefined
      ? render(table, shown, lineNumbers)
      : prefixOf(cutLine.number) + cutLine.text.slice(0, cutLine.shownChars);
  return {
    text,
    ranges: shown,
    ...(cutLine === undefined ? {} : { cutLine }),
    ...(next === "" ? {} : { next }),
  };
}

/** The characters of `ranges`, one range behind the other. An end past the text is clamped. */
function readChars(
  { text, count }: LineTable,
  asked: readonly CharRange[],
  { maxChars = Number.POSITIVE_INFINITY, maxRepeatedChars = Number.POSITIVE_INFINITY }: ReadOptions,
): LinePage | { readonly fault: RangeFault } {
  const fault = faultOfRanges(asked.map(({ startChar, endChar }) => ({ startLine: startChar, endLine: endChar })));
  if (fault !== undefined) return { fault };
  const past = asked.find(({ startChar }) => startChar > text.length);
  if (past !== undefined || count === 0) {
    const { startChar = 1, endChar = 1 } = past ?? asked[0] ?? {};
    return { fault: { kind: "past_end", range: { startLine: startChar, endLine: endChar } } };
  }
  const ranges = asked.map(({ startChar, endChar }) => ({ startChar, endChar: Math.min(endChar, text.length) }));
  const size = ranges.reduce((sum, { startChar, endChar }) => sum + endChar - startChar + 1, 0);
  const most = Math.max(text.length, maxRepeatedChars);
  if (size > most) return { fault: { kind: "too_much", chars: size, maxChars: most } };
  const shown: CharRange[] = [];
  const left: CharRange[] = [];
  let room = maxChars;
  for (const { startChar, endChar } of ranges) {
    const wanted = text.slice(startChar - 1, endChar);
    const taken = left.length > 0 ? 0 : lengthWithin(wanted, room);
    room -= taken;
    if (taken > 0) shown.push({ startChar, endChar: startChar + taken - 1 });
    if (taken < wanted.length) left.push({ startChar: startChar + taken, endChar });
  }
  const next = left.map(({ startChar, endChar }) => `${startChar}-${endChar}`).join(",");
  const page = shown.map(({ startChar, endChar }) => text.slice(startChar - 1, endChar)).join("");
  return { text: page, ranges: [], chars: shown, ...(next === "" ? {} : { next }) };
}

/** How much of `text` fits, without half of a surrogate pair. */
export function lengthWithin(text: string, maxChars: number): number {
  if (text.length <= maxChars) return text.length;
  const max = Math.max(0, maxChars);
  return /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
}
