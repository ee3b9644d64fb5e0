// Files below a directory whose path fits a pattern, such as `projects/*/ID.jsonl`. The search is bounded and never waits
// long for a directory that does not answer.
import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import { BOOKKEEPING_WAIT_MS, guarded } from "@jeeves/state";

/** Something that fits the pattern; not necessarily a regular file. */
interface FileLike {
  readonly path: string;
  readonly stats: Stats;
}

/** Limits of a search, shared by the searches that it is given to. */
export interface SearchBound {
  /** Directories that may still be read. */
  dirsLeft: number;
  readonly waitMs?: number;
  /** Called with a directory or file that does not answer or may not be read. */
  readonly onFault?: (path: string, error: unknown) => void;
}

/**
 * Yields what fits the pattern, in which `*` stands for any characters of one name. Names come in descending order:
 * with dates, the newest first. Never throws; it stops reading directories when `bound.dirsLeft` is used up.
 */
export async function* filesLike(dir: string, pattern: string, bound: SearchBound): AsyncGenerator<FileLike> {
  const [name = "", ...below] = pattern.split("/");
  for (const found of await namesLike(name, dir, bound)) {
    const path = join(dir, found);
    if (below.length > 0) yield* filesLike(path, below.join("/"), bound);
    else {
      const stats = await look(path, bound, () => stat(path));
      if (stats !== undefined) yield { path, stats };
    }
  }
}

async function namesLike(name: string, dir: string, bound: SearchBound): Promise<readonly string[]> {
  if (!name.includes("*")) return [name];
  if (bound.dirsLeft-- <= 0) return [];
  const names = (await look(dir, bound, () => readdir(dir))) ?? [];
  const [first = "", ...rest] = name.split("*");
  const fits = (each: string): boolean => {
    let at = first.length;
    if (!each.startsWith(first)) return false;
    for (const part of rest.slice(0, -1)) {
      const found = each.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return each.length - at >= (rest.at(-1)?.length ?? 0) && each.endsWith(rest.at(-1) ?? "");
  };
  return names.filter(fits).sort().reverse();
}

async function look<T>(path: string, bound: SearchBound, run: () => Promise<T>): Promise<T | undefined> {
  const { waitMs = BOOKKEEPING_WAIT_MS, onFault } = bound;
  try {
    return await guarded(path, waitMs, run);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") onFault?.(path, error);
    return undefined;
  }
}
