// Terms as numbers. A term's number is a hash of its letters, so that it means the same in every process and in every
// index without a table; among a million terms some hundred share one, which costs rank and never truth.
import { scanWords, termsOf, wholeOf } from "@jeeves/prune/text";

// Words of data (hashes, numbers) would fill the memory and never be asked again.
const MAX_REMEMBERED_WORDS = 100_000;
let remembered = new Map<string, readonly number[]>();

/** The number of one term, 1 … 2³²−1. */
export function termId(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash >>> 0 || 1;
}

/** The numbers of a raw word's terms: its stemmed parts, then the whole where it has several. */
export function termIdsOf(word: string): readonly number[] {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const made = termsOf(word).map(termId);
  if (remembered.size >= MAX_REMEMBERED_WORDS) remembered = new Map();
  remembered.set(word, made);
  return made;
}

/** The number of an identifier as one term, whatever its parts. */
export function wholeId(name: string): number {
  return termId(wholeOf(name.normalize("NFKC")));
}

/** The numbers of all terms of a text. */
export function termIdsIn(text: string): Set<number> {
  const ids = new Set<number>();
  scanWords(text, 0, text.length, (word) => {
    for (const id of termIdsOf(word)) ids.add(id);
  });
  return ids;
}
