// Lines of an open file from a known place on: as many as asked for, within a bound on bytes, each no longer than can be
// parsed. The file may end in the middle of a line; that line says so.
import type { FileHandle } from "node:fs/promises";

const CHUNK_BYTES = 256 * 1024;
/** Most lines are shorter. */
const ONE_LINE_BYTES = 16 * 1024;
/** What a window of usual lines spans. */
const MAX_SPAN_BYTES = 4 * 1024 * 1024;
export const MAX_LINE_BYTES = 1024 * 1024;
/** A window of very long lines ends early rather than fill the memory. */
const MAX_WINDOW_BYTES = 16 * 1024 * 1024;

export interface ReadLine {
  readonly text: string;
  /** There was more of it than is kept. */
  readonly isCut: boolean;
  /** It has no line end: half written, or being written right now. */
  readonly isTorn: boolean;
}

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
  let { skip } = window;
  let parts: Buffer[] = [];
  let partBytes = 0;
  let lineBytes = 0;
  let readBytes = 0;
  const chunkBytes = window.chunkBytes ?? CHUNK_BYTES;
  const buffer = Buffer.allocUnsafe(chunkBytes);

  const take = (chunk: Buffer): void => {
    lineBytes += chunk.length;
    if (skip > 0 || partBytes >= MAX_LINE_BYTES) return;
    const part = Buffer.from(chunk.subarray(0, MAX_LINE_BYTES - partBytes));
    parts.push(part);
    partBytes += part.length;
  };
  const finish = (isTorn: boolean): void => {
    if (skip > 0) skip--;
    else lines.push({ text: Buffer.concat(parts).toString("utf8"), isCut: lineBytes > partBytes, isTorn });
    parts = [];
    partBytes = 0;
    lineBytes = 0;
  };

  for (let position = window.offset; lines.length < window.count; ) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, position);
    if (bytesRead === 0) {
      if (window.withTorn === true && lineBytes > 0) finish(true);
      break;
    }
    position += bytesRead;
    let from = 0;
    while (lines.length < window.count) {
      const end = buffer.subarray(0, bytesRead).indexOf(0x0a, from);
      take(buffer.subarray(from, end === -1 ? bytesRead : end));
      if (end === -1) break;
      finish(false);
      from = end + 1;
    }
    if (skip === 0) readBytes += bytesRead;
    if (readBytes > MAX_WINDOW_BYTES && lines.length > 0) break;
  }
  return lines;
}

export async function readLineAt(handle: FileHandle, offset: number): Promise<ReadLine | undefined> {
  return (await readLines(handle, { offset, skip: 0, count: 1, chunkBytes: ONE_LINE_BYTES }))[0];
}

/** Lines that lie close together are read at once, not one by one: a window has hundreds of them. */
export async function createLineReader(
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
