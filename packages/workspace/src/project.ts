// The project that a directory belongs to: the nearest directory upwards that holds a `.git`, else the directory itself.
// Found without starting git: this runs before every command.
import { lstat, readFile, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";

const MAX_PARENTS = 100;
const MAX_LINK_BYTES = 65_536;

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

/** The checkout that a linked worktree belongs to; any other project is its own. */
export async function findMainCheckout(project: string): Promise<string> {
  const link = resolve(project, ".git");
  const stats = await lstat(link).catch(() => undefined);
  if (stats === undefined || !stats.isFile() || stats.size > MAX_LINK_BYTES) return project;
  const text = await readFile(link, "utf8").catch(() => "");
  const gitDir = /^gitdir: (.*?)[\\/]\.git[\\/]worktrees[\\/][^\\/]+\s*$/.exec(text)?.[1];
  return gitDir === undefined ? project : resolve(project, gitDir);
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
