// From text to terms: the parts of identifiers and words in any script. `maxRetries`, `max_retries` and "max retries"
// meet in the same terms. It knows nothing of questions or files.
import { stem } from "./stem.ts";

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}\p{Lo}\p{Lm}]+|\p{Lu}+|\p{N}+/gu;
const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;
const MAX_WORD_CHARS = 100;

const IS_WORD = new Uint8Array(128);
for (let c = 0; c < 128; c++) if (/[A-Za-z0-9_$]/.test(String.fromCharCode(c))) IS_WORD[c] = 1;

/** Calls `found` with each raw word of text[start, end). */
export function scanWords(text: string, start: number, end: number, found: (word: string, at: number) => void): void {
  let at = start;
  while (at < end) {
    const first = text.charCodeAt(at);
    if (first < 128 && IS_WORD[first] === 0) {
      at++;
      continue;
    }
    const from = at;
    let ascii = true;
    for (; at < end; at++) {
      const c = text.charCodeAt(at);
      if (c >= 128) ascii = false;
      else if (IS_WORD[c] === 0) break;
    }
    // An endless word is data (base64, minified code), not a name.
    if (ascii && at - from <= MAX_WORD_CHARS) found(text.slice(from, at), from);
    else if (!ascii)
      for (const m of text.slice(from, Math.min(at, from + 2_000)).matchAll(WORD)) found(m[0], from + m.index);
  }
}

export interface WordTerms {
  /** Stemmed parts; for scripts without spaces, pairs of characters. */
  readonly parts: readonly string[];
  /** The identifier as one term where it has several parts: `maxRetries` and `MAX_RETRIES` are the same. */
  readonly whole: string | undefined;
}

export function termsOf(word: string): WordTerms {
  const plain = word.normalize("NFKC");
  if (UNSPACED.test(plain)) {
    const parts: string[] = [];
    for (const run of plain.toLowerCase().split(/[^\p{L}\p{N}\p{M}]+/u)) {
      const chars = [...run];
      if (chars.length === 1) parts.push(chars[0] ?? "");
      for (let i = 0; i + 1 < chars.length; i++) parts.push(`${chars[i]}${chars[i + 1]}`);
    }
    return { parts, whole: undefined };
  }
  const found = plain.match(PART) ?? [];
  const parts: string[] = [];
  for (const part of found) {
    const lower = part.toLowerCase();
    if (lower.length > 1 || found.length === 1) parts.push(stem(lower));
  }
  return { parts, whole: found.length > 1 ? wholeOf(plain) : undefined };
}

/** `=` cannot be part of a word, so a whole identifier never meets a plain word by accident. */
export function wholeOf(word: string): string {
  return `=${word.replace(/[_$]+/g, "").toLowerCase()}`;
}
