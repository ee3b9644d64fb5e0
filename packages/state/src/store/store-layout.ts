// Where in a state directory the texts are. `<id>.txt` is the raw text and nothing else, `<id>.json` its entry, and
// `<id>.cut` the record of a cut that was made after the text was put. The entry's mtime is its expiry, its mode marks
// texts of an open door, and the text's mtime is its last put, so that a sweep opens only entries that a listing shows as
// expired. What counts, for readers and for the sweep, is the content of the entry.
import { join } from "node:path";
import { isPruneId } from "@jeeves/base";

/** The paths of one stored text. */
export interface EntryPlace {
  readonly dir: string;
  readonly textPath: string;
  readonly entryPath: string;
  readonly cutPath: string;
  readonly lockPath: string;
}

/** The directory of the store in a state directory. */
export function storeDirOf(stateDir: string): string {
  return join(stateDir, "store");
}

/** Where a text is stored. */
export function placeOf(storeDir: string, pruneId: string): EntryPlace {
  const shard = shardOf(pruneId);
  const dir = join(storeDir, shard);
  return {
    dir,
    textPath: join(dir, `${pruneId}.txt`),
    entryPath: join(dir, `${pruneId}.json`),
    cutPath: join(dir, `${pruneId}.cut`),
    lockPath: shardLockOf(storeDir, shard),
  };
}

/** The id in a file's name; undefined for a file that is not the store's. */
export function pruneIdOfFile(name: string): string | undefined {
  const pruneId = name.replace(/\.(?:txt|json|cut)$/, "");
  return pruneId !== name && isPruneId(pruneId) ? pruneId : undefined;
}

/** The folder of an id, the X of prn_X…: one of 32, so that none grows past a few thousand files. */
export function shardOf(pruneId: string): string {
  return pruneId.charAt(4);
}

/** The lock of a folder. */
export function shardLockOf(storeDir: string, shard: string): string {
  return join(storeDir, "locks", shard);
}

/** Whether a name is that of a folder of the store. */
export function isShardName(name: string): boolean {
  return /^[a-z2-7]$/.test(name);
}
