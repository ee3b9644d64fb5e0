// How many tokens a text is, about: words and runs cut the way o200k cuts them, each counted at the mean that its
// length and what stands before it had in real code and prose. Within 8 % (pinned by test) at a hundredth of the
// price; for gates and budgets. Exact counts belong to benchmarks.
import type { LineTable } from "./lines.ts";

const IS = { mark: 0, lower: 1, upper: 2, digit: 3, space: 4, newline: 5, wide: 6 } as const;
const KIND = new Uint8Array(0x3000);
for (let c = 0; c < KIND.length; c++) {
  const s = String.fromCharCode(c);
  if (c === 10 || c === 13) KIND[c] = IS.newline;
  else if (/\s/.test(s)) KIND[c] = IS.space;
  else if (/\p{N}/u.test(s)) KIND[c] = IS.digit;
  else if (/\p{Lu}|\p{Lt}/u.test(s)) KIND[c] = IS.upper;
  else if (/\p{L}|\p{M}/u.test(s)) KIND[c] = IS.lower;
}

/** Mean tokens of a word by its length (the last value counts for longer ones, plus LONGER a letter). */
const AFTER_SPACE = Float64Array.of(0, 1, 1, 1, 1.02, 1.02, 1.06, 1.1, 1.12, 1.16, 1.16, 1.2, 1.4);
const BARE = Float64Array.of(0, 1, 1, 1.02, 1.03, 1.04, 1.1, 1.22, 1.3, 1.42, 1.5, 1.5, 1.7);
const AFTER_MARK = Float64Array.of(0, 1.01, 1.07, 1.16, 1.14, 1.2, 1.21, 1.5, 1.68, 1.66, 1.6, 1.95, 2.3);
const CAPITALS = Float64Array.of(0, 1, 1.05, 1.28, 1.12, 1.4, 1.7, 1.5, 2.1, 2.2, 2.3, 2.4, 2.4);
const MARKS = Float64Array.of(0, 1, 1.02, 1.22, 1.5, 1.83, 2.2, 1.8, 2.25);
const LONGER = 0.15;
const WIDE_CHAR = 0.72;
const ACCENT = 0.22;

const kindAt = (text: string, at: number): number => {
  const c = text.charCodeAt(at);
  return c < KIND.length ? (KIND[c] ?? 0) : IS.wide;
};
const mean = (table: Float64Array, size: number): number => {
  const last = table.length - 1;
  return size <= last ? (table[size] ?? 1) : (table[last] ?? 1) + (size - last) * LONGER;
};

export function estimateTokens(text: string): number {
  return Math.ceil(scan(text));
}

/** count + 1 sums: the tokens of the first i lines, so that those of any lines are a difference. */
export function tokensUpToLines({ text, starts, count }: LineTable): Float64Array {
  const sums = new Float64Array(count + 1);
  scan(text, starts, sums);
  return sums;
}

// One function with nothing but locals: a helper that shares them would have each sum put on the heap.
function scan(text: string, starts?: Uint32Array, sums?: Float64Array): number {
  const end = text.length;
  let line = 1;
  let tokens = 0;
  let at = 0;
  while (at < end) {
    const kind = kindAt(text, at);
    const next = at + 1 < end ? kindAt(text, at + 1) : IS.newline;
    const startsWord = next === IS.lower || next === IS.upper;
    const isWord = kind === IS.lower || kind === IS.upper;
    if (isWord || (startsWord && (kind === IS.space || kind === IS.mark))) {
      const table = isWord ? BARE : kind === IS.space ? AFTER_SPACE : AFTER_MARK;
      const from = isWord ? at : at + 1;
      at = from;
      while (at < end && kindAt(text, at) === IS.upper) at++;
      const capitals = at - from;
      let accents = 0;
      for (; at < end && kindAt(text, at) === IS.lower; at++) if (text.charCodeAt(at) > 127) accents++;
      tokens += mean(capitals > 1 && capitals === at - from ? CAPITALS : table, at - from) + accents * ACCENT;
    } else if (kind === IS.digit) {
      const from = at;
      while (at < end && kindAt(text, at) === IS.digit) at++;
      tokens += Math.ceil((at - from) / 3);
    } else if (kind === IS.wide) {
      const from = at;
      while (at < end && kindAt(text, at) === IS.wide) at++;
      tokens += Math.max(1, (at - from) * WIDE_CHAR);
    } else if (kind === IS.mark || (kind === IS.space && next === IS.mark)) {
      const from = kind === IS.space ? at + 1 : at;
      at = from;
      while (at < end && kindAt(text, at) === IS.mark) at++;
      // A rule of one character ("=====") is a token or two however long it is.
      const size = at - from;
      tokens += size > 8 ? 1 + size / 24 : mean(MARKS, size);
      while (at < end && kindAt(text, at) === IS.newline) at++;
    } else {
      // The last space goes with what follows it.
      const from = at++;
      let hasBreak = kind === IS.newline;
      while (at < end) {
        const k = kindAt(text, at);
        if (k === IS.newline) hasBreak = true;
        else if (k !== IS.space || hasBreak) break;
        at++;
      }
      if (!hasBreak && at < end && at - from > 1 && kindAt(text, at) !== IS.digit) at--;
      tokens += 1;
    }
    if (starts === undefined || sums === undefined) continue;
    for (; line < sums.length && (starts[line] ?? end) <= at; line++) sums[line] = tokens;
  }
  return tokens;
}
