// From text to terms: code-aware subtokens in any script. `maxRetries`, `max_retries` and `max retries` meet
// in the same terms; `L1` and a lone CJK character are words. No locale, and no dictionary except stem.ts.
import { stem } from "./stem.ts";

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const CAMEL = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}\p{Lo}\p{Lm}]+|\p{Lu}+|\p{N}+/gu;
const ASCII = /^[ -~]*$/;
const ASCII_CAMEL = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;

const LONGEST_WORD = 120;
const MOST_OTHER_CHARS = 4000;
const FINDER_SLOTS = 4096;
const DIGIT = 1;
const LETTER = 2;
/** Of each ASCII character that is part of a word: whether it is a digit. */
const KIND = new Uint8Array(128);
for (let c = 0; c < 128; c++) {
  const char = String.fromCharCode(c);
  if (/[A-Za-z0-9_$]/.test(char)) KIND[c] = /\d/.test(char) ? DIGIT : LETTER;
}

/** Goes through the raw words of a text without copying them: after `next`, [start, end) is the one that was found. */
export class WordScanner {
  start = 0;
  end = 0;
  /** Of the word's characters. */
  hash = 0;
  /** Otherwise there may be several words in it, see `otherWords`. */
  isAscii = true;
  /** All its characters are digits. */
  isNumber = false;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Finds the first word in text[from, to); false where there is none. */
  next(from: number, to: number): boolean {
    const text = this.#text;
    let at = from;
    for (;;) {
      let c = 0;
      for (; at < to; at++) {
        c = text.charCodeAt(at);
        if (c >= 128 || KIND[c] !== 0) break;
      }
      if (at >= to) return false;
      const start = at;
      let isAscii = true;
      let kinds = 0;
      let hash = 0;
      while (at < to) {
        c = text.charCodeAt(at);
        if (c >= 128) isAscii = false;
        else {
          const kind = KIND[c] ?? 0;
          if (kind === 0) break;
          kinds |= kind;
        }
        hash = (Math.imul(hash, 0x01000193) ^ c) | 0;
        at++;
      }
      // One endless word (base64, minified data) is noise.
      if (isAscii && at - start > LONGEST_WORD) continue;
      this.start = start;
      this.end = at;
      this.hash = hash ^ (hash >>> 15);
      this.isAscii = isAscii;
      this.isNumber = isAscii && kinds === DIGIT;
      return true;
    }
  }

  /** The words of a stretch that is not ASCII alone, and where they stand. */
  otherWords(): { readonly word: string; readonly at: number }[] {
    const stretch = this.#text.slice(this.start, Math.min(this.end, this.start + MOST_OTHER_CHARS));
    return Array.from(stretch.matchAll(WORD), (m) => ({ word: m[0], at: this.start + m.index }));
  }
}

/**
 * Calls `found` with each raw word of text[start, end) and its place; ASCII words of more than 120 characters are
 * skipped.
 */
export function scanWords(text: string, start: number, end: number, found: (word: string, at: number) => void): void {
  const scanner = new WordScanner(text);
  for (let at = start; scanner.next(at, end); at = scanner.end) {
    if (scanner.isAscii) found(text.slice(scanner.start, scanner.end), scanner.start);
    else for (const { word, at: place } of scanner.otherWords()) found(word, place);
  }
}

/** Finds some words in texts: most other words are passed over by their hash, without a copy. */
export class WordFinder {
  readonly #words: ReadonlySet<string> | ReadonlyMap<string, unknown>;
  readonly #hashes = new Uint8Array(FINDER_SLOTS);

  constructor(words: ReadonlySet<string> | ReadonlyMap<string, unknown>) {
    this.#words = words;
    for (const word of words.keys()) {
      const scanner = new WordScanner(word);
      if (scanner.next(0, word.length)) this.#hashes[scanner.hash & (FINDER_SLOTS - 1)] = 1;
    }
  }

  /** Calls `found` with each of the words in text[start, end), as `scanWords` would. */
  scan(text: string, start: number, end: number, found: (word: string) => void): void {
    const scanner = new WordScanner(text);
    const tell = (word: string): void => {
      if (this.#words.has(word)) found(word);
    };
    for (let at = start; scanner.next(at, end); at = scanner.end) {
      if (!scanner.isAscii) for (const { word } of scanner.otherWords()) tell(word);
      else if (this.#hashes[scanner.hash & (FINDER_SLOTS - 1)] === 1) tell(text.slice(scanner.start, scanner.end));
    }
  }
}

/** The terms of one raw word: its stemmed parts in lower case, and the whole word if it has several parts. */
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

/** An identifier as one term, `maxretries` for `maxRetries`, `max_retries` and `MAX_RETRIES`. */
export function wholeOf(word: string): string {
  return word.replace(/[_$]+/g, "").toLowerCase();
}
