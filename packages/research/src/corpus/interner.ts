// Numbers for terms, and a memory of which words give which terms. One per corpus.
import { termsOf, wholeOf } from "../words/terms.ts";

export interface Interner {
  idsOf(word: string): readonly number[];
  id(term: string): number;
  /** undefined: the term occurs nowhere. */
  find(term: string): number | undefined;
  /** The identifier as one term, whatever its parts. */
  wholeId(name: string): number;
  readonly size: number;
  terms(): IterableIterator<string>;
}

// Words of data (hashes, numbers) would fill the memory and never be asked again.
const MAX_REMEMBERED_WORDS = 400_000;

export function createInterner(known: Iterable<string> = []): Interner {
  const ids = new Map<string, number>();
  for (const term of known) ids.set(term, ids.size);
  let words = new Map<string, readonly number[]>();
  const id = (term: string): number => {
    const found = ids.get(term);
    if (found !== undefined) return found;
    const next = ids.size;
    ids.set(term, next);
    return next;
  };
  return {
    id,
    find: (term) => ids.get(term),
    wholeId: (name) => id(wholeOf(name)),
    idsOf(word) {
      const remembered = words.get(word);
      if (remembered !== undefined) return remembered;
      const { parts, whole } = termsOf(word);
      const made = parts.map(id);
      if (whole !== undefined) made.push(id(whole));
      if (words.size >= MAX_REMEMBERED_WORDS) words = new Map();
      words.set(word, made);
      return made;
    },
    get size() {
      return ids.size;
    },
    terms: () => ids.keys(),
  };
}
