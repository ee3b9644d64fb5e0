// Whether a file is still the one that was scanned. No program can set its ctime, so an edit that keeps size and mtime
// is seen.
import { lstatSync } from "node:fs";
import type { FileIdentity } from "../store/corpus-store.ts";

// Coarse clocks: a file that changed in the same moment as it was read may change again unseen.
const RACY_MS = 2_000;

/** undefined: there is no such file, or it is no regular one. */
export function readIdentity(file: string): FileIdentity | undefined {
  let stats: ReturnType<typeof lstatSync> | undefined;
  try {
    stats = lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // a directory on the way is gone, or closed
  }
  if (stats === undefined || !stats.isFile()) return undefined;
  return { size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, ino: stats.ino };
}

/** The identity to keep: of a file that changed just now none is trusted, and the next look reads it again. */
export function settled(identity: FileIdentity): FileIdentity {
  const changed = Math.max(identity.mtimeMs, identity.ctimeMs);
  return Math.abs(Date.now() - changed) > RACY_MS ? identity : { ...identity, ctimeMs: -1 };
}

/** Whether size, times and inode are the same. */
export function isSame(a: FileIdentity, b: FileIdentity): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino;
}
