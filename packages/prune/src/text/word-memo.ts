// Remembers what became of each distinct ASCII word of one text, found by its place in the text and not by a copy of
// it: a text has few words and many occurrences, and a string for each of them would cost more than all else.

const FIRST_SLOTS = 4096;
/** Texts of ever-new words (ids, hashes) must not grow the memo with their size. */
const MOST_WORDS = 200_000;

export class WordMemo<T> {
  readonly #text: string;
  readonly #make: (word: string) => T;
  /** Number of the word plus one, 0 for none; open addressing. */
  #slots = new Int32Array(FIRST_SLOTS);
  readonly #hashes: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #made: T[] = [];

  constructor(text: string, make: (word: string) => T) {
    this.#text = text;
    this.#make = make;
  }

  /** What `make` said of text[start, end), whose hash is given; asked once per distinct word. */
  get(start: number, end: number, hash: number): T {
    const mask = this.#slots.length - 1;
    let at = hash & mask;
    for (;;) {
      const id = (this.#slots[at] ?? 0) - 1;
      if (id < 0) break;
      if (this.#hashes[id] === hash && this.#isSame(id, start, end)) return this.#made[id] as T;
      at = (at + 1) & mask;
    }
    const made = this.#make(this.#text.slice(start, end));
    if (this.#made.length >= MOST_WORDS) return made;
    this.#hashes.push(hash);
    this.#starts.push(start);
    this.#ends.push(end);
    this.#made.push(made);
    this.#slots[at] = this.#made.length;
    if (this.#made.length * 2 > this.#slots.length) this.#grow();
    return made;
  }

  #isSame(id: number, start: number, end: number): boolean {
    const other = this.#starts[id] ?? 0;
    if ((this.#ends[id] ?? 0) - other !== end - start) return false;
    const text = this.#text;
    for (let k = 0; k < end - start; k++) if (text.charCodeAt(start + k) !== text.charCodeAt(other + k)) return false;
    return true;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (const [id, hash] of this.#hashes.entries()) {
      let at = hash & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = id + 1;
    }
    this.#slots = slots;
  }
}
