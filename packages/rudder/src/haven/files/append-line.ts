// One more line at the end of a file, whole or not at all. All writers hold the haven's lock.
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { inTheWay } from "./read-if-there.ts";

/** Appends whole lines; `from` is how long the file was before. Throws where what is there is no plain file. */
export function appendText(path: string, text: string): { readonly from: number } {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const descriptor = openSync(path, flags, 0o600);
  try {
    const stats = fstatSync(descriptor);
    // What is written into a pipe is there for no reader.
    if (!stats.isFile()) throw inTheWay(path);
    const { size } = stats;
    // An editor, or a machine that lost power, may leave a line without its end.
    const gap = size > 0 && lastByte(descriptor, size) !== 0x0a ? "\n" : "";
    const bytes = Buffer.from(`${gap}${text}`);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
    } catch (error) {
      ftruncateSync(descriptor, size);
      throw error;
    }
    return { from: size };
  } finally {
    closeSync(descriptor);
  }
}

function lastByte(descriptor: number, size: number): number {
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, size - 1);
  return byte[0] ?? 0;
}
