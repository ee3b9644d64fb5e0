// Which words may have a term of the focus or be the name of a scope, by their characters: most words of a text are neither,
// and splitting and stemming each of them would take longer than everything else. It may pass too many words, never too few.
import type { Focus } from "../text/focus.ts";
import { ABBREVIATIONS } from "../text/stem.ts";

/** Codes of the characters that terms are made of, in any case; 0 for any other. */
const CODES = new Uint8Array(128);
const FIRST_DIGIT = 27;
for (let k = 0; k < 26; k++) {
  CODES[65 + k] = k + 1;
  CODES[97 + k] = k + 1;
}
for (let k = 0; k < 10; k++) CODES[48 + k] = k + FIRST_DIGIT;
const RADIX = FIRST_DIGIT + 10;
const NAME_SLOTS = 1 << 14;

/** Makes a test whether the word text[start, end) may have one of the focus's terms or be one of the names. */
export function createSieve(
  text: string,
  focus: Focus,
  names: ReadonlyMap<string, number>,
): (start: number, end: number) => boolean {
  const openings = openingsOf(focus);
  const hashes = new Uint8Array(NAME_SLOTS);
  for (const name of names.keys()) hashes[hashOf(name)] = 1;
  /** Whether a term may begin here. A part of a word may be shorter than an opening, the whole word goes on behind it. */
  const opens = (at: number, end: number): boolean => {
    let opening = (CODES[text.charCodeAt(at)] ?? 0) * RADIX * RADIX;
    if (openings[opening] === 1) return true;
    for (let next = at + 1, unit = RADIX; next < end && unit > 0; next++) {
      const code = CODES[text.charCodeAt(next)] ?? 0;
      if (code === 0) continue;
      opening += code * unit;
      if (openings[opening] === 1) return true;
      unit = unit === RADIX ? 1 : 0;
    }
    return false;
  };
  return (start, end) => {
    let hash = 0;
    let before = 0;
    for (let at = start; at < end; at++) {
      const c = text.charCodeAt(at);
      if (c >= 128) return true;
      const code = CODES[c] ?? 0;
      const isUpper = c >= 65 && c <= 90;
      const isBeginning = before === 0 || isUpper || code >= FIRST_DIGIT !== before >= FIRST_DIGIT;
      before = code;
      if (code === 0) continue;
      if (isBeginning && opens(at, end)) return true;
      hash = mix(hash, code);
    }
    return hashes[hash] === 1;
  };
}

/** By opening: 1 where a term of the focus has it, or an abbreviation of one. */
function openingsOf(focus: Focus): Uint8Array {
  const openings = new Uint8Array(RADIX * RADIX * RADIX);
  for (const { term } of focus.terms) openings[openingOf(term)] = 1;
  for (const [short, long] of ABBREVIATIONS) if (openings[openingOf(long)] === 1) openings[openingOf(short)] = 1;
  // A term of other characters is none of an ASCII word's.
  openings[0] = 0;
  return openings;
}

/** The first three characters of a term as a number; 0 where it is none of an ASCII word. */
function openingOf(term: string): number {
  let opening = 0;
  for (let k = 0; k < 3; k++) {
    const code = k < term.length ? (CODES[term.charCodeAt(k)] ?? 0) : 0;
    if (code === 0 && k < term.length) return 0;
    opening = opening * RADIX + code;
  }
  return opening;
}

function hashOf(name: string): number {
  let hash = 0;
  for (let k = 0; k < name.length; k++) hash = mix(hash, CODES[name.charCodeAt(k)] ?? 0);
  return hash;
}

function mix(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) & (NAME_SLOTS - 1);
}
