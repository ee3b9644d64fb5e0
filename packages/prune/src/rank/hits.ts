// Which focus terms and which names of scopes are on which line: each distinct word of the text is resolved once, most of
// them by their first letters. Everything a ranker knows about the words comes from here.
import type { Focus } from "../text/focus.ts";
import type { LineTable } from "../text/lines.ts";
import { wordsOf } from "../text/word-index.ts";
import { termsOf, wholeOf } from "../text/words.ts";
import { createSieve } from "./word-sieve.ts";

/** Where the focus terms are in a text. */
export interface Hits {
  /** Row i is [rowStart[i], rowStart[i+1]) of term and weight. */
  readonly rowStart: Uint32Array;
  readonly term: Uint16Array;
  readonly weight: Float32Array;
  /** The line of each hit, and the place of its word among the words of the line. */
  readonly lineOf: Uint32Array;
  readonly wordOf: Uint16Array;
  /** Per term of the focus its hits, in line order. */
  readonly byTerm: readonly Uint32Array[];
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
const STARTS_WITH_DIGIT = /^\d/;

/** Finds the focus terms and the names in a text; `names` are numbered. */
export function findHits(table: LineTable, focus: Focus, names: ReadonlyMap<string, number>, poll?: () => void): Hits {
  const n = table.count;
  const rowStart = new Uint32Array(n + 1);
  const refStart = new Uint32Array(n + 1);
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
  // A number has no parts and no stem: only such a term or name can be the same or begin alike.
  const withNumbers = [...focus.index.keys(), ...names.keys()].some((word) => STARTS_WITH_DIGIT.test(word));
  const { words, wordCount, distinct, starts, ends } = wordsOf(table, { withNumbers, poll });
  const mayMatch = createSieve(table.text, focus, names);
  const known: Resolved[] = [];
  /** By the number of a word its place in `known` plus one; 0 for those of which nothing is known. */
  const knownAt = new Int32Array(distinct);
  for (let id = 1; id < distinct; id++) {
    const [start, end] = [starts[id] ?? 0, ends[id] ?? 0];
    const resolved = mayMatch(start, end) ? resolve(table.text.slice(start, end)) : undefined;
    if (resolved !== undefined) knownAt[id] = known.push(resolved);
  }
  let at = 0;
  for (let i = 0; i < n; i++) {
    let last: Resolved | undefined;
    const first = at;
    for (const end = at + (wordCount[i] ?? 0); at < end; at++) {
      const which = knownAt[words[at] ?? 0] ?? 0;
      const r = which === 0 ? undefined : known[which - 1];
      const before = last;
      last = r;
      if (r === undefined) continue;
      if (r.joined > (joined[i] ?? 0)) joined[i] = r.joined;
      if (before !== undefined && areNeighbours(before.terms, r.terms))
        phrases[i] = Math.min(255, (phrases[i] ?? 0) + 1);
      for (let k = 0; k < r.terms.length; k++) {
        term.push(r.terms[k] ?? 0);
        weight.push(r.weights[k] ?? 0);
        lineOf.push(i);
        wordOf.push(at - first);
      }
      if (r.name >= 0) ref.push(r.name);
    }
    rowStart[i + 1] = term.length;
    refStart[i + 1] = ref.length;
  }
  return {
    rowStart,
    byTerm: groupByTerm(term, focus.terms.length),
    term: new Uint16Array(term),
    weight: new Float32Array(weight),
    lineOf: new Uint32Array(lineOf),
    wordOf: new Uint16Array(wordOf),
    joined,
    phrases,
    wordCount,
    words,
    distinctWords: distinct,
    refStart,
    ref: new Uint32Array(ref),
  };
}

function groupByTerm(term: readonly number[], terms: number): Uint32Array[] {
  const counts = new Uint32Array(terms);
  for (const t of term) counts[t] = (counts[t] ?? 0) + 1;
  const rows = Array.from(counts, (count) => new Uint32Array(count));
  const next = new Uint32Array(terms);
  for (let k = 0; k < term.length; k++) {
    const t = term[k] ?? 0;
    const at = next[t] ?? 0;
    const row = rows[t];
    if (row !== undefined) row[at] = k;
    next[t] = at + 1;
  }
  return rows;
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
