// What of the state directories may be deleted. A directory that the user named (JEEVES_STATE_DIR) may hold files of
// theirs: there only the names that we use are removed.
import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fallbackStateDir, resolveStateDir } from "@jeeves/state";

/** Everything that a package of ours keeps in the state directory. */
const STATE_NAMES = ["artifacts", "init", "meter", "mode", "research-index", "runs", "store", "token", "up"] as const;

/** Existing paths to remove, whole. Nothing directly in the home directory or above it: the names are common words. */
export async function stateParts(dirs: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const home = env.HOME || homedir();
  const { JEEVES_STATE_DIR: _, ...unnamed } = env;
  const usual = resolveStateDir(unnamed);
  const parts: string[] = [];
  for (const dir of new Set(dirs)) {
    if (`${home}/`.startsWith(`${dir}/`.replace("//", "/"))) continue;
    const isOurs = dir === usual || (basename(dir) === "jeeves" && basename(dirname(dir)) === "state");
    if (isOurs) parts.push(dir);
    else parts.push(...STATE_NAMES.map((name) => join(dir, name)));
  }
  const fallback = fallbackStateDir(env);
  const found = await Promise.all(parts.map(async (path) => ((await isThere(path)) ? [path] : [])));
  return [...found.flat(), ...((await isOwnDir(fallback)) ? [fallback] : [])];
}

/** Removes the parts, and the directories that this leaves empty. Returns those that could not be removed, with why. */
export async function removeState(parts: readonly string[], dirs: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const path of parts) {
    await rm(path, { recursive: true, force: true }).catch((error: Error) => left.push(error.message));
  }
  for (const dir of dirs) if ((await readdir(dir).catch(() => ["?"])).length === 0) await rmdir(dir).catch(() => {});
  return left;
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** Other users can write to /tmp: only a directory of this user counts. */
async function isOwnDir(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}
