// A directory with all of its parents. Not `mkdir(…, {recursive: true})`: where the file system answers ENOENT for a name
// whose parent is there (/proc does), Node tries again for ever, and takes a thread of its pool with it.
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCodeOf } from "@jeeves/base";

/** Makes a directory and its parents, each with `mode`; one that is there stays as it is. */
export async function makeDirs(path: string, options: { readonly mode: number }): Promise<void> {
  try {
    await makeDir(path, options);
  } catch (error) {
    const parent = dirname(path);
    if (systemCodeOf(error) !== "ENOENT" || parent === path) throw error;
    await makeDirs(parent, options);
    // Once more and no further. Whether the parent was missing is not asked: someone else may be making it right now.
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
