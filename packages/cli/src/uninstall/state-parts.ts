// What of the state directories is deleted. The default one is ours alone and goes whole. In one that the user named
// (JEEVES_STATE_DIR) only files that are recognisably ours go, and the directories that this leaves empty.
import { existsSync } from "node:fs";
import { lstat, realpath, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { homeOf } from "@jeeves/base";
import { fallbackStateDir, resolveStateDir } from "@jeeves/state";
import { ownFilesOf, STATE_NAMES } from "./own-state.ts";

/** Something to remove. */
export interface StatePart {
  readonly path: string;
  /** Files to remove from it; absent where all of it goes. */
  readonly files?: readonly string[];
}

export interface StateFound {
  readonly parts: readonly StatePart[];
  /** Existing paths of our names in directories of the user's: what is left of them afterwards is not ours. */
  readonly shared: readonly string[];
}

export interface StateRemoved {
  readonly removed: readonly string[];
  /** Left in place because not ours. */
  readonly others: readonly string[];
  /** Why something of ours could not be removed. */
  readonly failed: readonly string[];
}

/** Looks through the state directories in use. */
export async function findState(dirs: readonly string[], env: NodeJS.ProcessEnv): Promise<StateFound> {
  const parts: StatePart[] = [];
  const shared: string[] = [];
  for (const dir of new Set(dirs)) {
    if (await isOursAlone(dir, env)) {
      parts.push({ path: dir });
      continue;
    }
    for (const name of STATE_NAMES) {
      const path = join(dir, name);
      if (!(await isThere(path))) continue;
      shared.push(path);
      const files = await ownFilesOf(dir, name);
      if (files.length > 0) parts.push({ path, files });
    }
  }
  const fallback = fallbackStateDir(env);
  return { parts: (await isOwnDir(fallback)) ? [...parts, { path: fallback }] : parts, shared };
}

/** `made`: directories that we made for a state directory, innermost first. Those that are empty afterwards go, too. */
export async function removeState({ parts, shared }: StateFound, made: readonly string[]): Promise<StateRemoved> {
  const failed: string[] = [];
  for (const { path, files } of parts) {
    for (const each of files ?? [path])
      await rm(each, { recursive: files === undefined, force: true }).catch((error: Error) =>
        failed.push(error.message),
      );
    for (const dir of dirsOf(path, files ?? [])) await rmdir(dir).catch(() => {});
  }
  for (const dir of made) await rmdir(dir).catch(() => {});
  return {
    removed: parts.map(({ path }) => path).filter((path) => !existsSync(path)),
    others: shared.filter((path) => existsSync(path)),
    failed,
  };
}

/** The directories of the files up to `top`, innermost first. */
function dirsOf(top: string, files: readonly string[]): string[] {
  const dirs = new Set<string>();
  for (const file of files)
    for (let dir = dirname(file); `${dir}/`.startsWith(`${top}/`); dir = dirname(dir)) dirs.add(dir);
  return [...dirs].sort((a, b) => b.length - a.length);
}

/** The place that is used where none is named. A link there leads to a directory of the user's choice. */
async function isOursAlone(dir: string, env: NodeJS.ProcessEnv): Promise<boolean> {
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
