// Who sleeps between two looks at a lock: `wait.<pid>` in its directory. A courtesy that makes the lock fair; whether
// these files are there or not changes nothing about who may hold it.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "./state-error.ts";

/** The path, to be removed when the wait is over. */
export function announceWait(dir: string): string {
  const path = join(dir, `wait.${process.pid}`);
  try {
    writeFileSync(path, "", { mode: 0o600 });
  } catch {
    // A full disk: we wait all the same, only unseen.
  }
  return path;
}

/** Takes the file of a process away that was killed while it waited. */
export function isWaitOfAnother(dir: string, name: string): boolean {
  const pid = Number(/^wait\.(\d{1,10})$/.exec(name)?.[1] ?? 0);
  if (pid === 0 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (systemCodeOf(error) === "EPERM") return true;
    rmSync(join(dir, name), { force: true });
    return false;
  }
}
