// From text to terms: code-aware subtokens in any script. `maxRetries`, `max_retries` and `max retries` meet
// in the same terms; `L1` and a lone CJK character are words. No locale, no dictionary but stem.ts.
import { stem } from "./stem.ts";

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const CAMEL = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}\p{Lo}\p{Lm}]+|\p{Lu}+|\p{N}+/gu;
const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;

const KIND = new Uint8Array(128); // 1: part of an ASCII word
for (let c = 0; c < 128; c++) if (/[A-Za-z0-9_$]/.test(String.fromCharCode(c))) KIND[c] = 1;

/** Calls `found` for each raw word of text[start, end); a word with other than ASCII characters may hold several. */
export function scanWords(text: string, start: number, end: number, found: (word: string, at: number) => void): void {
  let at = start;
  while (at < end) {
    const c = text.charCodeAt(at);
    if (c < 128 && KIND[c] !== 1) {
      at++;
      continue;
    }
    const from = at;
    let ascii = true;
    while (at < end) {
      const d = text.charCodeAt(at);
      if (d >= 128) ascii = false;
      else if (KIND[d] !== 1) break;
      at++;
    }
    // One endless word (base64, minified data) is noise, and its parts would cost more than they tell.
    if (at - from > 120 && ascii) continue;
    if (ascii) found(text.slice(from, at), from);
    else for (const m of text.slice(from, Math.min(at, from + 4000)).matchAll(WORD)) found(m[0], from + m.index);
  }
}

/** The terms of one raw word: its stemmed parts, and the whole when it has several parts. */
export function termsOf(word: string): string[] {
  const plain = word.normalize("NFKC");
  const terms: string[] = [];
  if (CJK.test(plain)) {
    for (const run of plain.split(/[^\p{L}\p{N}\p{M}]+/u)) {
      const chars = [...run.toLowerCase()];
      if (chars.length === 1) terms.push(chars[0] ?? "");
      for (let i = 0; i + 1 < chars.length; i++) terms.push(`${chars[i]}${chars[i + 1]}`);
    }
    return terms;
  }
  const parts = plain.match(CAMEL) ?? [];
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
