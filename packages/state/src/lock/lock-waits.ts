// Which processes wait for a lock: `wait.<pid>` in its directory. It only makes the lock fair; these files have no part in
// who may hold it.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { isProcessThere } from "@jeeves/base";
import type { LockFiles } from "./lock-files.ts";

/** Makes the wait file of this process; its path, to be removed when the wait is over. */
export async function announceWait(dir: string, files: LockFiles): Promise<string> {
  const path = join(dir, `wait.${process.pid}`);
  try {
    await files.mark(path);
  } catch {
    // A full disk: we wait all the same, only unseen.
  }
  return path;
}

/** Whether `name` is the wait file of another live process; removes that of a process that was killed meanwhile. */
export function isWaitOfAnother(dir: string, name: string): boolean {
  const state = waitStateOf(name);
  if (state === "dead") rmSync(join(dir, name), { force: true });
  return state === "alive";
}

/** Whether the process of a wait file still lives; "none" for our own wait and for other names. */
export function waitStateOf(name: string): "alive" | "dead" | "none" {
  const pid = Number(/^wait\.(\d{1,10})$/.exec(name)?.[1] ?? 0);
  if (pid === 0 || pid === process.pid) return "none";
  return isProcessThere(pid) ? "alive" : "dead";
}

/** Removes the wait files of processes that were killed meanwhile. */
export async function removeDeadWaits(dir: string, names: readonly string[], files: LockFiles): Promise<void> {
  for (const name of names) if (waitStateOf(name) === "dead") await files.remove(join(dir, name));
}
