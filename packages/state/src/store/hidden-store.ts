// Stores that lie below the directory of a client's own search. Claude Code's Grep is ripgrep with --hidden: it
// reads ignore files, and one in the store keeps such a search out of it, so that it need not be refused.
import { realpath, writeFile } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import { readPlainFile } from "../files/plain-file.ts";
import { BOOKKEEPING_WAIT_MS, guarded, waitMsOf } from "../guarded.ts";
import { fallbackStateDir, resolveStateDir } from "../state-dir.ts";
import { storeDirOf } from "./store-layout.ts";

/** Of the ignore files that ripgrep reads, the one that the others do not overrule. */
const IGNORE_FILE = ".rgignore";
const IGNORE_ALL = "*\n";

interface StoreBelow {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Whether a search that obeys ignore files leaves it out. */
  readonly isHidden: boolean;
}

/** The stores strictly below a directory, each hidden from searches where that is possible. */
export async function hideStoresBelow(dir: string, env: NodeJS.ProcessEnv): Promise<StoreBelow[]> {
  const top = await realpath(dir).catch(() => dir);
  const found: StoreBelow[] = [];
  for (const stateDir of new Set([resolveStateDir(env), fallbackStateDir(env)])) {
    const named = storeDirOf(stateDir);
    const hide = async (): Promise<StoreBelow | undefined> => {
      const path = await realpath(named).catch(() => undefined); // none there: nothing to find
      return path === undefined || !isBelow(top, path) ? undefined : { path, isHidden: await isHiddenNow(path) };
    };
    const store = await guarded(stateDir, waitMsOf(env, BOOKKEEPING_WAIT_MS), hide).catch(
      () => isBelow(top, named) && { path: named, isHidden: false },
    );
    if (store) found.push(store);
  }
  return found;
}

async function isHiddenNow(store: string): Promise<boolean> {
  const file = join(store, IGNORE_FILE);
  try {
    await writeFile(file, IGNORE_ALL, { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
      if (systemCodeOf(error) !== "EEXIST") throw error;
    });
    return (await readPlainFile(file, { maxBytes: IGNORE_ALL.length }))?.toString("utf8") === IGNORE_ALL;
  } catch {
    return false;
  }
}

function isBelow(dir: string, path: string): boolean {
  const below = relative(dir, path);
  return below !== "" && !below.startsWith("..") && !isAbsolute(below);
}
