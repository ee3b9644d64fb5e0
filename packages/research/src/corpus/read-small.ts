// A file's bytes where it is a text and small enough. Links are not followed, and no read waits for a pipe.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import type { FileIdentity } from "../store/corpus-store.ts";

const BINARY_LOOK_BYTES = 8_192;
/** Every other byte of UTF-16 may be zero: without its byte order mark it would look like a binary file. */
const UTF16_BY_MARK: ReadonlyMap<string, string> = new Map([
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"],
]);

interface SmallFile {
  /** As UTF-8, whatever the file is in; undefined: a text, and too large. */
  readonly bytes: Buffer | undefined;
  /** Of the file that was opened. */
  readonly identity: FileIdentity;
}

/** undefined for what is no text file. */
export function readSmall(file: string, maxBytes: number): SmallFile | undefined {
  let handle: number;
  try {
    if (!lstatSync(file).isFile()) return undefined;
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return undefined;
    const { size, mtimeMs, ctimeMs, ino } = stats;
    const isSmall = size <= maxBytes;
    const buffer = Buffer.allocUnsafe(isSmall ? size : BINARY_LOOK_BYTES);
    let filled = 0;
    for (let got = 1; got > 0 && filled < buffer.length; filled += got)
      got = readSync(handle, buffer, filled, buffer.length - filled, filled);
    const bytes = toUtf8(buffer.subarray(0, filled));
    if (bytes.subarray(0, BINARY_LOOK_BYTES).includes(0)) return undefined;
    return { bytes: isSmall ? bytes : undefined, identity: { size, mtimeMs, ctimeMs, ino } };
  } catch {
    return undefined;
  } finally {
    closeSync(handle);
  }
}

function toUtf8(bytes: Buffer): Buffer {
  const encoding = UTF16_BY_MARK.get(bytes.toString("hex", 0, 2));
  return encoding === undefined ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes));
}
