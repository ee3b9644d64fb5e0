// Which lines of a file a session has been shown, in the same words: by runs of four lines, so that a lone brace that
// stands everywhere is not taken for seen. Bounded; forgotten where the context was compacted.
import type { LineTable } from "@jeeves/prune";

const RUN_LINES = 4;
const MAX_FILES = 100;
const MAX_RUNS = 50_000;
/** A context that is smaller than before by more was compacted or cleared. */
const COMPACTED_SHARE = 0.7;

export interface SeenLines {
  /** Forgets everything if the context has shrunk since. */
  noteContext(contextTokens: number | undefined): void;
  /** Per line, 1 if it was shown before; undefined for a file of which nothing was. */
  seenOf(path: string, table: LineTable): Uint8Array | undefined;
  /** These lines (all by default) of the file were shown. */
  remember(path: string, table: LineTable, isShown?: (line: number) => boolean): void;
  /** Share of the text's characters that was shown before. */
  shareOf(path: string, table: LineTable): number;
}

/** The memory of one session. */
export function createSeenLines(): SeenLines {
  const files = new Map<string, Set<number>>();
  let lastContext = 0;

  function seenOf(path: string, table: LineTable): Uint8Array | undefined {
    const runs = files.get(path);
    if (runs === undefined) return undefined;
    const seen = new Uint8Array(table.count);
    eachRun(table, (hash, first) => {
      if (runs.has(hash)) seen.fill(1, first, first + RUN_LINES);
    });
    return seen;
  }

  return {
    noteContext(contextTokens) {
      if (contextTokens === undefined) return;
      if (contextTokens < lastContext * COMPACTED_SHARE) files.clear();
      lastContext = contextTokens;
    },
    seenOf,
    shareOf(path, table) {
      const seen = seenOf(path, table);
      if (seen === undefined || table.text.length === 0) return 0;
      let chars = 0;
      for (let i = 0; i < table.count; i++)
        if (seen[i] === 1) chars += (table.starts[i + 1] ?? table.text.length) - (table.starts[i] ?? 0);
      return chars / table.text.length;
    },
    remember(path, table, isShown = () => true) {
      const runs = files.get(path) ?? new Set<number>();
      eachRun(table, (hash, first) => {
        for (let line = first; line < first + RUN_LINES; line++) if (!isShown(line)) return;
        if (runs.size < MAX_RUNS) runs.add(hash);
      });
      files.delete(path);
      files.set(path, runs);
      const oldest = files.keys().next();
      if (files.size > MAX_FILES && !oldest.done) files.delete(oldest.value);
    },
  };
}

/** Calls back with a hash of every run of four lines and its first line. */
function eachRun({ text, starts, count }: LineTable, found: (hash: number, first: number) => void): void {
  const hashes = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    let hash = 0x811c9dc5;
    const end = starts[i + 1] ?? text.length;
    for (let at = starts[i] ?? 0; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code !== 10 && code !== 13) hash = Math.imul(hash ^ code, 0x01000193);
    }
    hashes[i] = hash;
  }
  for (let i = 0; i + RUN_LINES <= count; i++) {
    let high = 0;
    let low = 0;
    for (let k = 0; k < RUN_LINES; k++) {
      high = Math.imul(high ^ (hashes[i + k] ?? 0), 0x85ebca6b);
      low = Math.imul(low + (hashes[i + k] ?? 0), 0xc2b2ae35) ^ (high >>> 13);
    }
    // 53 bits of the two: a session has some ten thousand runs.
    found((high >>> 0) * 0x200000 + ((low >>> 0) & 0x1fffff), i);
  }
}
