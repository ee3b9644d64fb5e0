// Which lines of a file a session has in its context, by their numbers. A line counts as seen only if it still has the same
// number and text, and if the call that showed it is still part of the context.
import type { LineTable } from "@jeeves/prune";

const MAX_FILES = 100;
const MAX_LINES = 50_000;

/** Some lines of a file, and the number of the first of them. */
export interface FileLines {
  readonly path: string;
  readonly table: LineTable;
  readonly firstLine: number;
}

/** The shown lines of at most 100 files, 50,000 lines of each. */
export interface SeenLines {
  /** Whether lines of this file were shown at all. */
  has(path: string): boolean;
  /** Per line, 1 if the session has it. `calls`: the ids of the calls in its context. */
  seenOf(lines: FileLines, calls: ReadonlySet<string>): Uint8Array;
  /** Records that the call has shown these lines (all by default). */
  remember(lines: FileLines, callId: string, isShown?: (line: number) => boolean): void;
}

interface Shown {
  readonly hash: number;
  readonly callId: string;
}

/** The memory of one session. */
export function createSeenLines(): SeenLines {
  const files = new Map<string, Map<number, Shown>>();
  return {
    has: (path) => files.has(path),
    seenOf({ path, table, firstLine }, calls) {
      const shown = files.get(path);
      const seen = new Uint8Array(table.count);
      for (let index = 0; index < table.count; index++) {
        const last = shown?.get(firstLine + index);
        if (last !== undefined && calls.has(last.callId) && last.hash === hashOf(table, index)) seen[index] = 1;
      }
      return seen;
    },
    remember({ path, table, firstLine }, callId, isShown = () => true) {
      const shown = files.get(path) ?? new Map<number, Shown>();
      for (let index = 0; index < table.count && shown.size < MAX_LINES; index++)
        if (isShown(index)) shown.set(firstLine + index, { hash: hashOf(table, index), callId });
      files.delete(path);
      files.set(path, shown);
      const oldest = files.keys().next();
      if (files.size > MAX_FILES && !oldest.done) files.delete(oldest.value);
    },
  };
}

/** The share of a text's characters that are in seen lines, 0 to 1. */
export function seenShare({ text, starts, count }: LineTable, seen: Uint8Array): number {
  let chars = 0;
  for (let i = 0; i < count; i++) if (seen[i] === 1) chars += (starts[i + 1] ?? text.length) - (starts[i] ?? 0);
  return text.length === 0 ? 0 : chars / text.length;
}

/** A 53-bit hash of a line, without its line end. */
function hashOf({ text, starts }: LineTable, index: number): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  const end = starts[index + 1] ?? text.length;
  for (let at = starts[index] ?? 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) continue;
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  return (high >>> 0) * 0x200000 + ((low >>> 0) & 0x1fffff);
}
