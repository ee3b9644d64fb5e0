// How full the store is, without looking: one byte in `usage` stands for one block on disk, and each
// put appends its blocks. Appending is atomic, so any number of processes count together; a sweep
// replaces the file by the true figure.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { NONBLOCK } from "../files/plain-file.ts";
import { statIfThere } from "../files/stat-if-there.ts";
import { writeFileAtomic } from "../files/write-file-atomic.ts";

export const BLOCK_BYTES = 4096;
const APPEND_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NONBLOCK;

export function blocksOf(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) + 2; // the text, its entry, and the record of its cut
}

export async function addUsage(storeDir: string, bytes: number): Promise<void> {
  const handle = await open(usagePath(storeDir), APPEND_FLAGS, 0o600);
  try {
    await handle.write(".".repeat(blocksOf(bytes)));
  } finally {
    await handle.close();
  }
}

/** In blocks. */
export async function readUsage(storeDir: string): Promise<number> {
  return (await statIfThere(usagePath(storeDir)))?.size ?? 0;
}

/** To what was found, and what others have put since the search began: counted twice is a sweep too early, no worse. */
export async function resetUsage(storeDir: string, found: { readonly blocks: number; readonly usageBefore: number }) {
  const since = Math.max(0, (await readUsage(storeDir)) - found.usageBefore);
  await writeFileAtomic(usagePath(storeDir), ".".repeat(found.blocks + since));
}

function usagePath(storeDir: string): string {
  return join(storeDir, "usage");
}
