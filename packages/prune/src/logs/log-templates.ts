// The shape of each line: digits, hex and long ids masked, the rest hashed. Two lines of one shape are repeats.
import type { Focus } from "../text/focus.ts";
import { remember } from "../text/known-texts.ts";
import type { LineTable } from "../text/lines.ts";

/** Which lines of a text have the same template. */
export interface Templates {
  /** First line with the same template. */
  readonly first: Int32Array;
  /** How many lines of its template there are up to this one. */
  readonly seen: Int32Array;
  /** By first line of a template: how many lines it has. */
  readonly count: Int32Array;
}

const MASK = 35; // "#"
const ASKED = 0;
const SPACE = 32;
/** The parts of a long line that count: beginning and end, because records often differ at their end. */
const FIRST_CHARS = 400;
const LAST_CHARS = 300;
const POLL_LINES = 1024;

const ID = /\d[0-9a-f]*/g;
const SHORTEST_ID = 2;

/** Numbers and ids in the focus. A line that holds one is no repeat of a line that holds another. */
export function idsOf(focus: Focus): ReadonlySet<string> {
  const runs = focus.terms.flatMap(({ term }) => term.match(ID) ?? []);
  return new Set(runs.filter((run) => run.length >= SHORTEST_ID));
}

const NO_IDS = {};

/** The templates of a text. A line with one of `ids` is only a repeat of lines with the same one, see idsOf. */
export function templatesOf(table: LineTable, ids: ReadonlySet<string>, poll: () => void): Templates {
  if (ids.size > 0) return readTemplates(table, ids, poll);
  const bytes = 3 * Int32Array.BYTES_PER_ELEMENT * table.count;
  return remember(
    table,
    NO_IDS,
    (own) => readTemplates(table, ids, own),
    () => bytes,
    poll,
  );
}

function readTemplates(table: LineTable, ids: ReadonlySet<string>, poll: () => void): Templates {
  const n = table.count;
  const first = new Int32Array(n);
  const seen = new Int32Array(n);
  const count = new Int32Array(n);
  // Open addressing, line plus one: a Map of a million numbers is dearer than all else here.
  const hashes = new Float64Array(n);
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * n + 1)));
  const mask = slots.length - 1;
  for (let i = 0; i < n; i++) {
    if (i % POLL_LINES === 0) poll();
    const hash = hashOf(table.text, table.starts[i] ?? 0, table.starts[i + 1] ?? 0, ids);
    hashes[i] = hash;
    let at = hash & mask;
    while (slots[at] !== 0 && hashes[(slots[at] ?? 0) - 1] !== hash) at = (at + 1) & mask;
    if (slots[at] === 0) slots[at] = i + 1;
    const origin = (slots[at] ?? 0) - 1;
    first[i] = origin;
    const times = (count[origin] ?? 0) + 1;
    count[origin] = times;
    seen[i] = times;
  }
  return { first, seen, count };
}

/** The shape of line i as a number: lines of one shape have the same. */
export function shapeOf({ text, starts }: LineTable, i: number): number {
  return hashOf(text, starts[i] ?? 0, starts[i + 1] ?? 0, new Set());
}

/** 52 bits: two 26-bit FNV-like halves, so that a collision among millions of lines is not to be expected. */
function hashOf(text: string, start: number, end: number, ids: ReadonlySet<string>): number {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  const stop = end - LAST_CHARS;
  for (let at = start; at < end; ) {
    if (at < stop && at >= start + FIRST_CHARS) {
      at = stop;
      while (at < end && isIdChar(text.charCodeAt(at))) at++; // what may be half of an id
      continue;
    }
    let c = text.charCodeAt(at);
    if (c >= 48 && c <= 57) {
      // A run with a digit in it is a number, a time, a hash or an id.
      const from = at;
      while (at < end && isIdChar(text.charCodeAt(at))) at++;
      c = ids.size > 0 && ids.has(text.slice(from, at).toLowerCase()) ? ASKED : MASK;
    } else if (c === SPACE) {
      // Columns are padded to what stands before them.
      while (at < end && text.charCodeAt(at) === SPACE) at++;
    } else at++;
    a = Math.imul(a ^ c, 0x01000193);
    b = Math.imul(b ^ c, 0x85ebca6b) ^ (b >>> 13);
  }
  return (a >>> 6) * 67108864 + (b >>> 6);
}

function isIdChar(c: number): boolean {
  return (c >= 48 && c <= 57) || (c >= 97 && c <= 102) || (c >= 65 && c <= 70);
}

const FORM_CHARS = 200;

/** The form of line i as a number: runs of letters and digits count as one character, and so do runs of one mark. */
export function formOf({ text, starts }: LineTable, i: number): number {
  const start = starts[i] ?? 0;
  const end = Math.min(starts[i + 1] ?? text.length, start + FORM_CHARS);
  let hash = 0;
  let hasWord = false;
  let before = 0;
  for (let at = start; at < end; at++) {
    const c = text.charCodeAt(at);
    if (c === 10 || c === 13) break;
    const isWord = (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95 || c > 127;
    const mark = isWord ? 97 : c === 9 ? 32 : c;
    hasWord ||= isWord;
    if (mark !== before) hash = (Math.imul(hash, 31) + mark + 1) | 0;
    before = mark;
  }
  return hasWord ? hash || 1 : 0;
}

const TIME =
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d?:\d\d:\d\d(?:[.,]\d+)?|\b\d{2}\/[A-Z][a-z]{2}\/\d{4}/g;
const DURATION = /\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|m|mins?|minutes?)\b/g;
const ADDRESS = /\b0x[0-9a-fA-F]+\b|@[0-9a-f]{6,16}\b/g;

/** A trouble line without its times, durations and addresses. Other numbers distinguish failures. */
export function timeless(line: string): string {
  return line.replace(TIME, "#").replace(DURATION, "#").replace(ADDRESS, "#");
}
