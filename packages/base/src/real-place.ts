// Where a path leads, also one that is not there (yet).
import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** The path without links; of one that cannot be resolved, its nearest directory that can. Never rejects. */
export async function realPlaceOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPlaceOf(parent), basename(path));
  }
}
