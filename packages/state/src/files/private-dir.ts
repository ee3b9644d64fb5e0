// A directory that only we can read and write. In a shared place such as /tmp anyone may have made
// it before us, so it is looked at before it is trusted; nothing is repaired, only refused.
import type { Stats } from "node:fs";
import { lstat, mkdir } from "node:fs/promises";
import { systemCodeOf } from "@jeeves/base";
import { StateError } from "../state-error.ts";

/**
 * Makes the directory (0700), or rejects with a StateError `invalid_directory` unless it belongs to this user alone.
 */
export async function ensurePrivateDir(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (systemCodeOf(error) !== "EEXIST") throw error;
  });
  const fault = privateDirFault(await lstat(path));
  if (fault !== undefined) {
    throw new StateError("invalid_directory", `${path} ${fault}`, {
      hint: `remove ${path}, or set JEEVES_STATE_DIR to a directory of your own`,
    });
  }
}

/** Whether a directory exists and belongs to this user alone, so that no other user can have written to it. */
export async function isPrivateDir(path: string): Promise<boolean> {
  try {
    return privateDirFault(await lstat(path)) === undefined;
  } catch {
    return false;
  }
}

function privateDirFault(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "is a symbolic link";
  if (!stats.isDirectory()) return "is not a directory";
  const uid = process.getuid?.();
  if (uid === undefined) return undefined; // no owners and modes on this platform
  if (stats.uid !== uid) return `belongs to user ${stats.uid}, not to ${uid}`;
  if ((stats.mode & 0o077) !== 0) return `is open to others (mode ${(stats.mode & 0o777).toString(8)})`;
  return undefined;
}
