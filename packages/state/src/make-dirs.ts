// A directory with all of its parents. Not `mkdir(…, {recursive: true})`: where the file system says ENOENT of a name
// whose parent is there (/proc does), Node tries again for ever, and takes a thread of its pool with it.
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCodeOf } from "./state-error.ts";

export async function makeDirs(path: string, options: { readonly mode: number }): Promise<void> {
  try {
    await mkdir(path, options);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    const parent = dirname(path);
    if (code !== "ENOENT" || parent === path || (await isThere(parent))) throw error;
    await makeDirs(parent, options);
    await makeDirs(path, options);
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
