// The project that a directory belongs to: the nearest directory upwards with a repository of git, else the directory
// itself. Found without starting git: this runs before every command.
import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

const MAX_PARENTS = 100;
const MAX_LINK_BYTES = 65_536;

/** The project's directory, absolute and with symlinks resolved. A directory that is gone is its own project. */
export async function findProject(dir: string): Promise<string> {
  const real = await realpath(dir).catch(() => dir);
  const owner = (await stat(real).catch(() => undefined))?.uid;
  let at = real;
  for (let steps = 0; steps < MAX_PARENTS; steps++) {
    if (await isRepository(resolve(at, ".git"), owner)) return at;
    const parent = dirname(at);
    if (parent === at) break;
    at = parent;
  }
  return real;
}

/**
 * As git sees it: an empty `.git` is none, nor is one that another user put into a shared directory such as /tmp. `owner`
 * is the user of the directory that the search began in.
 */
export async function isRepository(git: string, owner: number | undefined): Promise<boolean> {
  const stats = await stat(git).catch(() => undefined);
  if (stats === undefined || ![owner, process.geteuid?.()].includes(stats.uid)) return false;
  // A file in a worktree or a submodule.
  return (
    stats.isFile() || (stats.isDirectory() && (await lstat(resolve(git, "HEAD")).catch(() => undefined)) !== undefined)
  );
}

/** The nearest directory upwards with a `.git` of any kind; undefined where there is none. */
export async function findGitDir(dir: string): Promise<string | undefined> {
  for (const each of dirsWithin("/", dir))
    if ((await lstat(resolve(each, ".git")).catch(() => undefined)) !== undefined) return each;
  return undefined;
}

/** True where `dir` is the project's directory, or one below that exists and is no part of another repository. */
export async function isPartOfProject(dir: string, project: string): Promise<boolean> {
  if (dir === project) return true;
  const owner = (await stat(dir).catch(() => undefined))?.uid;
  const dirs = dirsWithin(project, dir);
  if (owner === undefined || dirs.pop() !== project) return false;
  for (const each of dirs) if (await isRepository(resolve(each, ".git"), owner)) return false;
  return true;
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
