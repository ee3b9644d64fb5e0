// How full the store is, without looking: one byte in `usage` stands for one block on disk, and each
// put appends its blocks. Appending is atomic, so any number of processes count together; a sweep
// replaces the file by the true figure.

import { appendFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "./write-file-atomic.ts";

export const BLOCK_BYTES = 4096;

export function blocksOf(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) + 1; // the text, and its entry
}

export function addUsage(storeDir: string, bytes: number): void {
  appendFileSync(usagePath(storeDir), ".".repeat(blocksOf(bytes)), { mode: 0o600 });
}

/** In blocks. */
export function readUsage(storeDir: string): number {
  return statSync(usagePath(storeDir), { throwIfNoEntry: false })?.size ?? 0;
}

/** To what was found, and what others have put since the search began: counted twice is a sweep too early, no worse. */
export async function resetUsage(storeDir: string, found: { readonly blocks: number; readonly usageBefore: number }) {
  const since = Math.max(0, readUsage(storeDir) - found.usageBefore);
  await writeFileAtomic(usagePath(storeDir), ".".repeat(found.blocks + since));
}

function usagePath(storeDir: string): string {
  return join(storeDir, "usage");
}
