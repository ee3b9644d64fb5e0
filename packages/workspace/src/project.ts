// The project that a directory belongs to: the nearest directory upwards that holds a `.git`, else the directory itself.
// Found without starting git: this runs before every command.
import { lstat, realpath } from "node:fs/promises";
import { dirname } from "node:path";

const MAX_PARENTS = 100;

/** Absolute, symlinks resolved. A directory that is gone is its own project. */
export async function findProject(dir: string): Promise<string> {
  const real = await realpath(dir).catch(() => dir);
  let at = real;
  for (let steps = 0; steps < MAX_PARENTS; steps++) {
    // A file in a worktree or a submodule, else a directory.
    if ((await lstat(`${at === "/" ? "" : at}/.git`).catch(() => undefined)) !== undefined) return at;
    const parent = dirname(at);
    if (parent === at) break;
    at = parent;
  }
  return real;
}

/** The directory itself and those above it, up to its project's. */
export function dirsWithin(project: string, dir: string): string[] {
  const dirs = [dir];
  for (let at = dir; at !== project && dirs.length < MAX_PARENTS; ) {
    const parent = dirname(at);
    if (parent === at) break;
    dirs.push(parent);
    at = parent;
  }
  return dirs;
}
