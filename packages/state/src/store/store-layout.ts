// Where in a state directory the texts are. `<id>.txt` is the raw text and nothing else, `<id>.json` its entry, and
// `<id>.cut` the record of a cut that was made after the text was put. The entry's mtime is its expiry, its mode says
// whether it came in by an open door, and the text's mtime is its last put, so that a sweep opens only what a listing
// says is over; the truth, for readers and for the sweep, is inside the entry.
import { join } from "node:path";
import { isPruneId } from "@jeeves/base";

export interface EntryPlace {
  readonly dir: string;
  readonly textPath: string;
  readonly entryPath: string;
  readonly cutPath: string;
  readonly lockPath: string;
}

export function storeDirOf(stateDir: string): string {
  return join(stateDir, "store");
}

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

/** The id that a file's name bears; undefined for a file that is not the store's. */
export function pruneIdOfFile(name: string): string | undefined {
  const pruneId = name.replace(/\.(?:txt|json|cut)$/, "");
  return pruneId !== name && isPruneId(pruneId) ? pruneId : undefined;
}

/** prn_X…: 32 folders, so that none grows past a few thousand files. */
export function shardOf(pruneId: string): string {
  return pruneId.charAt(4);
}

export function shardLockOf(storeDir: string, shard: string): string {
  return join(storeDir, "locks", shard);
}

export function isShardName(name: string): boolean {
  return /^[a-z2-7]$/.test(name);
}
