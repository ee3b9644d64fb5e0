// Remembers what was computed about a text independently of any question: its words, its outline. A second question about the
// same file finds them here. Texts are identified by their content and bounded by bytes; each thread has its own.
import { type LineTable, splitLines } from "./lines.ts";

/** About a hundred files of 500 lines. */
const MOST_BYTES = 8 * 1024 * 1024;
/** A larger text would evict all others. */
const LARGEST_BYTES = MOST_BYTES / 2;
/** Bytes of a character in memory, in a text with any beyond Latin-1. */
const BYTES_PER_CHAR = 2;
/** Bytes of an entry for any text, however short. */
const ENTRY_BYTES = 1024;

interface KnownText {
  readonly table: LineTable;
  readonly facts: Map<object, { readonly made: unknown; readonly polls: number }>;
  bytes: number;
}

/** The texts by their content, the least recently used first. */
const texts = new Map<string, KnownText>();
const byTable = new WeakMap<LineTable, KnownText>();
let allBytes = 0;

/** The lines of a text; the same table as the last time, if the text is known. */
export function knownLines(whole: string | LineTable): LineTable {
  const text = typeof whole === "string" ? whole : whole.text;
  const known = texts.get(text) ?? newText(typeof whole === "string" ? splitLines(whole) : whole);
  texts.delete(text);
  texts.set(text, known);
  if (!byTable.has(known.table)) {
    byTable.set(known.table, known);
    grow(known, ENTRY_BYTES + text.length * BYTES_PER_CHAR + known.table.starts.byteLength);
  }
  return known.table;
}

function newText(table: LineTable): KnownText {
  return { table, facts: new Map(), bytes: 0 };
}

/**
 * The result of `make` for a text; computed once for each `about` while the text is known.
 * @param bytesOf about the bytes of the result in memory; undefined: it is not kept
 * @param poll called as often for a known answer as for a new one, so that the same text always ends at the same place
 */
export function remember<T>(
  table: LineTable,
  about: object,
  make: (poll: () => void) => T,
  bytesOf: (made: T) => number | undefined,
  poll: () => void = () => {},
): T {
  const known = byTable.get(table);
  const fact = known?.facts.get(about);
  if (fact !== undefined) {
    for (let k = 0; k < fact.polls; k++) poll();
    return fact.made as T;
  }
  let polls = 0;
  const made = make(() => {
    polls++;
    poll();
  });
  const bytes = known === undefined ? undefined : bytesOf(made);
  // The text may have been evicted meanwhile.
  if (known === undefined || bytes === undefined || byTable.get(table) !== known) return made;
  known.facts.set(about, { made, polls });
  grow(known, bytes);
  return made;
}

/** Bytes that are remembered, about. */
export function knownBytes(): number {
  return allBytes;
}

function grow(known: KnownText, bytes: number): void {
  known.bytes += bytes;
  allBytes += bytes;
  if (known.bytes > LARGEST_BYTES) forget(known);
  for (const oldest of texts.values()) {
    if (allBytes <= MOST_BYTES) return;
    forget(oldest);
  }
}

function forget(known: KnownText): void {
  texts.delete(known.table.text);
  byTable.delete(known.table);
  allBytes -= known.bytes;
}
