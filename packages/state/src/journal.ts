// Events as JSON lines: written one whole line at a time, read while they are being written. A line
// that was cut short by a dying writer or a full disk is skipped, never guessed at.
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createLineReader, systemCodeOf } from "@jeeves/base";
import { makeDirs } from "./files/make-dirs.ts";
import { NONBLOCK, notPlain, openPlainFile } from "./files/plain-file.ts";

const CHUNK_BYTES = 262_144;
const MAX_LINE_BYTES = 16 * 1024 * 1024; // a longer line is not one of ours
const LINE_END = 0x0a;
const DEFAULT_POLL_MS = 200;
/** A line of ours is looked for from the end, so much at a time. */
const LOOK_BACK_BYTES = 16_384;
/**
 * Like "a+", but non-blocking: a write to a full pipe without a reader would block a thread of Node's pool, and so the
 * process, for ever. Plain files never block like that. O_RDWR keeps the open of a pipe from waiting for a reader.
 */
const APPEND_FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NONBLOCK;

/** A file of events as JSON lines that several processes may append to. */
export interface Journal {
  /**
   * Resolves when the line has been handed to the system: it survives the death of this process. Appends keep their order.
   * Rejects with the system's error, with EAGAIN for a full pipe.
   */
  append(entry: object): Promise<void>;
  close(): Promise<void>;
}

interface JournalOptions {
  /** Rejects appends to a pipe or a device, which no reader could read back. */
  readonly onlyPlain?: boolean;
}

/** A journal in a file, which the first append opens, with missing directories (0700). */
export function createJournal(file: string, { onlyPlain = false }: JournalOptions = {}): Journal {
  let opening: Promise<FileHandle> | undefined;
  let last: Promise<unknown> = Promise.resolve(); // appends keep their order
  let torn = false;
  let isPlain = true;
  let isNamed = true; // some file systems count no names at all
  let end: number | undefined; // of the file, while nothing stands behind our last line

  async function openFile(): Promise<FileHandle> {
    const handle = await open(file, APPEND_FLAGS, 0o600).catch(async (error: unknown) => {
      if (systemCodeOf(error) !== "ENOENT") throw error;
      await makeDirs(dirname(file), { mode: 0o700 });
      return open(file, APPEND_FLAGS, 0o600);
    });
    try {
      const stats = await handle.stat();
      isPlain = stats.isFile();
      if (onlyPlain && !isPlain) throw notPlain(file);
      isNamed = stats.nlink > 0;
      end = stats.size;
      torn = isPlain && !(await endsWithNewline(handle, stats.size));
      return handle;
    } catch (error) {
      await handle.close().catch(() => {});
      throw error;
    }
  }

  async function write(line: Buffer): Promise<void> {
    opening ??= openFile();
    const handle = await opening.catch((error: unknown) => {
      opening = undefined; // the next append tries again
      throw error;
    });
    if (!torn) {
      await writeWhole(handle, line);
      const place = await placeOf(handle, line);
      if (place === "its own line") return;
      if (place === "a removed file") {
        await closeFile();
        return write(line);
      }
    }
    await writeWhole(handle, Buffer.concat([Buffer.of(LINE_END), line]));
  }

  async function closeFile(): Promise<void> {
    const handle = await opening?.catch(() => undefined);
    opening = undefined;
    await handle?.close();
  }

  async function writeWhole(handle: FileHandle, bytes: Buffer): Promise<void> {
    torn = true;
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length);
    if (bytesWritten < bytes.length)
      throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written to ${file}`);
    torn = false;
  }

  /**
   * Other processes write here too: where one of them tore a line, ours was glued to it. A sole writer need not look.
   */
  async function placeOf(
    handle: FileHandle,
    line: Buffer,
  ): Promise<"its own line" | "another's line" | "a removed file"> {
    if (!isPlain) return "its own line";
    const { size, nlink } = await handle.stat();
    // A line in a removed file is lost.
    if (isNamed && nlink === 0) return "a removed file";
    const isSole = end !== undefined && size === end + line.length;
    const place = isSole ? { isAtLineStart: true, isLast: true } : await findLast(handle, line, size);
    end = place.isLast ? size : undefined;
    return place.isAtLineStart ? "its own line" : "another's line";
  }

  return {
    append(entry) {
      const line = Buffer.from(`${JSON.stringify(entry)}\n`);
      const done = last.then(() => write(line));
      last = done.catch(() => {});
      return done;
    },
    async close() {
      await last;
      await closeFile();
    },
  };
}

interface ReadJournalOptions {
  readonly signal?: AbortSignal;
  /** Only entries that hold this in a string; the others are looked through as bytes and never parsed. */
  readonly holding?: string;
  /** Only the end of a larger file. */
  readonly maxBytes?: number;
}

/** The entry of every whole line that is there now. A missing file has none; anything but a regular file throws. */
export async function* readJournal(file: string, options: ReadJournalOptions = {}): AsyncGenerator<object> {
  const opened = await openPlainFile(file);
  if (opened === undefined) return;
  const { handle, size } = opened;
  try {
    const entries = createEntryReader(options.holding);
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let position = Math.max(0, size - (options.maxBytes ?? size)); ; ) {
      options.signal?.throwIfAborted();
      // No further than its size at the start: a writer that never stops would keep the reader going for ever.
      const chunk = await readChunk(handle, position, buffer.subarray(0, Math.max(0, size - position)));
      if (chunk.length === 0) return;
      position += chunk.length;
      yield* entries(chunk);
    }
  } finally {
    await handle.close().catch(() => {});
  }
}

interface TailJournalOptions {
  readonly signal: AbortSignal;
  readonly from?: "start" | "end";
  readonly pollMs?: number;
}

/**
 * Entries that are there (unless `from` is "end") and all that follow, also in a file that replaces it; ends when the
 * signal aborts.
 */
export async function* tailJournal(file: string, options: TailJournalOptions): AsyncGenerator<object> {
  const { signal, from = "start", pollMs = DEFAULT_POLL_MS } = options;
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const opened = await openPlainFile(file);
  let handle = opened?.handle;
  let position = from === "end" ? (opened?.size ?? 0) : 0;
  let entries = createEntryReader();
  try {
    while (!signal.aborted) {
      const chunk = handle === undefined ? buffer.subarray(0, 0) : await readChunk(handle, position, buffer);
      position += chunk.length;
      for (const entry of entries(chunk)) {
        yield entry;
        if (signal.aborted) return;
      }
      if (chunk.length > 0) continue;
      if (handle === undefined || (await wasReplaced(file, { handle, position }))) {
        await handle?.close();
        handle = (await openPlainFile(file))?.handle;
        position = 0;
        entries = createEntryReader();
        if (handle !== undefined) continue;
      }
      await delay(pollMs, undefined, { signal }).catch(() => {}); // an abort ends the loop above
    }
  } finally {
    await handle?.close();
  }
}

async function wasReplaced(
  file: string,
  at: { readonly handle: FileHandle; readonly position: number },
): Promise<boolean> {
  const [now, ours] = await Promise.all([stat(file).catch(() => undefined), at.handle.stat()]);
  if (ours.size < at.position) return true; // truncated in place
  return now !== undefined && (now.ino !== ours.ino || now.dev !== ours.dev);
}

/** Chunks in, the entries of whole lines out; with `holding`, only those that hold it in a string. */
function createEntryReader(holding = ""): (chunk: Buffer) => Generator<object> {
  const words = Buffer.from(JSON.stringify(holding).slice(1, -1));
  const lines = createLineReader({ maxBytes: MAX_LINE_BYTES });
  return function* read(chunk) {
    for (const block of lines.push(chunk)) if (block.kind === "lines") yield* entriesIn(block.bytes, words);
  };
}

function* entriesIn(lines: Buffer, words: Buffer): Generator<object> {
  for (let at = 0; at < lines.length; ) {
    if (words.length > 0) {
      const found = lines.indexOf(words, at);
      if (found < 0) return;
      at = lines.lastIndexOf(LINE_END, found) + 1;
    }
    const end = lines.indexOf(LINE_END, at);
    const entry = parseLine(lines.toString("utf8", at, end));
    if (entry !== undefined) yield entry;
    at = end + 1;
  }
}

function parseLine(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

async function readChunk(handle: FileHandle, position: number, buffer: Buffer): Promise<Buffer> {
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
  return buffer.subarray(0, bytesRead);
}

/** Where `line` stands the last time; nowhere, if someone emptied the file. */
async function findLast(
  handle: FileHandle,
  line: Buffer,
  size: number,
): Promise<{ readonly isAtLineStart: boolean; readonly isLast: boolean }> {
  for (let to = size; ; ) {
    const from = Math.max(0, to - line.length - LOOK_BACK_BYTES);
    const part = await readChunk(handle, from, Buffer.allocUnsafe(to - from));
    const at = part.lastIndexOf(line);
    const isLast = from + at + line.length === size;
    if (at > 0) return { isAtLineStart: part[at - 1] === LINE_END, isLast };
    if (from === 0) return { isAtLineStart: at === 0, isLast: at === 0 && isLast };
    to = from + line.length; // it may lie across the edge, or have its beginning there
  }
}

async function endsWithNewline(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true;
  const last = await readChunk(handle, size - 1, Buffer.alloc(1));
  return last[0] === LINE_END;
}
