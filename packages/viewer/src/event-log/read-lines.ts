// Reads lines of an open file from an offset on, with bounds on each line and on all of them. A line that is not complete
// is marked.
import type { FileHandle } from "node:fs/promises";
import { byteLinesOf, createLineReader, type LineBlock } from "@jeeves/base";

const CHUNK_BYTES = 256 * 1024;
/** For one line: most are shorter. */
const ONE_LINE_BYTES = 16 * 1024;
/** Lines that lie further apart are read one by one. */
const MAX_SPAN_BYTES = 4 * 1024 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;
/** A window of very long lines ends early rather than fill the memory. */
const MAX_WINDOW_BYTES = 16 * 1024 * 1024;

/** One line as read, without its line end; at most 1 MiB of it. */
export interface ReadLine {
  readonly text: string;
  /** The line was longer than the limit; `text` is its beginning. */
  readonly isCut: boolean;
  /** It has no line end: half written, or being written right now. */
  readonly isTorn: boolean;
}

/**
 * Reads `count` lines, beginning `skip` lines after `offset`, which must be the start of a line. Returns fewer at the end of
 * the file, and after 16 MiB. A last line without a line end is left out unless `withTorn` is set.
 */
export async function readLines(
  handle: FileHandle,
  window: {
    readonly offset: number;
    readonly skip: number;
    readonly count: number;
    readonly withTorn?: boolean;
    readonly chunkBytes?: number;
  },
): Promise<ReadLine[]> {
  const lines: ReadLine[] = [];
  const reader = createLineReader({ maxBytes: MAX_LINE_BYTES, headBytes: MAX_LINE_BYTES });
  const buffer = Buffer.allocUnsafe(window.chunkBytes ?? CHUNK_BYTES);
  let { skip } = window;
  let readBytes = 0;

  const take = (blocks: readonly LineBlock[], isTorn: boolean): void => {
    for (const block of blocks) {
      const isCut = block.kind === "oversized";
      for (const bytes of isCut ? [block.head] : byteLinesOf(block.bytes)) {
        if (lines.length === window.count) return;
        if (skip > 0) skip--;
        else lines.push({ text: bytes.toString("utf8"), isCut, isTorn });
      }
    }
  };

  for (let position = window.offset; lines.length < window.count; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) {
      if (window.withTorn === true) take(reader.end(), true);
      break;
    }
    position += bytesRead;
    take(reader.push(buffer.subarray(0, bytesRead)), false);
    if (skip === 0) readBytes += bytesRead;
    if (readBytes > MAX_WINDOW_BYTES && lines.length > 0) break;
  }
  return lines;
}

/** The line that starts at `offset`; undefined at the end of the file, or where the line has no end yet. */
export async function readLineAt(handle: FileHandle, offset: number): Promise<ReadLine | undefined> {
  return (await readLines(handle, { offset, skip: 0, count: 1, chunkBytes: ONE_LINE_BYTES }))[0];
}

/** Lines that lie close together are read at once, not one by one: a window has hundreds of them. */
export async function createLineLookup(
  handle: FileHandle,
  offsets: readonly number[],
): Promise<(offset: number) => Promise<ReadLine | undefined>> {
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const offset of offsets) {
    from = Math.min(from, offset);
    to = Math.max(to, offset);
  }
  const one = (offset: number) => readLineAt(handle, offset);
  if (offsets.length < 2 || to - from > MAX_SPAN_BYTES) return one;
  const span = Buffer.allocUnsafe(to - from + ONE_LINE_BYTES);
  const { bytesRead } = await handle.read(span, 0, span.length, from);
  const read = span.subarray(0, bytesRead);
  return async (offset) => {
    const end = read.indexOf(0x0a, offset - from);
    if (end === -1 || end - (offset - from) > MAX_LINE_BYTES) return one(offset);
    return { text: read.toString("utf8", offset - from, end), isCut: false, isTorn: false };
  };
}
