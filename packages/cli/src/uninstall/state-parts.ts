// What of the state directories is deleted. In those that bear our name (the default one, and the fallbacks in directories
// for temporary files) everything by our names goes. In one that the user named (JEEVES_STATE_DIR) only files that are
// recognisably ours go. The directories that this leaves empty go, too; everything else stays and is named.
import { existsSync } from "node:fs";
import { lstat, readdir, realpath, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { homeOf, isProcessThere } from "@jeeves/base";
import {
  fallbackStateDir,
  heldOutputDir,
  listHeldOutput,
  notedFallbackDirs,
  resolveDataDir,
  resolveStateDir,
} from "@jeeves/state";
import { ownEntriesOf, ownFilesOf, STATE_NAMES } from "./own-state.ts";

/** Something to remove. */
interface StatePart {
  readonly path: string;
  /** What goes of it: files, and directories with all that is in them. */
  readonly own: readonly string[];
  /** Whether only single files in it are known to be ours. */
  readonly isShared: boolean;
}

/** What there is to remove in the state directories, and what would stay. */
export interface StateFound {
  readonly parts: readonly StatePart[];
  /** Existing paths that are not ours, or not all of them: what is left of them afterwards is not. */
  readonly shared: readonly string[];
  /** Those that are certainly not ours. */
  readonly others: readonly string[];
}

interface StateRemoved {
  readonly removed: readonly string[];
  /** Left in place because not ours. */
  readonly others: readonly string[];
  /** Why something of ours could not be removed. */
  readonly failed: readonly string[];
}

interface StatePlaces {
  readonly stateDirs: readonly string[];
  /** Directories for temporary files, beside the one of the environment. */
  readonly tmpDirs: readonly string[];
}

/** Copies that an earlier jeeves-exec made of what a long command printed; those of a command that was killed stay. */
const COPY = /^jeeves-(?:so-far-)?(\d{1,10})-\d{1,10}$/;

/** Nothing to remove: the state is to be kept. */
export const NO_STATE: StateFound = { parts: [], shared: [], others: [] };

/** Looks through the state directories in use. */
export async function findState({ stateDirs, tmpDirs }: StatePlaces, env: NodeJS.ProcessEnv): Promise<StateFound> {
  const parts: StatePart[] = [];
  const shared: string[] = [];
  const others: string[] = [];
  const addNamed = async (dir: string): Promise<void> => {
    const found = await ownEntriesOf(dir);
    if (found.own.length > 0 || found.others.length === 0) parts.push({ path: dir, own: found.own, isShared: false });
    others.push(...found.others);
  };
  for (const dir of new Set(stateDirs)) {
    if (await bearsOurName(dir, env)) {
      await addNamed(dir);
      continue;
    }
    for (const name of STATE_NAMES) {
      const path = join(dir, name);
      if (!(await isThere(path))) continue;
      shared.push(path);
      const own = await ownFilesOf(dir, name);
      if (own.length > 0) parts.push({ path, own, isShared: true });
    }
  }
  const usual = fallbackStateDir(env);
  const noted = await notedFallbackDirs([...stateDirs, resolveDataDir(env)]);
  const temporary = new Set([dirname(usual), ...tmpDirs, ...noted.map((path) => dirname(path))]);
  for (const dir of temporary) {
    // The name has this user's number in it.
    const fallback = join(dir, basename(usual));
    if (await isOwnDir(fallback)) await addNamed(fallback);
    for (const path of await leftCopies(dir)) parts.push({ path, own: [path], isShared: false });
    const held = join(dir, basename(heldOutputDir(env)));
    if (await isOwnDir(held)) parts.push({ path: held, own: await listHeldOutput(held), isShared: true });
  }
  return { parts, shared: [...shared, ...others], others };
}

/** `made`: directories that we made for a state directory, innermost first. Those that are empty afterwards go, too. */
export async function removeState({ parts, shared }: StateFound, made: readonly string[]): Promise<StateRemoved> {
  const failed: string[] = [];
  for (const { path, own, isShared } of parts) {
    for (const each of own)
      await rm(each, { recursive: !isShared, force: true }).catch((error: Error) => failed.push(error.message));
    for (const dir of new Set([...dirsOf(path, own), path])) await rmdir(dir).catch(() => {});
  }
  for (const dir of made) await rmdir(dir).catch(() => {});
  return {
    removed: parts.map(({ path }) => path).filter((path) => !existsSync(path)),
    others: shared.filter((path) => existsSync(path)),
    failed,
  };
}

/** Of this user's commands that run no more. */
async function leftCopies(dir: string): Promise<string[]> {
  const left: string[] = [];
  for (const name of await readdir(dir).catch(() => [])) {
    const pid = Number(COPY.exec(name)?.[1]);
    if (!(pid > 0) || isProcessThere(pid)) continue;
    const stats = await lstat(join(dir, name)).catch(() => undefined);
    if (stats?.isFile() === true && stats.uid === process.getuid?.()) left.push(join(dir, name));
  }
  return left;
}

/** The directories of the files up to `top`, innermost first. */
function dirsOf(top: string, files: readonly string[]): string[] {
  const dirs = new Set<string>();
  for (const file of files)
    for (let dir = dirname(file); `${dir}/`.startsWith(`${top}/`); dir = dirname(dir)) dirs.add(dir);
  return [...dirs].sort((a, b) => b.length - a.length);
}

/** Whether it is the place that is used where none is named. A link there leads to a directory of the user's choice. */
async function bearsOurName(dir: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { JEEVES_STATE_DIR: _, ...unnamed } = env;
  const { XDG_STATE_HOME: __, ...plain } = unnamed;
  if (dir !== resolveStateDir(unnamed) && dir !== resolveStateDir(plain)) return false;
  const home = await realpath(homeOf(env)).catch(() => homeOf(env));
  const real = await realpath(dir).catch(() => dir);
  const holdsHome = `${home}/`.startsWith(`${real}/`.replace("//", "/"));
  return !holdsHome && (await lstat(dir).catch(() => undefined))?.isDirectory() === true;
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** Other users can write to /tmp: only a directory of this user counts. */
async function isOwnDir(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}
