// Finds the lines of a log that report trouble: by a tool's own sign, or by their words. What is kept around them is decided
// elsewhere.

import { indentOf, lineAt } from "../text/lines.ts";
import { endOfFailedList } from "./failed-lists.ts";
import { hasFailurePhrase, hasOpeningOrMark } from "./failure-phrases.ts";
import type { LogLines } from "./log-lines.ts";
import {
  ADVICE,
  ANY_WORD,
  CALM,
  LOG_SIGNS,
  NAMED_TROUBLE,
  PASSED,
  SAID_TROUBLE,
  SOURCE_LINE,
  TROUBLE,
  TROUBLE_BESIDE_WORDS,
  WENT_WELL,
} from "./log-signs.ts";
import { timeless } from "./log-templates.ts";

/** Of trouble lines that are the same but for time and address, so many first ones and the last one are kept. */
const SAME_TROUBLE = 3;
const SAME_MENTION = 1;
const HEADING_LINES = 200;
/** Lines below a failure that are compared with those of others that begin alike. */
const DETAIL_LINES = 40;
/** A field on its own line: the record that it belongs to is named above it. */
export const BARE_FIELD = /^\s*(?:[-*] )?["']?[\w.-]+["']?\s*[:=]\s*["']?[\w.-]+["']?,?\s*$/;
const HAS_VALUE = /\w["']?\s*[:=]\s*\S/;
const RECORD_LINES = 12;
const DETAIL_PLACE = /\S:\d|\bline \d/;

/** A line that reports trouble. */
export interface Trouble {
  readonly line: number;
  /** Where the failure that opens here closes; undefined where none opens. */
  readonly end: RegExp | undefined;
  /** Whether the lines around it belong to it. */
  readonly isTrouble: boolean;
  /** It is the outcome of a run in which nothing failed. */
  readonly isCalm: boolean;
  /** It has a word of trouble but does not report any. */
  readonly isMention: boolean;
  /** An earlier line with the place where it happened. */
  readonly heading?: number;
  /**
   * What distinguishes this failure from others that begin alike: the places below it, else the first line below it; or
   * "".
   */
  readonly details: string;
}

interface FindHow {
  readonly everyError: boolean;
  readonly isLog?: (line: number) => boolean;
  /** Lines that are failures by their place among others, whatever their words (outcomes.ts). */
  readonly outcomes: ReadonlySet<number>;
}

const hasTroubleWord = (line: string): boolean => TROUBLE.some((pattern) => pattern.test(line));

/** Whether a line states what went wrong, rather than just having such a word in it, as the names of tests do. */
export const statesTrouble = (line: string): boolean => SAID_TROUBLE.test(line) || hasFailurePhrase(line);

/**
 * Every line that reports trouble, less those that are the same as others but for time and address; lines that only mention
 * it are the same if they differ only in numbers.
 */
export function findTroubles(
  lines: LogLines,
  first: Int32Array,
  { everyError, isLog = () => true, outcomes }: FindHow,
): Trouble[] {
  const found: (Trouble & { readonly shape: string | number; readonly nth: number })[] = [];
  const times = new Map<string | number, number>();
  const headingAbove = headingsOf(lines);
  let listEnd = -1;
  for (let line = 0; line < lines.table.count; line++) {
    const isListed = line <= listEnd;
    if (!isListed && !isLog(line)) continue;
    const text = lines.clean(line);
    const sign = signOf(text);
    const isOutcome = outcomes.has(line) || (isListed && text.trim() !== "");
    // K-29 to the letter: wherever in the line the word is, also in what a progress line has overwritten.
    const trouble = (everyError && NAMED_TROUBLE.test(lineAt(lines.table, line))) || isTrouble(text);
    if (sign === undefined && !trouble && !isOutcome) continue;
    if (!isListed) listEnd = endOfFailedList(lines, line, text);
    // Loud words of trouble and tools' signs have context around them; a phrase is complete by itself.
    const isLoud = sign !== undefined || SAID_TROUBLE.test(text);
    const isMention = !isLoud && !isOutcome && !hasFailurePhrase(text);
    const details = isMention ? "" : detailsBelow(lines, line);
    // A line that opens a failure is the same as another only if what it opens is.
    const opening = sign?.end === undefined ? "" : details;
    const told = outcomes.has(line) ? `${line}` : `${timeless(text)}${opening}`;
    const shape = everyError ? "" : isMention ? (first[line] ?? line) : told;
    const nth = (times.get(shape) ?? 0) + 1;
    times.set(shape, nth);
    const heading = sign?.heading === undefined ? -1 : headingAbove(line, sign.heading);
    found.push({
      line,
      end: sign?.end,
      isTrouble: outcomes.has(line) || (trouble && (everyError || (isLoud && hasTroubleWord(text)))),
      isCalm: !trouble && !isOutcome && sign?.end === undefined && WENT_WELL.test(text),
      isMention,
      details,
      shape,
      nth,
      ...(heading >= 0 ? { heading } : outcomes.has(line) ? { heading: recordOf(lines, line) } : {}),
    });
  }
  return found.filter(({ shape, nth }) => {
    const shown = typeof shape === "number" ? SAME_MENTION : SAME_TROUBLE;
    return everyError || nth <= shown || nth === times.get(shape);
  });
}

/** The first field of the record that a field stands in: what is above it at its own indentation, or opens that. */
export function recordOf({ table, clean }: LogLines, line: number): number {
  if (!BARE_FIELD.test(clean(line))) return line;
  const indent = indentOf(table, line);
  let start = line;
  while (start > 0 && line - start < RECORD_LINES && indentOf(table, start - 1) === indent) start--;
  const above = start > 0 ? indentOf(table, start - 1) : -1;
  if (above >= 0 && above < indent && HAS_VALUE.test(clean(start - 1))) return start - 1;
  while (start < line && !HAS_VALUE.test(clean(start))) start++;
  return start;
}

function detailsBelow({ table, clean, isFrame }: LogLines, line: number): string {
  // A frame is a detail itself, and one trace may have hundreds that name an error.
  if (isFrame(line)) return "";
  const indent = indentOf(table, line);
  const stop = Math.min(table.count - 1, line + DETAIL_LINES);
  let said = "";
  let places = "";
  for (let i = line + 1; i <= stop && (isFrame(i) || indentOf(table, i) > indent); i++) {
    const text = timeless(clean(i));
    said ||= `\n${text}`;
    if (isFrame(i) || DETAIL_PLACE.test(text)) places += `\n${text}`;
  }
  return places || said;
}

/** What failed tests printed while they ran, where the tool prints outcomes only afterwards: first and last lines. */
export function runsOfFailed({ table, clean }: LogLines): { readonly from: number; readonly to: number }[] {
  if (!table.text.includes("--- FAIL: ")) return [];
  const sign = LOG_SIGNS.find(({ run }) => run !== undefined);
  const ran = new Map<string, { from: number; to: number }[]>();
  const failed: { from: number; to: number }[] = [];
  let open: { from: number; to: number } | undefined;
  for (let i = 0; i < table.count; i++) {
    const start = table.text.charCodeAt(table.starts[i] ?? 0);
    // Only lines that start with "=", "-" or a space can be either.
    if (start === 61 || start === 45 || start === 32) {
      const line = clean(i);
      const name = sign?.run?.exec(line)?.[1];
      if (name !== undefined) {
        open = { from: i, to: i };
        const before = ran.get(name);
        if (before === undefined) ran.set(name, [open]);
        else before.push(open);
        continue;
      }
      const lost = sign?.failed?.exec(line)?.[1];
      if (lost !== undefined) {
        for (const told of ran.get(lost) ?? []) failed.push(told);
        ran.delete(lost);
      }
      if (line.startsWith("===") || line.trimStart().startsWith("--- ")) open = undefined;
    }
    if (open !== undefined) open.to = i;
  }
  return failed.filter(({ from, to }) => to > from);
}

/**
 * Finds the nearest heading above a line, or -1. To be called from the first line to the last, so that each is read
 * once.
 */
function headingsOf({ clean }: LogLines): (line: number, heading: RegExp) => number {
  const seen = new Map<RegExp, { next: number; last: number }>();
  return (line, heading) => {
    const { next, last } = seen.get(heading) ?? { next: 0, last: -1 };
    let nearest = last;
    for (let i = Math.max(next, line - HEADING_LINES); i < line; i++) if (heading.test(clean(i))) nearest = i;
    seen.set(heading, { next: line, last: nearest });
    return nearest < line - HEADING_LINES ? -1 : nearest;
  };
}

/** Whether a line has a word or a phrase of trouble; a phrase in an `echo` command does not count. */
function hasTrouble(line: string): boolean {
  if (TROUBLE_BESIDE_WORDS.some((pattern) => pattern.test(line))) return true;
  const hasWord = ANY_WORD.test(line);
  if (hasWord && hasTroubleWord(line)) return true;
  return (hasWord ? hasFailurePhrase(line) : hasOpeningOrMark(line)) && !/\becho\b/.test(line);
}

/** Whether a cleaned line mentions trouble and does not deny it. */
export function isTrouble(line: string): boolean {
  // Source that a tool quotes is not trouble, whatever its names are.
  if (!hasTrouble(line) || [PASSED, ADVICE, SOURCE_LINE].some((calm) => calm.test(line))) return false;
  const rest = line.replace(CALM, "");
  return rest === line || hasTrouble(rest);
}

/** A quick check before the table of signs is tried, because most lines match none. */
const SIGN_HINT =
  /^(?:[_=E\-✖>*#]|\s*(?:FAIL|×|●|\d+\)|\d+:\d+\s|not ok|--- |Test|Traceback|\d+ (?:pass|fail|test|err))|Test|Snap|test |FAILED|ERROR|error|failures|panic|WARNING: DATA|\s*Failed |\s*thread '|fatal|goroutine|exit|\[?exit|Found|Exception|Caused|\s*TIMEOUT: |[\w.$]+(?:Exception|Error)|\[(?:INFO|ERROR)\]|BUILD|npm |lerna |gyp |==\d|│ Error|'|! |\d\d[-:]\d\d|[EF]\/|[.FEsxXSIRWDN*]{4}|make|ninja|ok\s|PASS|Process|\s*\^-|\s*<(?:failure|error)| > \[)/;
/** Behind the first word: PowerShell's errors, and a row of dots and letters, one for each test. */
const SECOND_WORD = / (?:: The term |[.FEsxXSIRWDN*]{4})/y;
const COLON = 58;

function isHinted(line: string): boolean {
  if (SIGN_HINT.test(line)) return true;
  // A place in a file ends with a colon. Found by hand: a pattern would look for it from every character of the word.
  const space = line.indexOf(" ");
  SECOND_WORD.lastIndex = space;
  if (space > 0 && (line.charCodeAt(space - 1) === COLON || SECOND_WORD.test(line))) return true;
  // Of tsc's findings: behind a path that may be as long as the line.
  return line.includes("): error");
}

interface Found {
  readonly end: RegExp | undefined;
  readonly heading: RegExp | undefined;
  readonly isWeak: boolean;
  /** See LogSign. */
  readonly closes: boolean;
}

let last: { readonly line: string; readonly sign: Found | undefined } = { line: "", sign: undefined };

/** How a tool's own sign classifies a line; undefined where no tool has such a line. */
export function signOf(line: string): Found | undefined {
  // The same line is looked up several times in a row.
  if (line !== last.line) last = { line, sign: isHinted(line) ? findSign(line) : undefined };
  return last.sign;
}

function findSign(line: string): Found | undefined {
  let isSum = false;
  let isWeak = true;
  let closes = false;
  let end: RegExp | undefined;
  let heading: RegExp | undefined;
  for (const sign of LOG_SIGNS) {
    if (sign.sum?.test(line) === true) {
      isSum = true;
      heading ??= sign.heading;
    }
    if (end === undefined && sign.fail?.test(line) === true) {
      end = sign.end ?? /^\s*$/;
      closes = sign.closes === true;
      isWeak &&= sign.isWeak === true;
    }
  }
  return isSum || end !== undefined ? { end, heading, isWeak: isWeak && !isSum, closes } : undefined;
}
