// A directory with all of its parents. Not `mkdir(…, {recursive: true})`: where a file system reports ENOENT for a
// name whose parent exists (/proc does), Node retries for ever and blocks a thread of its pool.
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCodeOf } from "@jeeves/base";

/**
 * Makes a directory and its missing parents, all with `mode`; nothing where it exists. Rejects with the system's error.
 */
export async function makeDirs(path: string, options: { readonly mode: number }): Promise<void> {
  try {
    await makeDir(path, options);
  } catch (error) {
    const parent = dirname(path);
    if (systemCodeOf(error) !== "ENOENT" || parent === path) throw error;
    await makeDirs(parent, options);
    // Once more and no further, whether or not the parent was missing: another process may be making it right now.
    await makeDir(path, options);
  }
}

async function makeDir(path: string, options: { readonly mode: number }): Promise<void> {
  try {
    await mkdir(path, options);
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
  }
}
