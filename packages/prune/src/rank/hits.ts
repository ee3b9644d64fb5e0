// Which focus terms stand on which line, and which scopes' names: one pass over the text, each distinct word resolved
// once. Everything a ranker knows about the words comes from here.
import type { Focus } from "../text/focus.ts";
import type { LineTable } from "../text/lines.ts";
import { WordMemo } from "../text/word-memo.ts";
import { scanSpans, termsOf, type WordSink, wholeOf } from "../text/words.ts";

export interface Hits {
  /** Row i is [rowStart[i], rowStart[i+1]) of term and weight. */
  readonly rowStart: Uint32Array;
  readonly term: Uint16Array;
  readonly weight: Float32Array;
  /** The line of each hit, and the place of its word among the words of the line. */
  readonly lineOf: Uint32Array;
  readonly wordOf: Uint16Array;
  /** Per line: most neighbours of the focus that meet in one word (`max_retries` for "max retries"). */
  readonly joined: Uint8Array;
  /** Per line: how often neighbours of the focus stand side by side. */
  readonly phrases: Uint8Array;
  readonly wordCount: Uint32Array;
  /** Every word of the text in its order, numbered as they first occur: wordCount tells whose they are. */
  readonly words: Uint32Array;
  /** How many different words there are. */
  readonly distinctWords: number;
  /** Row i is [refStart[i], refStart[i+1]) of ref: indexes into `names`. */
  readonly refStart: Uint32Array;
  readonly ref: Uint32Array;
}

interface Word {
  readonly id: number;
  /** Absent where the word is none of the focus and no name. */
  readonly resolved: Resolved | undefined;
}

interface Resolved {
  readonly terms: readonly number[];
  readonly weights: readonly number[];
  readonly name: number;
  readonly joined: number;
}

/** Words that begin alike (config, configuration; serial, serialise) count for less than the same word. */
const ALIKE_WEIGHT = 0.5;
const ALIKE_MIN = 4;
const ALIKE_SHARE = 0.4;
/** Terms of the focus this close to each other are neighbours. */
const NEIGHBOURS = 2;
const MOST_OTHERS = 100_000;
const POLL_LINES = 16;
/** A number has no parts and no stem: only such a term or name can be the same or begin alike. */
const STARTS_WITH_DIGIT = /^\d/;
/** Of all numbers, and of words that are too many to tell apart. */
const NUMBER: Word = { id: 0, resolved: undefined };

export function findHits(table: LineTable, focus: Focus, names: ReadonlyMap<string, number>, poll?: () => void): Hits {
  const n = table.count;
  const rowStart = new Uint32Array(n + 1);
  const refStart = new Uint32Array(n + 1);
  const wordCount = new Uint32Array(n);
  const term: number[] = [];
  const weight: number[] = [];
  const lineOf: number[] = [];
  const wordOf: number[] = [];
  const joined = new Uint8Array(n);
  const phrases = new Uint8Array(n);
  const isTalk = focus.terms.map(({ weight }) => weight < 1);
  const areNeighbours = (before: readonly number[], after: readonly number[]): boolean => {
    for (const a of before)
      for (const b of after) if (a !== b && Math.abs(a - b) <= NEIGHBOURS && !isTalk[a] && !isTalk[b]) return true;
    return false;
  };
  const joinedIn = (terms: readonly number[]): number => {
    if (terms.length < 2) return 0;
    const sorted = [...new Set(terms)].filter((t) => !isTalk[t]).sort((a, b) => a - b);
    let pairs = 0;
    for (let k = 1; k < sorted.length; k++) if ((sorted[k] ?? 0) - (sorted[k - 1] ?? 0) <= NEIGHBOURS) pairs++;
    return pairs;
  };
  const ref: number[] = [];
  const byPrefix = prefixIndex(focus);
  const resolve = (word: string): Resolved | undefined => {
    const terms: number[] = [];
    const weights: number[] = [];
    for (const t of termsOf(word)) {
      const same = focus.index.get(t);
      if (same !== undefined) {
        terms.push(same);
        weights.push(1);
        continue;
      }
      if (t.length < ALIKE_MIN) continue;
      for (const i of byPrefix.get(t.slice(0, ALIKE_MIN)) ?? []) {
        const other = focus.terms[i]?.term ?? "";
        const [short, long] = t.length < other.length ? [t, other] : [other, t];
        if (!long.startsWith(short) || short.length < long.length * ALIKE_SHARE) continue;
        terms.push(i);
        weights.push(ALIKE_WEIGHT);
      }
    }
    const name = names.size === 0 ? -1 : (names.get(wholeOf(word)) ?? -1);
    return terms.length > 0 || name >= 0 ? { terms, weights, name, joined: joinedIn(terms) } : undefined;
  };
  let last: Resolved | undefined;
  let ids = new Uint32Array(Math.max(64, table.text.length >>> 2));
  let idCount = 0;
  const take = ({ id, resolved: r }: Word): void => {
    const before = last;
    last = r;
    words++;
    if (idCount === ids.length) {
      const grown = new Uint32Array(2 * ids.length);
      grown.set(ids);
      ids = grown;
    }
    ids[idCount++] = id;
    if (r === undefined) return;
    if (r.joined > (joined[line] ?? 0)) joined[line] = r.joined;
    if (before !== undefined && areNeighbours(before.terms, r.terms))
      phrases[line] = Math.min(255, (phrases[line] ?? 0) + 1);
    for (let k = 0; k < r.terms.length; k++) {
      term.push(r.terms[k] ?? 0);
      weight.push(r.weights[k] ?? 0);
      lineOf.push(line);
      wordOf.push(words - 1);
    }
    if (r.name >= 0) ref.push(r.name);
  };
  let distinct = 1;
  const number = (word: string): Word => ({ id: distinct++, resolved: resolve(word) });
  const memo = new WordMemo(table.text, number);
  const others = new Map<string, Word>();
  const asksForNumbers = [...focus.index.keys(), ...names.keys()].some((word) => STARTS_WITH_DIGIT.test(word));
  const sink: WordSink = {
    ascii: (from, to, hash, isNumber) => take(isNumber && !asksForNumbers ? NUMBER : memo.get(from, to, hash)),
    other: (word) => {
      let known = others.get(word);
      if (known === undefined) {
        known = number(word);
        if (others.size < MOST_OTHERS) others.set(word, known);
      }
      take(known);
    },
  };
  let words = 0;
  let line = 0;
  for (let i = 0; i < n; i++) {
    if (i % POLL_LINES === 0) poll?.();
    words = 0;
    line = i;
    last = undefined;
    const start = table.starts[i] ?? 0;
    // A line longer than this is data; its beginning says what it is.
    scanSpans(table.text, start, Math.min(table.starts[i + 1] ?? 0, start + 20_000), sink);
    wordCount[i] = words;
    rowStart[i + 1] = term.length;
    refStart[i + 1] = ref.length;
  }
  return {
    rowStart,
    term: Uint16Array.from(term),
    weight: Float32Array.from(weight),
    lineOf: Uint32Array.from(lineOf),
    wordOf: Uint16Array.from(wordOf),
    joined,
    phrases,
    wordCount,
    words: ids.subarray(0, idCount),
    distinctWords: distinct,
    refStart,
    ref: Uint32Array.from(ref),
  };
}

function prefixIndex(focus: Focus): Map<string, number[]> {
  const index = new Map<string, number[]>();
  focus.terms.forEach(({ term }, i) => {
    if (term.length < ALIKE_MIN) return;
    const key = term.slice(0, ALIKE_MIN);
    const list = index.get(key);
    if (list) list.push(i);
    else index.set(key, [i]);
  });
  return index;
}
