// Makes room: what has expired goes first, then the oldest, until the store is a tenth under its
// limit. Rare (over the limit, or once a day), so that a put does not pay for a listing.

import { statSync } from "node:fs";
import { readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withLock } from "./lock.ts";
import { isPruneId } from "./prune-id.ts";
import { isShardName, placeOf, shardLockOf, shardOf } from "./store-layout.ts";
import { BLOCK_BYTES, blocksOf, readUsage, resetUsage } from "./store-usage.ts";
import { isTemporaryName } from "./write-file-atomic.ts";

const SWEEP_EVERY_MS = 86_400_000;
const ABANDONED_AFTER_MS = 3_600_000;
const ROOM_AFTER_SWEEP = 0.9;
/** A shard that is held for longer than any put takes is left to the next sweep. */
const SHARD_WAIT_MS = 5_000;

export interface SweepOptions {
  readonly maxBytes: number;
  readonly nowMs: number;
  /** The text that this sweep makes room for: never the one to go. */
  readonly justPut: string;
}

interface Found {
  readonly pruneId: string;
  readonly blocks: number;
  readonly putMs: number;
  readonly expiresMs: number;
}

export async function sweepIfDue(storeDir: string, options: SweepOptions): Promise<void> {
  if (!isDue(storeDir, options)) return;
  const sweepOnce = async () => {
    if (isDue(storeDir, options)) await sweep(storeDir, options); // another process may just have done it
  };
  await withLock(join(storeDir, "locks", "sweep"), sweepOnce, { waitMs: 0 }); // whoever is sweeping does it for all
}

/** Asked by every put, so it asks the disk directly. */
function isDue(storeDir: string, options: SweepOptions): boolean {
  if (readUsage(storeDir) * BLOCK_BYTES > options.maxBytes) return true;
  const sweptMs = statSync(join(storeDir, "swept"), { throwIfNoEntry: false })?.mtimeMs;
  return sweptMs === undefined || Math.abs(options.nowMs - sweptMs) > SWEEP_EVERY_MS;
}

/** Goes on past whatever it cannot list or take away: one such thing must not let the rest grow without end. */
async function sweep(storeDir: string, options: SweepOptions): Promise<void> {
  const usageBefore = readUsage(storeDir);
  const found: Found[] = [];
  for (const shard of (await readdir(storeDir)).filter(isShardName)) {
    found.push(...(await listShard(storeDir, shard, options.nowMs).catch(() => [])));
  }
  found.sort((a, b) => a.putMs - b.putMs || (a.pruneId < b.pruneId ? -1 : 1));
  let blocks = sumOf(found);
  const over = blocks * BLOCK_BYTES > options.maxBytes;
  const roomBlocks = (over ? options.maxBytes * ROOM_AFTER_SWEEP : options.maxBytes) / BLOCK_BYTES;
  const leaving: Found[] = [];
  const staying: Found[] = [];
  for (const entry of found) {
    (entry.expiresMs <= options.nowMs ? leaving : staying).push(entry);
  }
  blocks -= sumOf(leaving);
  for (const entry of staying) {
    if (blocks <= roomBlocks) break;
    if (entry.pruneId === options.justPut) continue;
    leaving.push(entry);
    blocks -= entry.blocks;
  }
  for (const shard of new Set(leaving.map((entry) => shardOf(entry.pruneId)))) {
    const here = leaving.filter((entry) => shardOf(entry.pruneId) === shard);
    blocks += sumOf(await removeFrom(storeDir, shard, { leaving: here, nowMs: options.nowMs }));
  }
  await resetUsage(storeDir, { blocks, usageBefore });
  await writeFile(join(storeDir, "swept"), "", { mode: 0o600 });
  await utimes(join(storeDir, "swept"), options.nowMs / 1000, options.nowMs / 1000);
}

/** Only what bears a name of ours: whatever else lies here is not ours to count or to take away. */
async function listShard(storeDir: string, shard: string, nowMs: number): Promise<Found[]> {
  const dir = join(storeDir, shard);
  const names = new Set(await readdir(dir));
  const looked = await Promise.all(
    [...names].map(async (name) => {
      if (isTemporaryName(name)) await removeAbandoned(join(dir, name)).catch(() => {});
      const pruneId = name.replace(/\.(?:txt|json)$/, "");
      if (!isPruneId(pruneId) || shardOf(pruneId) !== shard) return undefined;
      if (name.endsWith(".txt")) return lookAt(storeDir, pruneId, nowMs);
      if (!names.has(`${pruneId}.txt`)) await removeOrphan(storeDir, pruneId).catch(() => {});
      return undefined;
    }),
  );
  return looked.filter((entry) => entry !== undefined);
}

async function lookAt(storeDir: string, pruneId: string, nowMs: number): Promise<Found | undefined> {
  const place = placeOf(storeDir, pruneId);
  const stats = await stat(place.textPath).catch(() => undefined);
  if (stats === undefined || !stats.isFile()) return undefined;
  const expiresMs = await mtimeOf(place.entryPath);
  if (expiresMs === undefined && nowMs - stats.mtimeMs < ABANDONED_AFTER_MS) return undefined; // its put is under way
  return { pruneId, blocks: blocksOf(stats.size), putMs: stats.mtimeMs, expiresMs: expiresMs ?? 0 };
}

/** Returns what is still there. */
async function removeFrom(
  storeDir: string,
  shard: string,
  { leaving, nowMs }: { readonly leaving: readonly Found[]; readonly nowMs: number },
): Promise<readonly Found[]> {
  const left = new Set(leaving);
  const removeAll = async () => {
    for (const entry of leaving) {
      if (await remove(storeDir, entry, nowMs).catch(() => false)) left.delete(entry);
    }
  };
  await withLock(shardLockOf(storeDir, shard), removeAll, { waitMs: SHARD_WAIT_MS }).catch(() => {});
  return [...left];
}

/** Under the shard's lock. False when someone put the same text again since the listing: it is not the oldest any more. */
async function remove(storeDir: string, entry: Found, nowMs: number): Promise<boolean> {
  const now = await lookAt(storeDir, entry.pruneId, nowMs);
  if (now !== undefined && (now.putMs !== entry.putMs || now.expiresMs !== entry.expiresMs)) return false;
  const place = placeOf(storeDir, entry.pruneId);
  await rm(place.entryPath, { force: true }); // first: an entry without its text would be a broken promise
  await rm(place.textPath, { force: true });
  return true;
}

/** Half-written by someone who died. Real time, not the store's clock: nothing is taken that is being written now. */
async function removeAbandoned(path: string): Promise<void> {
  const writtenMs = await mtimeOf(path);
  if (writtenMs !== undefined && Date.now() - writtenMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
}

/** An entry whose text is gone. A put writes the text first, under this lock: here nobody is in between. */
async function removeOrphan(storeDir: string, pruneId: string): Promise<void> {
  const place = placeOf(storeDir, pruneId);
  const remove = async () => {
    if ((await mtimeOf(place.textPath)) === undefined) await rm(place.entryPath, { force: true });
  };
  await withLock(place.lockPath, remove, { waitMs: SHARD_WAIT_MS });
}

function sumOf(entries: readonly Found[]): number {
  return entries.reduce((sum, entry) => sum + entry.blocks, 0);
}

async function mtimeOf(path: string): Promise<number | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.mtimeMs;
}
