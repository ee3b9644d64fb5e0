// Whether a file is as it was when it was read last, by one look at it.
import type { Stats } from "node:fs";

/** A file that changed so shortly before it was read may change again within a tick of its clock. */
const SETTLED_MS = 2_000;

/** The same for the same file unchanged; undefined for one that is not there, or that changed in the last two seconds. */
export function stampOf(stats: Stats | undefined): string | undefined {
  if (stats === undefined) return undefined;
  const { ino, size, mtimeMs, ctimeMs } = stats;
  return Date.now() - Math.max(mtimeMs, ctimeMs) < SETTLED_MS ? undefined : `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}
