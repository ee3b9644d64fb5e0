// Which stored text a path names, if any: a client's own file read is a way back too, but only to texts of its own
// project. The path is judged as it is written and as it is with links followed.
import { realpath } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { isPruneId } from "@jeeves/base";
import { fallbackStateDir, resolveStateDir } from "../state-dir.ts";
import { shardOf, storeDirOf } from "./store-layout.ts";

/** A file of the store that a path leads to. */
export interface StoredFile {
  /** undefined: a file of the store that is no stored text. */
  readonly pruneId: string | undefined;
  /** The path names the file itself, not a link to it. */
  readonly isDirect: boolean;
}

/** The file of the store that a path leads to, links followed; undefined for any other path. */
export async function findStoredFile(path: string, env: NodeJS.ProcessEnv): Promise<StoredFile | undefined> {
  const named = resolve(path);
  // What is not there yet may be there when it is read: then its directory decides.
  const real = await realpath(named).catch(async () => {
    const dir = await realpath(dirname(named)).catch(() => dirname(named));
    return resolve(dir, named.slice(dirname(named).length).replace(/^[\\/]+/, ""));
  });
  for (const stateDir of [resolveStateDir(env), fallbackStateDir(env)]) {
    const store = storeDirOf(stateDir);
    const realStore = await realpath(store).catch(() => store);
    const inside = namesBelow(realStore, real);
    if (inside === undefined) continue;
    const isDirect = namesBelow(store, named)?.join() === inside.join() || named === real;
    return { pruneId: pruneIdAt(inside), isDirect };
  }
  return undefined;
}

function namesBelow(dir: string, path: string): string[] | undefined {
  const names = relative(dir, path).split(sep);
  return names[0] === ".." || names[0] === "" || resolve(dir, ...names) !== path ? undefined : names;
}

function pruneIdAt(names: readonly string[]): string | undefined {
  const [shard, name = "", ...deeper] = names;
  const pruneId = /^(.*)\.txt$/.exec(name)?.[1] ?? "";
  return deeper.length === 0 && isPruneId(pruneId) && shard === shardOf(pruneId) ? pruneId : undefined;
}
