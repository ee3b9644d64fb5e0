// Reading files that others can replace by anything: a pipe never ends and opening one may block, /dev/zero has no end,
// a directory fails late. Only a regular file within its size limit is read.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { systemCodeOf } from "@jeeves/base";

/** Without O_NONBLOCK the open of a pipe waits for its other end, and keeps a thread of Node's pool. */
export const NONBLOCK = constants.O_NONBLOCK ?? 0;

/** Opens a regular file for reading; undefined where it does not exist. Rejects for a directory, a pipe or a device. */
export async function openPlainFile(
  path: string,
): Promise<{ readonly handle: FileHandle; readonly size: number } | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | NONBLOCK);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notPlain(path);
    return { handle, size: stats.size };
  } catch (error) {
    await handle.close().catch(() => {});
    throw error;
  }
}

/** All bytes of a regular file; undefined where it does not exist. Rejects for anything else, and beyond `maxBytes`. */
export async function readPlainFile(
  path: string,
  { maxBytes }: { readonly maxBytes: number },
): Promise<Buffer | undefined> {
  const file = await openPlainFile(path);
  if (file === undefined) return undefined;
  try {
    if (file.size > maxBytes) throw new Error(`${path} has ${file.size} bytes, more than ${maxBytes}`);
    const buffer = Buffer.allocUnsafe(file.size);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await file.handle.close().catch(() => {});
  }
}

/** The error for a path that is not a regular file. */
export function notPlain(path: string): Error {
  return new Error(`${path} is not a regular file`);
}
