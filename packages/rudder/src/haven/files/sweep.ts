// What a process that was killed in the middle of a write left behind: a temporary file that never got its name. Old
// ones only, and only under the haven's lock: a process that is writing holds it.
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import type { Layout } from "../layout.ts";

/** As @jeeves/state names them. */
const TEMPORARY = /^\.tmp-\d+-[0-9a-f]{12}$/;
const OLD_MS = 10 * 60_000;

/** Removes temporary files that are older than ten minutes; returns how many. */
export function sweepTemporaries(layout: Layout): number {
  let count = 0;
  const dirs = [".", ".cache", "fences"].map((name) => join(layout.haven, name));
  for (const dir of [...dirs, layout.memory, layout.runs, layout.assignments]) {
    count += sweepDir(dir, { isDeep: false });
  }
  // Agents' files have locks of their own; old files there are swept, too.
  for (const name of ["artefacts", "agents"]) count += sweepDir(join(layout.haven, name), { isDeep: true });
  return count;
}

function sweepDir(dir: string, how: { readonly isDeep: boolean }): number {
  let count = 0;
  try {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name);
      if (how.isDeep && entry.isDirectory()) count += sweepDir(path, how);
      if (!entry.isFile() || !TEMPORARY.test(entry.name) || Date.now() - lstatSync(path).mtimeMs < OLD_MS) continue;
      rmSync(path, { force: true });
      count += 1;
    }
  } catch (error) {
    const code = systemCodeOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
  }
  return count;
}
