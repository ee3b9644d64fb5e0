// Every word of a text as a number: one pass, each distinct word known by its place in the text and not by a copy of it.
// A text has few words and many occurrences, and a string for each of them would cost more than everything else. It does not
// depend on the focus, so that it is remembered for a second question (known-texts.ts).
import { remember } from "./known-texts.ts";
import type { LineTable } from "./lines.ts";
import { WordScanner } from "./words.ts";

interface WordIndex {
  /** Words of each line. */
  readonly wordCount: Uint32Array;
  /** Every word of the text in its order, numbered as they first occur: wordCount tells whose they are. */
  readonly words: Uint32Array;
  /** How many different words there are. Word 0 stands for numbers, where these were not asked for. */
  readonly distinct: number;
  /** Where word i first stands: text[starts[i], ends[i]). */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

const NUMBER = 0;
const FIRST_SLOTS = 4096;
/** Texts of ever-new words (ids, hashes) must not grow the memo with their size. */
const MOST_WORDS = 200_000;
const KEPT_ROOM = 500_000;
const MOST_OTHERS = 100_000;
const POLL_LINES = 16;
/** Characters that are read of a line: a longer one is data, of which the beginning is enough. */
const MOST_CHARS = 20_000;

const WITH_NUMBERS = {};
const WITHOUT_NUMBERS = {};

/**
 * The words of a text, remembered by the text. With `withNumbers` each number is a word; else all of them are word 0.
 */
export function wordsOf(
  table: LineTable,
  { withNumbers, poll }: { readonly withNumbers: boolean; readonly poll: (() => void) | undefined },
): WordIndex {
  return remember(
    table,
    withNumbers ? WITH_NUMBERS : WITHOUT_NUMBERS,
    (own) => indexWords(table, withNumbers, own),
    (index) =>
      [index.words, index.wordCount, index.starts, index.ends].reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
    poll,
  );
}

function indexWords(table: LineTable, withNumbers: boolean, poll: () => void): WordIndex {
  const { text, count } = table;
  const lexicon = new Lexicon(text);
  const scanner = new WordScanner(text);
  const others = new Map<string, number>();
  const wordCount = new Uint32Array(count);
  let words = new Uint32Array(Math.max(64, text.length >>> 2));
  let next = 0;
  const add = (id: number): void => {
    if (next === words.length) words = grown(words);
    words[next++] = id;
  };
  for (let i = 0; i < count; i++) {
    if (i % POLL_LINES === 0) poll();
    const first = next;
    const start = table.starts[i] ?? 0;
    const end = Math.min(table.starts[i + 1] ?? 0, start + MOST_CHARS);
    for (let at = start; scanner.next(at, end); at = scanner.end) {
      if (!scanner.isAscii) {
        for (const { word, at: place } of scanner.otherWords()) {
          const id = others.get(word) ?? lexicon.add(place, place + word.length);
          if (others.size < MOST_OTHERS) others.set(word, id);
          add(id);
        }
      } else if (scanner.isNumber && !withNumbers) add(NUMBER);
      else add(lexicon.find(scanner.start, scanner.end, scanner.hash));
    }
    wordCount[i] = next - first;
  }
  // Of a long text a copy would cost more than the room that is left over.
  const all = next < KEPT_ROOM ? words.slice(0, next) : words.subarray(0, next);
  return { wordCount, words: all, ...lexicon.places() };
}

/** Numbers each distinct ASCII word; words are compared in the text, without copies. */
class Lexicon {
  readonly #text: string;
  /** Number of the word, 0 for none; open addressing. */
  #slots = new Int32Array(FIRST_SLOTS);
  #hashes = new Int32Array(FIRST_SLOTS);
  #starts = new Uint32Array(FIRST_SLOTS);
  #ends = new Uint32Array(FIRST_SLOTS);
  #distinct = 1;
  #inSlots = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The number of text[start, end), whose hash is given. */
  find(start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = hash & mask;
    for (let id = slots[at] ?? 0; id !== 0; id = slots[at] ?? 0) {
      if (this.#hashes[id] === hash && this.#isSame(id, start, end)) return id;
      at = (at + 1) & mask;
    }
    const id = this.add(start, end);
    if (this.#inSlots >= MOST_WORDS) return id;
    this.#hashes[id] = hash;
    slots[at] = id;
    if (++this.#inSlots * 2 > slots.length) this.#grow();
    return id;
  }

  /** A word that no other is compared with. */
  add(start: number, end: number): number {
    const id = this.#distinct++;
    if (id === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#ends = grown(this.#ends);
      this.#hashes = grown(this.#hashes);
    }
    this.#starts[id] = start;
    this.#ends[id] = end;
    return id;
  }

  places(): Pick<WordIndex, "distinct" | "starts" | "ends"> {
    const distinct = this.#distinct;
    return { distinct, starts: this.#starts.slice(0, distinct), ends: this.#ends.slice(0, distinct) };
  }

  #isSame(id: number, start: number, end: number): boolean {
    const other = this.#starts[id] ?? 0;
    if ((this.#ends[id] ?? 0) - other !== end - start) return false;
    const text = this.#text;
    for (let k = start, j = other; k < end; k++, j++) if (text.charCodeAt(k) !== text.charCodeAt(j)) return false;
    return true;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (const id of this.#slots) {
      if (id === 0) continue;
      let at = (this.#hashes[id] ?? 0) & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = id;
    }
    this.#slots = slots;
  }
}

function grown<T extends Uint32Array | Int32Array>(values: T): T {
  const more = new (values.constructor as new (length: number) => T)(values.length * 2);
  more.set(values);
  return more;
}
