// How full the store is, without looking: one byte in `usage` stands for one block on disk, and each
// put appends its blocks. Appending is atomic, so any number of processes count together; a sweep
// replaces the file by the true figure.

import { appendFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "./write-file-atomic.ts";

export const BLOCK_BYTES = 4096;

export interface Usage {
  readonly bytes: number;
}

export function blocksOf(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) + 1; // the text, and its entry
}

export function addUsage(storeDir: string, bytes: number): void {
  appendFileSync(usagePath(storeDir), ".".repeat(blocksOf(bytes)), { mode: 0o600 });
}

export function readUsage(storeDir: string): Usage | undefined {
  const stats = statSync(usagePath(storeDir), { throwIfNoEntry: false });
  return stats === undefined ? undefined : { bytes: stats.size * BLOCK_BYTES };
}

export async function resetUsage(storeDir: string, blocks: number): Promise<void> {
  await writeFileAtomic(usagePath(storeDir), ".".repeat(blocks));
}

function usagePath(storeDir: string): string {
  return join(storeDir, "usage");
}
