// How full the store is, without listing it: one byte in `usage` stands for one block on disk, and each
// put appends its blocks. Appending is atomic, so any number of processes count together; a sweep
// replaces the file by the true figure.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { NONBLOCK } from "../files/plain-file.ts";
import { statIfThere } from "../files/stat-if-there.ts";
import { writeFileAtomic } from "../files/write-file-atomic.ts";

/** Bytes of one block. */
export const BLOCK_BYTES = 4096;
const APPEND_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NONBLOCK;

/** The blocks of a text of so many bytes, with one for its entry and one for the record of its cut. */
export function blocksOf(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) + 2;
}

/** Counts a text of so many bytes. */
export async function addUsage(storeDir: string, bytes: number): Promise<void> {
  const handle = await open(usagePath(storeDir), APPEND_FLAGS, 0o600);
  try {
    await handle.write(".".repeat(blocksOf(bytes)));
  } finally {
    await handle.close();
  }
}

/** The size of the store, in blocks. */
export async function readUsage(storeDir: string): Promise<number> {
  return (await statIfThere(usagePath(storeDir)))?.size ?? 0;
}

/**
 * Sets the size to what a sweep found plus what was put since it began. Counting a text twice only makes the next sweep
 * early.
 */
export async function resetUsage(storeDir: string, found: { readonly blocks: number; readonly usageBefore: number }) {
  const since = Math.max(0, (await readUsage(storeDir)) - found.usageBefore);
  await writeFileAtomic(usagePath(storeDir), ".".repeat(found.blocks + since));
}

function usagePath(storeDir: string): string {
  return join(storeDir, "usage");
}
