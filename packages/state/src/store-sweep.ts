// Makes room: what has expired goes first, then the oldest, until the store is a tenth under its
// limit. Rare (over the limit, or once a day), so that a put does not pay for a listing.

import { statSync } from "node:fs";
import { readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withLock } from "./lock.ts";
import { isShardName, placeOf, shardLockOf, shardOf } from "./store-layout.ts";
import { BLOCK_BYTES, blocksOf, readUsage, resetUsage } from "./store-usage.ts";
import { isTemporaryName } from "./write-file-atomic.ts";

const SWEEP_EVERY_MS = 86_400_000;
const ABANDONED_AFTER_MS = 3_600_000;
const ROOM_AFTER_SWEEP = 0.9;

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
  await withLock(join(storeDir, "locks", "sweep"), async () => {
    if (isDue(storeDir, options)) await sweep(storeDir, options); // another process may just have done it
  });
}

/** Asked by every put, so it asks the disk directly. */
function isDue(storeDir: string, options: SweepOptions): boolean {
  const usage = readUsage(storeDir);
  if (usage !== undefined && usage.bytes > options.maxBytes) return true;
  const sweptMs = statSync(join(storeDir, "swept"), { throwIfNoEntry: false })?.mtimeMs;
  return sweptMs === undefined || Math.abs(options.nowMs - sweptMs) > SWEEP_EVERY_MS;
}

async function sweep(storeDir: string, options: SweepOptions): Promise<void> {
  const found: Found[] = [];
  for (const shard of (await readdir(storeDir)).filter(isShardName)) {
    found.push(...(await listShard(join(storeDir, shard), options.nowMs)));
  }
  found.sort((a, b) => a.putMs - b.putMs || (a.pruneId < b.pruneId ? -1 : 1));
  let blocks = found.reduce((sum, entry) => sum + entry.blocks, 0);
  const over = blocks * BLOCK_BYTES > options.maxBytes;
  const roomBlocks = (over ? options.maxBytes * ROOM_AFTER_SWEEP : options.maxBytes) / BLOCK_BYTES;
  const leaving: Found[] = [];
  const staying: Found[] = [];
  for (const entry of found) {
    (entry.expiresMs <= options.nowMs ? leaving : staying).push(entry);
  }
  blocks -= leaving.reduce((sum, entry) => sum + entry.blocks, 0);
  for (const entry of staying) {
    if (blocks <= roomBlocks) break;
    if (entry.pruneId === options.justPut) continue;
    leaving.push(entry);
    blocks -= entry.blocks;
  }
  for (const shard of new Set(leaving.map((entry) => shardOf(entry.pruneId)))) {
    const here = leaving.filter((entry) => shardOf(entry.pruneId) === shard);
    await withLock(shardLockOf(storeDir, shard), async () => {
      for (const entry of here) blocks += (await remove(storeDir, entry)) ? 0 : entry.blocks;
    });
  }
  await resetUsage(storeDir, blocks);
  await writeFile(join(storeDir, "swept"), "", { mode: 0o600 });
  await utimes(join(storeDir, "swept"), options.nowMs / 1000, options.nowMs / 1000);
}

async function listShard(dir: string, nowMs: number): Promise<Found[]> {
  const names = new Set(await readdir(dir));
  const looked = await Promise.all(
    [...names].map(async (name) => {
      if (name.endsWith(".txt")) return lookAt(dir, name.slice(0, -4), nowMs);
      const pruneId = name.slice(0, -5);
      if (name.endsWith(".json") && !names.has(`${pruneId}.txt`)) await removeOrphan(dir, pruneId);
      if (isTemporaryName(name)) await removeAbandoned(join(dir, name));
      return undefined;
    }),
  );
  return looked.filter((entry) => entry !== undefined);
}

async function lookAt(dir: string, pruneId: string, nowMs: number): Promise<Found | undefined> {
  const stats = await stat(join(dir, `${pruneId}.txt`)).catch(() => undefined);
  if (stats === undefined) return undefined;
  const expiresMs = await mtimeOf(join(dir, `${pruneId}.json`));
  if (expiresMs === undefined && nowMs - stats.mtimeMs < ABANDONED_AFTER_MS) return undefined; // its put is under way
  return { pruneId, blocks: blocksOf(stats.size), putMs: stats.mtimeMs, expiresMs: expiresMs ?? 0 };
}

/** Under the shard's lock. False when someone put the same text again since the listing: it is not the oldest any more. */
async function remove(storeDir: string, entry: Found): Promise<boolean> {
  const place = placeOf(storeDir, entry.pruneId);
  const putMs = await mtimeOf(place.textPath);
  if (putMs !== undefined && putMs !== entry.putMs) return false;
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
async function removeOrphan(dir: string, pruneId: string): Promise<void> {
  const place = placeOf(dirname(dir), pruneId);
  await withLock(place.lockPath, async () => {
    if ((await mtimeOf(place.textPath)) === undefined) await rm(place.entryPath, { force: true });
  });
}

async function mtimeOf(path: string): Promise<number | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.mtimeMs;
}
