// Empties the recovery store of one state directory: texts and their entries, nothing else. Links are not followed.
import type { Dirent } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { notedFallbackDirs } from "../fallback-dir.ts";
import { isPrivateDir } from "../files/private-dir.ts";
import { statIfThere } from "../files/stat-if-there.ts";
import { withLock } from "../lock/lock.ts";
import { fallbackStateDir, resolveDataDir, resolveStateDir } from "../state-dir.ts";
import { isShardName, pruneIdOfFile, shardLockOf, shardOf, storeDirOf } from "./store-layout.ts";
import { resetUsage } from "./store-usage.ts";

/** How long to wait for a shard that another process writes to. */
const LOCK_WAIT_MS = 10_000;

/** The texts of a store, or those that were removed: how many, and their bytes with their entries. */
export interface StoreSize {
  readonly dir: string;
  readonly texts: number;
  readonly bytes: number;
}

/** The state directories that may hold a store of this user: the usual one, and those that stood in for it. */
export async function storePlaces(env: NodeJS.ProcessEnv): Promise<string[]> {
  const usual = resolveStateDir(env);
  const others = [fallbackStateDir(env), ...(await notedFallbackDirs([usual, resolveDataDir(env)]))];
  const places = new Set([usual]);
  for (const dir of others) if (await isPrivateDir(dir)) places.add(dir);
  return [...places];
}

/** What a store holds; all zero where there is none. */
export async function measureStore(stateDir: string): Promise<StoreSize> {
  const dir = storeDirOf(stateDir);
  const sizes = await Promise.all((await shardsOf(dir)).map((shard) => eachFile(dir, shard, async () => {})));
  return { dir, ...sumOf(sizes) };
}

/** Removes every text; returns what was removed. Rejects where one cannot be, or where a shard stays locked for 10 s. */
export async function wipeStore(stateDir: string): Promise<StoreSize> {
  const dir = storeDirOf(stateDir);
  const sizes: Counted[] = [];
  for (const shard of await shardsOf(dir)) {
    const empty = () => eachFile(dir, shard, (path) => rm(path, { force: true }));
    sizes.push(await withLock(shardLockOf(dir, shard), empty, { waitMs: LOCK_WAIT_MS, async: true }));
  }
  if (sizes.length > 0) await resetUsage(dir, { blocks: 0, usageBefore: Number.MAX_SAFE_INTEGER });
  return { dir, ...sumOf(sizes) };
}

type Counted = Pick<StoreSize, "texts" | "bytes">;

async function eachFile(dir: string, shard: string, act: (path: string) => Promise<void>): Promise<Counted> {
  let texts = 0;
  let bytes = 0;
  for (const name of await readdir(join(dir, shard)).catch(() => [])) {
    const pruneId = pruneIdOfFile(name);
    if (pruneId === undefined || shardOf(pruneId) !== shard) continue;
    const path = join(dir, shard, name);
    const stats = await statIfThere(path);
    if (stats === undefined) continue;
    await act(path);
    bytes += stats.size;
    if (name.endsWith(".txt")) texts++;
  }
  return { texts, bytes };
}

async function shardsOf(dir: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(dir, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && isShardName(entry.name)).map(({ name }) => name);
}

function sumOf(sizes: readonly Counted[]): Counted {
  return sizes.reduce((sum, { texts, bytes }) => ({ texts: sum.texts + texts, bytes: sum.bytes + bytes }), {
    texts: 0,
    bytes: 0,
  });
}
