// Where in a state directory the texts are. `<id>.txt` is the raw text and nothing else, `<id>.json`
// its entry. The entry's mtime is its expiry, its mode says whether it came in by an open door, and the text's mtime is
// its last put, so that a sweep opens only what a listing says is over; the truth, for readers and for the sweep, is
// inside the entry.
import { join } from "node:path";

export interface EntryPlace {
  readonly dir: string;
  readonly textPath: string;
  readonly entryPath: string;
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
    lockPath: shardLockOf(storeDir, shard),
  };
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
