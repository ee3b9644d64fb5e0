// X-59: lines of one form that differ in their outcome. Where many report success, the few others are failures, in any kind
// of text. A single word decides nothing here.
import type { LineTable } from "../text/lines.ts";
import { formOf } from "./log-templates.ts";
import type { Stretch } from "./output-stretches.ts";

/** So many good outcomes, at most so many lines apart, make a run; fields may be further apart, one in each record. */
const LEAST_GOOD = 10;
const RUN_GAP = 12;
const RECORD_GAP = 60;
/** At least so large a share of a run's lines has an outcome, unless it is a field with such a name. */
const RUN_SHARE = 0.25;
const RUN_SHARE_OF_VALUES = 0.5;
/** Marks need more, because tables of features have them, too. */
const LEAST_GOOD_MARKS = 20;
const GOOD_PER_BAD_MARK = 4;
/** At least so large a share of the names that have a value are different ones. */
const RUN_NAMES = 0.5;
const LEFT_CHARS = 16;

const OUTCOME_FIELD = /(?:^|[^a-z])(status|state|outcome|result|conclusion|verdict|health)["']?$/i;
/**
 * Programs' words for how something ended; a group holds the name of a field. `KO` and `NG` are words only in capitals. One
 * expression for all of them would take five times as long.
 */
const BAD: readonly RegExp[] = [
  /\b(?:fail(?:ed|ure)?|error(?:ed)?|abort(?:ed)?)\b/gi,
  /\b(?:time(?:d |-)?out|broken)\b/gi,
  /\b(?:KO|NG|NOK)\b/g,
  /[✗✖✘✕❌⨯]|🔴|🟥/g,
  /\b(ok|success|passed)["']?[ \t]*[:=][ \t]*["']?false\b/gi,
  /\b(exit_?(?:code|status))["']?[ \t]*[:=][ \t]*["']?[1-9]/gi,
];
const GOOD: readonly RegExp[] = [
  /\b(?:pass(?:ed)?|ok|success(?:ful)?|succeeded|done|completed?|finished|running|ready|healthy|active|available)\b/gi,
  /[✅✓✔√☑]|🟢|🟩/g,
  /\b(ok|success|passed)["']?[ \t]*[:=][ \t]*["']?true\b/gi,
  /\b(exit_?(?:code|status))["']?[ \t]*[:=][ \t]*["']?0\b/gi,
];
/** A word is not an outcome if it has a value or a number itself, or is part of a longer name. */
const NO_VERDICT = /^(?:[-(]|\.\w|["']?\s*[:=]\s*["']?(?:\d|true|false|null|none|\[))/i;
/** How far into a line an outcome is looked for, and from its end back what it ends with: lines may be of any length. */
const FAR_CHARS = 500;
/** So many lines around a bad outcome are searched for good ones. */
const SEARCHED_LINES = 600;

/** The form of an outcome; it decides how many good outcomes a run needs. */
const KIND = { field: 0, mark: 1, value: 2, word: 3 } as const;
type Kind = (typeof KIND)[keyof typeof KIND];

/** All outcomes that stand at the same place of lines of the same form. */
interface Column {
  readonly kind: Kind;
  readonly places: Place[];
}

interface Place {
  readonly line: number;
  readonly isBad: boolean;
  /** Of a value the name before it, as a number. */
  readonly name: number;
}

/**
 * The lines with a bad outcome among many good ones of the same form.
 * @param isAsked whether a line with such a word is to be judged at all
 */
export function findOutcomes(table: LineTable, isAsked: (line: number) => boolean): ReadonlySet<number> {
  const reader = createReader(table);
  const columns = new Map<number, Column>();
  for (const words of BAD)
    reader.each(words, { from: 0, to: table.count - 1 }, (line) => {
      const place: Place = { line, isBad: true, name: reader.name };
      const column = columns.get(reader.key);
      if (column !== undefined) column.places.push(place);
      else columns.set(reader.key, { kind: reader.kind, places: [place] });
    });
  const found = new Set<number>();
  const eachGood = (lines: readonly number[], reach: number, tell: (line: number) => void): void => {
    for (const part of around(lines, reach, table.count)) for (const words of GOOD) reader.each(words, part, tell);
  };
  // Most columns have no good outcome anywhere near: a few lines show that.
  const likely = new Set<number>();
  for (const isField of [true, false]) {
    const lines = linesOf([...columns.values()].filter(({ kind }) => (kind === KIND.field) === isField));
    eachGood(lines, isField ? RECORD_GAP : RUN_GAP, () => likely.add(reader.key));
  }
  for (const [key, { places }] of columns)
    if (!likely.has(key) || !places.some(({ line }) => isAsked(line))) columns.delete(key);
  eachGood(linesOf([...columns.values()]), SEARCHED_LINES, (line) =>
    columns.get(reader.key)?.places.push({ line, isBad: false, name: reader.name }),
  );
  for (const { kind, places } of columns.values())
    for (const run of runsOf(kind, places))
      if (isMostlyGood(kind, run)) for (const { line, isBad } of run) if (isBad && isAsked(line)) found.add(line);
  return found;
}

function linesOf(columns: readonly Column[]): number[] {
  return columns.flatMap(({ places }) => places.map(({ line }) => line));
}

/** So many lines before and after some, as stretches that do not touch. */
function around(lines: readonly number[], reach: number, count: number): Stretch[] {
  const found: { from: number; to: number }[] = [];
  for (const line of [...lines].sort((a, b) => a - b)) {
    const from = Math.max(0, line - reach);
    const to = Math.min(count - 1, line + reach);
    const last = found.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = to;
    else found.push({ from, to });
  }
  return found;
}

/** Places of one column, each near to the one before it. */
function runsOf(kind: Kind, places: Place[]): Place[][] {
  const gap = kind === KIND.field ? RECORD_GAP : RUN_GAP;
  const runs: Place[][] = [];
  for (const place of places.sort((a, b) => a.line - b.line)) {
    const run = runs.at(-1);
    if (run !== undefined && place.line - (run.at(-1)?.line ?? 0) <= gap) run.push(place);
    else runs.push([place]);
  }
  return runs;
}

function isMostlyGood(kind: Kind, run: readonly Place[]): boolean {
  const isMark = kind === KIND.mark;
  const good = run.filter(({ isBad }) => !isBad).length;
  const bad = run.length - good;
  if (good < (isMark ? LEAST_GOOD_MARKS : LEAST_GOOD) || bad * (isMark ? GOOD_PER_BAD_MARK : 1) > good) return false;
  if (kind === KIND.field) return true;
  const span = (run.at(-1)?.line ?? 0) - (run[0]?.line ?? 0) + 1;
  if (run.length < span * (kind === KIND.value ? RUN_SHARE_OF_VALUES : RUN_SHARE)) return false;
  // Under the same name again and again an outcome may be a setting: `when: failed`.
  return kind !== KIND.value || new Set(run.map(({ name }) => name)).size >= run.length * RUN_NAMES;
}

interface Reader {
  /** Calls `tell` for each outcome among the lines; `key`, `name` and `kind` describe it during the call. */
  readonly each: (words: RegExp, among: Stretch, tell: (line: number) => void) => void;
  readonly key: number;
  readonly name: number;
  readonly kind: Kind;
}

/** Reads outcomes without making anything for each of them: a long log has one on every line. */
function createReader(table: LineTable): Reader {
  const { text, starts, count } = table;
  let key = 0;
  let name = 0;
  let kind: Kind = KIND.word;
  const isField = (field: string): boolean => {
    kind = KIND.field;
    name = 0;
    key = hashOf(field.toLowerCase(), 0, field.length, kind);
    return true;
  };
  /** The outcome that a word is where it stands; false where it is none. */
  const read = (line: number, at: number, word: string): boolean => {
    const end = at + word.length;
    const isMark = word.charCodeAt(0) > 127;
    const isLoud = isMark || word === word.toUpperCase();
    if (!isLoud && isBetweenWords(text, at, end)) return false;
    const start = starts[line] ?? 0;
    let from = at;
    while (from > start && at - from < LEFT_CHARS && !isLetter(text.charCodeAt(from - 1))) from--;
    const isValue = isAssigned(text, from, at);
    if (isValue) {
      const before = Math.max(start, from - LEFT_CHARS);
      const [, field] = OUTCOME_FIELD.exec(text.slice(before, from)) ?? [];
      if (field !== undefined) return isField(field);
      name = hashOf(text, before, from, 0);
    } else name = 0;
    if (at - start > FAR_CHARS || isPart(text, from, at) || isStatement(text, starts[line + 1] ?? text.length))
      return false;
    if (!isMark && NO_VERDICT.test(text.slice(end, end + LEFT_CHARS))) return false;
    kind = isMark ? KIND.mark : isValue ? KIND.value : KIND.word;
    const isFirst = from === start;
    key = kind + 8 * (isFirst ? 1 : leadOf(text, start));
    let isBare = !isFirst;
    let separator = 0;
    for (let i = from, last = 0; i < at; i++) {
      const c = text.charCodeAt(i);
      if (isSeparator(c)) separator = c;
      if (c === SPACE || c === TAB || c === last) continue;
      isBare = false;
      last = c;
      key = (Math.imul(key, 31) + c) | 0;
    }
    // So many passed, so many failed.
    if (isBare && !isLoud && isDigit(text.charCodeAt(from - 1))) return false;
    if (separator !== 0)
      for (let i = start; i < at; i++) if (text.charCodeAt(i) === separator) key = (key + 0x10001) | 0;
    // Words between words are distinguished by the form of the whole line.
    if (isBare) key = (Math.imul(key, 31) + formOf(table, line)) | 0;
    return true;
  };
  return {
    each: (words, { from, to }, tell) => {
      const start = starts[from] ?? 0;
      // A part of the text: what is rare would be looked for up to its end.
      const part = text.slice(start, starts[to + 1] ?? text.length);
      let line = from;
      words.lastIndex = 0;
      for (let hit = words.exec(part); hit !== null; hit = words.exec(part)) {
        const at = start + hit.index;
        while (line + 1 < count && (starts[line + 1] ?? 0) <= at) line++;
        if (hit[1] === undefined ? read(line, at, hit[0]) : isField(hit[1])) tell(line);
      }
    },
    get key() {
      return key;
    },
    get name() {
      return name;
    },
    get kind() {
      return kind;
    },
  };
}

const TAB = 9;
const SPACE = 32;

function hashOf(text: string, from: number, to: number, seed: number): number {
  let hash = seed;
  for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

/** In a sentence: one space before it, and after it more of the sentence. */
function isBetweenWords(text: string, at: number, end: number): boolean {
  if (text[at - 1] !== " " || !isLetter(text.charCodeAt(at - 2))) return false;
  const after = text[end] ?? "\n";
  return !"\n\r\t".includes(after) && !(after === " " && text[end + 1] === " ");
}

/** Behind a colon or an equals sign, with or without quotes. */
function isAssigned(text: string, from: number, at: number): boolean {
  let i = from;
  while (i < at && "\"' ".includes(text[i] ?? "") && i < from + 2) i++;
  return i < at && (text[i] === ":" || text[i] === "=");
}

/** A part of a longer name: `src/error`, `on-failed`, `is.ok`; not behind a row of dots or dashes. */
function isPart(text: string, from: number, at: number): boolean {
  const before = at > from ? (text[at - 1] ?? "") : "";
  return before !== "" && ("$@/\\".includes(before) || (".-".includes(before) && text[at - 2] !== before));
}

/** What ends a statement or an item, or opens a block. */
function isStatement(text: string, lineEnd: number): boolean {
  const stop = Math.max(-1, lineEnd - FAR_CHARS);
  let last = lineEnd - 1;
  while (last > stop && text.charCodeAt(last) <= SPACE) last--;
  return last > stop && ";{(,".includes(text[last] ?? " ");
}

/** What a line begins with: a letter, a digit, or which mark. */
function leadOf(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at++;
  const c = text.charCodeAt(at);
  return isDigit(c) ? 2 : isLetter(c) ? 3 : c;
}

/** What divides a line into columns: `|`, `│`, a comma, a semicolon, a tab. */
function isSeparator(c: number): boolean {
  return c === 124 || c === 0x2502 || c === 44 || c === 59 || c === TAB;
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

/** A letter or a digit of any script; symbols, dashes and emoji are none. */
function isLetter(c: number): boolean {
  if (c < 128) return isDigit(c) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95;
  return (c >= 0xc0 && c < 0x2000) || (c >= 0x3040 && c < 0xd800);
}
