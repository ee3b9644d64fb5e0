// Where to write when the state directory cannot be written. It depends on TMPDIR, which another shell may not
// have: each one that is used is noted in the state directory or in the data directory, best effort, so that
// `jeeves uninstall` finds it.
import { createHash } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { systemCodeOf, within } from "@jeeves/base";
import { readPlainFile } from "./files/plain-file.ts";
import { ensurePrivateDir } from "./files/private-dir.ts";
import { BOOKKEEPING_WAIT_MS, guarded, waitMsOf } from "./guarded.ts";
import { fallbackStateDir, resolveDataDir, resolveStateDir } from "./state-dir.ts";

const NOTES = "fallbacks";
const MAX_NOTE_BYTES = 65_536;
/** How long an answer waits for the note, which is written all the same. */
const NOTE_WAIT_MS = 50;

const noted = new Set<string>();

/**
 * Makes the fallback directory, or rejects with a StateError `invalid_directory` unless it is this user's alone. Returns
 * its path.
 */
export async function openFallbackDir(env: NodeJS.ProcessEnv): Promise<string> {
  const dir = fallbackStateDir(env);
  await ensurePrivateDir(dir);
  if (!noted.has(dir)) {
    noted.add(dir);
    await within(NOTE_WAIT_MS, note(dir, env));
  }
  return dir;
}

/**
 * The fallback directories noted in these state and data directories; they may be gone, or belong to another user by
 * now.
 */
export async function notedFallbackDirs(dirs: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const dir of dirs)
    for (const name of await readdir(join(dir, NOTES)).catch(() => [])) {
      const bytes = await readPlainFile(join(dir, NOTES, name), { maxBytes: MAX_NOTE_BYTES }).catch(() => undefined);
      const path = bytes?.toString("utf8").trimEnd() ?? "";
      if (isAbsolute(path) && name === noteNameOf(path)) found.add(path);
    }
  return [...found];
}

/** In the first of the two directories that is there and can be written. */
async function note(path: string, env: NodeJS.ProcessEnv): Promise<void> {
  for (const dir of [resolveStateDir(env), resolveDataDir(env)]) {
    const write = async () => {
      await mkdir(join(dir, NOTES), { mode: 0o700 }).catch(unlessThere);
      await writeFile(join(dir, NOTES, noteNameOf(path)), `${path}\n`, { flag: "wx", mode: 0o600 }).catch(unlessThere);
      return true;
    };
    if (await guarded(dir, waitMsOf(env, BOOKKEEPING_WAIT_MS), write).catch(() => false)) return;
  }
}

function noteNameOf(path: string): string {
  return createHash("sha256").update(path).digest("hex").slice(0, 16);
}

function unlessThere(error: unknown): void {
  if (systemCodeOf(error) !== "EEXIST") throw error;
}
