// How full the store is, without looking: one byte in `usage` stands for one block on disk, and each
// put appends its blocks. Appending is atomic, so any number of processes count together; a sweep
// replaces the file by the true figure.

import { appendFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf } from "./state-error.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

export const BLOCK_BYTES = 4096;

export interface Usage {
  readonly bytes: number;
}

export function blocksOf(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) + 1; // the text, and its entry
}

export async function addUsage(storeDir: string, bytes: number): Promise<void> {
  await appendFile(usagePath(storeDir), ".".repeat(blocksOf(bytes)), { mode: 0o600 });
}

export async function readUsage(storeDir: string): Promise<Usage | undefined> {
  try {
    return { bytes: (await stat(usagePath(storeDir))).size * BLOCK_BYTES };
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

export async function resetUsage(storeDir: string, blocks: number): Promise<void> {
  await writeFileAtomic(usagePath(storeDir), ".".repeat(blocks));
}

function usagePath(storeDir: string): string {
  return join(storeDir, "usage");
}
