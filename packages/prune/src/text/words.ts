// From text to terms: code-aware subtokens in any script. `maxRetries`, `max_retries` and `max retries` meet
// in the same terms; `L1` and a lone CJK character are words. No locale, no dictionary but stem.ts.
import { stem } from "./stem.ts";

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const CAMEL = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}\p{Lo}\p{Lm}]+|\p{Lu}+|\p{N}+/gu;
const ASCII = /^[ -~]*$/;
const ASCII_CAMEL = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;

const LONGEST_WORD = 120;
const DIGIT = 1;
const LETTER = 2;
/** Of each ASCII character that is part of a word: whether it is a digit. */
const KIND = new Uint8Array(128);
for (let c = 0; c < 128; c++) {
  const char = String.fromCharCode(c);
  if (/[A-Za-z0-9_$]/.test(char)) KIND[c] = /\d/.test(char) ? DIGIT : LETTER;
}

/**
 * What a scan hands over: an ASCII word by its place, a hash of its characters and whether they are all digits; any other
 * as a string.
 */
export interface WordSink {
  readonly ascii: (start: number, end: number, hash: number, isNumber: boolean) => void;
  readonly other: (word: string, at: number) => void;
}

/** Finds each raw word of text[start, end) without copying it; a word with other characters may hold several. */
export function scanSpans(text: string, start: number, end: number, sink: WordSink): void {
  let at = start;
  while (at < end) {
    const c = text.charCodeAt(at);
    if (c < 128 && KIND[c] === 0) {
      at++;
      continue;
    }
    const from = at;
    let ascii = true;
    let kinds = 0;
    let hash = 0;
    while (at < end) {
      const d = text.charCodeAt(at);
      if (d >= 128) ascii = false;
      else {
        const kind = KIND[d] ?? 0;
        if (kind === 0) break;
        kinds |= kind;
      }
      hash = (Math.imul(hash, 0x01000193) ^ d) | 0;
      at++;
    }
    if (!ascii)
      for (const m of text.slice(from, Math.min(at, from + 4000)).matchAll(WORD)) sink.other(m[0], from + m.index);
    // One endless word (base64, minified data) is noise, and its parts would cost more than they tell.
    else if (at - from <= LONGEST_WORD) sink.ascii(from, at, hash ^ (hash >>> 15), kinds === DIGIT);
  }
}

/** Calls `found` for each raw word of text[start, end). */
export function scanWords(text: string, start: number, end: number, found: (word: string, at: number) => void): void {
  scanSpans(text, start, end, { ascii: (from, to) => found(text.slice(from, to), from), other: found });
}

/** The terms of one raw word: its stemmed parts, and the whole when it has several parts. */
export function termsOf(word: string): string[] {
  const isAscii = ASCII.test(word);
  const plain = isAscii ? word : word.normalize("NFKC");
  const terms: string[] = [];
  if (!isAscii && CJK.test(plain)) {
    for (const run of plain.split(/[^\p{L}\p{N}\p{M}]+/u)) {
      const chars = [...run.toLowerCase()];
      if (chars.length === 1) terms.push(chars[0] ?? "");
      for (let i = 0; i + 1 < chars.length; i++) terms.push(`${chars[i]}${chars[i + 1]}`);
    }
    return terms;
  }
  const parts = plain.match(isAscii ? ASCII_CAMEL : CAMEL) ?? [];
  for (const part of parts) {
    const lower = part.toLowerCase();
    if (lower.length > 1 || parts.length === 1) terms.push(stem(lower));
  }
  if (parts.length > 1) terms.push(wholeOf(plain));
  return terms;
}

/** The identifier as one term: `maxRetries`, `max_retries` and `MAX_RETRIES` are the same. */
export function wholeOf(word: string): string {
  return word.replace(/[_$]+/g, "").toLowerCase();
}
