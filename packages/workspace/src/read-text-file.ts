// One file inside the root as text, bounded in bytes, whole or by lines. Never blocks on what is not
// a regular file, never reads more than it returns needs.

import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { createPathGuard, type GuardOptions, type PathGuard } from "./opened-file.ts";
import { type Root, resolveInside } from "./root.ts";
import { toDeniedError } from "./rules/read-rules.ts";
import { cutToUtf8Bytes, decodeUtf8 } from "./utf8.ts";
import { invalidPath, toFileError, WorkspaceError } from "./workspace-error.ts";

/** A file with a NUL byte among its first so many bytes is binary. */
export const SNIFF_BYTES = 8192;
const CHUNK_BYTES = 262_144;
const NEWLINE = 0x0a;
const NO_BYTES = Buffer.alloc(0);

/** Which part of a file to read, how much of it at most, and under which rules. */
export interface ReadTextOptions extends GuardOptions {
  readonly maxBytes: number;
  /** 1-based, both ends included; lines end at `\n` alone and keep their line end. */
  readonly startLine?: number;
  readonly endLine?: number;
  readonly signal?: AbortSignal;
}

/** What was read of a file. */
export interface TextFile {
  readonly content: string;
  /** UTF-8 bytes of `content`. */
  readonly bytes: number;
  /** True where `maxBytes` cut it, not where only the range ends before the file. */
  readonly truncated: boolean;
  readonly validUtf8: boolean;
  readonly totalBytes: number;
  /** The number of the first line of `content`. */
  readonly firstLine: number;
  /** The number of lines of the file, only where `startLine` is beyond them. */
  readonly lineCount?: number;
}

/** Reads a text inside a root. Rejects with a WorkspaceError where it may not or cannot. */
export async function readTextFile(root: Root, filePath: string, options: ReadTextOptions): Promise<TextFile> {
  try {
    const { lexical, real } = await resolveInside(root, filePath);
    const guard = createPathGuard(root, options);
    const verdict = guard.verdictOn(lexical) ?? guard.verdictOn(real);
    if (verdict !== undefined) throw toDeniedError(filePath, verdict);
    refuseUnlessRegular(await stat(real), filePath); // before opening: opening a device can already do something
    options.signal?.throwIfAborted();
    const { handle, stats } = await openChecked(guard, { real, filePath });
    try {
      return await readLines(handle, { ...options, filePath, size: stats.size });
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw toFileError(error, filePath);
  }
}

/** Opens a file and judges what was opened: since its path was resolved, a directory on the way may have become a link. */
export async function openChecked(
  guard: PathGuard,
  { real, filePath }: { readonly real: string; readonly filePath: string },
): Promise<{ readonly handle: FileHandle; readonly stats: Stats }> {
  // O_NOFOLLOW: a link may have taken its place meanwhile. O_NONBLOCK: opening a FIFO would wait.
  const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stats = await handle.stat();
    refuseUnlessRegular(stats, filePath);
    const refusal = guard.refusalOf({ fd: handle.fd, stats, path: real, shownPath: filePath });
    if (refusal !== undefined) throw refusal;
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function refuseUnlessRegular(stats: Stats, shownPath: string): void {
  if (stats.isFile()) return;
  const kind = stats.isDirectory()
    ? "is a directory"
    : stats.isFIFO()
      ? "is a pipe, not a regular file"
      : stats.isSocket()
        ? "is a socket, not a regular file"
        : "is a device, not a regular file";
  throw invalidPath(shownPath, kind);
}

interface Reading extends ReadTextOptions {
  readonly filePath: string;
  readonly size: number;
}

async function readLines(handle: FileHandle, reading: Reading): Promise<TextFile> {
  const firstLine = Math.max(1, reading.startLine ?? 1);
  const lastLine = reading.endLine ?? Number.POSITIVE_INFINITY;
  const { maxBytes } = reading;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let readBytes = 0;
  let line = 1; // the line that the next byte belongs to
  let lastByte = NEWLINE;
  let more = true;
  let buffer = NO_BYTES;

  // One byte more than the limit is read, to distinguish a file that just fits from one that is cut.
  while (more && line <= lastLine && keptBytes <= maxBytes) {
    reading.signal?.throwIfAborted();
    const wanted = line >= firstLine ? Math.min(CHUNK_BYTES, maxBytes + 1 - keptBytes) : CHUNK_BYTES;
    const length = Math.max(wanted, readBytes === 0 ? SNIFF_BYTES : 1);
    if (buffer.length < length) buffer = Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await handle.read(buffer, 0, length, readBytes);
    const chunk = buffer.subarray(0, bytesRead);
    if (readBytes === 0) refuseBinary(chunk, reading);
    readBytes += chunk.length;
    more = chunk.length > 0;
    lastByte = chunk.at(-1) ?? lastByte;

    let start = 0;
    while (line < firstLine && start < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, start);
      start = newline < 0 ? chunk.length : newline + 1;
      if (newline >= 0) line++;
    }
    if (line < firstLine) continue;
    let end = start;
    if (lastLine === Number.POSITIVE_INFINITY) end = chunk.length;
    while (line <= lastLine && end < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, end);
      end = newline < 0 ? chunk.length : newline + 1;
      if (newline >= 0) line++;
    }
    if (end > start) {
      kept.push(chunk.subarray(start, end));
      keptBytes += end - start;
      buffer = NO_BYTES; // kept by the reader now; only skipped chunks share a buffer
    }
  }

  // A read of what is being cut off gives zeros from the system: bytes that were never in the file. (Some files, as
  // those in /proc, have no size at all.)
  if ((await handle.stat()).size < Math.min(readBytes, reading.size)) {
    throw new WorkspaceError("io_error", `${reading.filePath} became shorter while it was read`, {
      hint: "read it again",
    });
  }
  const all = Buffer.concat(kept);
  const over = all.length > maxBytes;
  const decoded = decodeUtf8(over ? all.subarray(0, maxBytes) : all, { cut: over });
  const content = cutToUtf8Bytes(decoded.text, maxBytes); // U+FFFD needs more bytes than what it stands for
  return {
    content,
    bytes: Buffer.byteLength(content),
    truncated: over || content.length < decoded.text.length,
    validUtf8: decoded.validUtf8,
    totalBytes: Math.max(reading.size, readBytes),
    firstLine,
    ...(!more && kept.length === 0 && firstLine > 1 ? { lineCount: lastByte === NEWLINE ? line - 1 : line } : {}),
  };
}

function refuseBinary(chunk: Buffer, reading: Reading): void {
  if (!chunk.subarray(0, SNIFF_BYTES).includes(0)) return;
  throw new WorkspaceError("io_error", `binary file, ${reading.size} bytes`, {
    hint: "a command such as `file`, `xxd` or `strings` can look into it",
  });
}
