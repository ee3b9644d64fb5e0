// Files of ours that no tool prints as files: the stores, whose texts belong to projects, and the user's token
// . Stored texts come back by recover_text, which checks their project.
import { realPlaceOf } from "@jeeves/base";
import { BOOKKEEPING_WAIT_MS, guarded, waitMsOf } from "./guarded.ts";
import { fallbackStateDir, resolveStateDir } from "./state-dir.ts";
import { storeDirOf } from "./store/store-layout.ts";
import { tokenFileOf } from "./user-token.ts";

/** Absolute paths of the directories and files that must not be read, as they are named and with links resolved. */
export async function privatePlaces(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const places = [resolveStateDir(env), fallbackStateDir(env)].map(async (stateDir) => {
    const named = privateNamesIn(stateDir);
    // A state directory that does not answer must not hold a call; then its name alone counts.
    const real = guarded(stateDir, waitMsOf(env, BOOKKEEPING_WAIT_MS), () => Promise.all(named.map(realPlaceOf)));
    return [...named, ...(await real.catch(() => []))];
  });
  return [...new Set((await Promise.all(places)).flat())];
}

/** The same for one state directory, without looking at the disk. */
export function privateNamesIn(stateDir: string): readonly string[] {
  return [storeDirOf(stateDir), tokenFileOf(stateDir)];
}
