// Where the tokens of JSON end, in what programs print and people write: comments and numbers of other notations included.
import { safeBreak } from "../rows.ts";

const VALUE = /^(?:true|false|null|NaN|-?Infinity|undefined|[-+]?(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)n?)$/i;
/** Longer numbers are not recognised. */
const MOST_DIGITS = 2_000;
const PART = 160;
const MOST_PART = 320;
const LONGEST_ESCAPE = 6;

/** Whether a word is a value. */
export function isValue(text: string, from: number, end: number): boolean {
  return end - from <= MOST_DIGITS && VALUE.test(text.slice(from, end));
}

/** Behind the last character of a word that begins at `from`. */
export function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const c = text.charCodeAt(at);
    const isLetter = (c >= 97 && c <= 122) || (c >= 65 && c <= 90);
    if (!isLetter && !(c >= 48 && c <= 57) && c !== 45 && c !== 43 && c !== 46) break;
    at++;
  }
  return at;
}

/** Behind the closing quote of a string; undefined where there is none. */
export function endOfString(text: string, from: number): number | undefined {
  let at = from;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return undefined;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}

/** Behind a comment; undefined where it does not end in its line. */
export function endOfComment(text: string, at: number, lineEnd: number): number | undefined {
  const next = text.charCodeAt(at + 1);
  if (next === 47) return text.charCodeAt(lineEnd - 1) === 10 ? lineEnd - 1 : lineEnd;
  if (next !== 42) return undefined;
  const end = text.slice(at, lineEnd).indexOf("*/", 2);
  return end < 0 ? undefined : at + end + 2;
}

/** Where the next part of a string ends: behind an escaped line end, else between two words, else anywhere. */
export function endOfPart(text: string, from: number, end: number, least: number): number {
  const length = Math.max(PART, least);
  if (from + length >= end) return end;
  const part = text.slice(from, Math.min(end, from + Math.max(MOST_PART, 2 * length)));
  const escaped = part.indexOf("\\n", least);
  if (escaped > 0 && part.charCodeAt(escaped - 1) !== 92) return from + escaped + 2;
  const space = part.indexOf(" ", length);
  if (space > 0) return from + space + 1;
  let place = from + length;
  // Not inside an escape.
  for (let back = 1; back < LONGEST_ESCAPE; back++) if (text.charCodeAt(place - back) === 92) place -= back;
  return safeBreak(text, Math.max(place, from + 1));
}
