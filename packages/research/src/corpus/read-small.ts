// A file's bytes where it is a text and small enough. Everything else is told apart, never waited for and never followed.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";

const BINARY_LOOK_BYTES = 8_192;

export interface SmallFile {
  /** undefined: a text, and too large. */
  readonly bytes: Buffer | undefined;
  readonly size: number;
  readonly mtimeMs: number;
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
    const { size, mtimeMs } = stats;
    const isSmall = size <= maxBytes;
    const buffer = Buffer.allocUnsafe(isSmall ? size : BINARY_LOOK_BYTES);
    let filled = 0;
    for (let got = 1; got > 0 && filled < buffer.length; filled += got)
      got = readSync(handle, buffer, filled, buffer.length - filled, filled);
    const bytes = buffer.subarray(0, filled);
    if (bytes.subarray(0, BINARY_LOOK_BYTES).includes(0)) return undefined;
    return { bytes: isSmall ? bytes : undefined, size, mtimeMs };
  } catch {
    return undefined;
  } finally {
    closeSync(handle);
  }
}
