// Makes room: what has expired goes first, then texts of open doors, then all others, the oldest first, until the store
// is a tenth under its limit. Rare (over the limit, or once a day), so that a put does not pay for a listing. It may take
// seconds in a large store; no put has to wait for its end.
import type { Stats } from "node:fs";
import { readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { readPlainFile } from "../files/plain-file.ts";
import { statIfThere } from "../files/stat-if-there.ts";
import { isTemporaryName, writeFileAtomic } from "../files/write-file-atomic.ts";
import { withLock } from "../lock/lock.ts";
import { sweepHeldOutput } from "./held-output.ts";
import { expiryTimeS, isExpired, isMarkedOpen, MAX_ENTRY_BYTES, parseEntry } from "./store-entry.ts";
import { isShardName, placeOf, pruneIdOfFile, shardLockOf, shardOf } from "./store-layout.ts";
import { BLOCK_BYTES, blocksOf, readUsage, resetUsage } from "./store-usage.ts";

const SWEEP_EVERY_MS = 86_400_000;
/** Longer than a weekend without a sweep: the machine was off, or its clock was set. */
const MAX_STEP_MS = 3 * SWEEP_EVERY_MS;
const ABANDONED_AFTER_MS = 3_600_000;
const ROOM_AFTER_SWEEP = 0.9;
/** A shard that is locked for longer than any put takes is left to the next sweep. */
const SHARD_WAIT_MS = 5_000;

/** What a sweep needs to know. */
export interface SweepOptions {
  readonly maxBytes: number;
  readonly nowMs: number;
  /** The text that this sweep makes room for: never the one to go. */
  readonly justPut: string;
  /** Where jeeves-exec keeps what it holds back. */
  readonly heldDir: string;
}

interface Found {
  readonly pruneId: string;
  readonly blocks: number;
  readonly putMs: number;
  readonly isOver: boolean;
  readonly isOpen: boolean;
}

/**
 * Sweeps a store that is over its limit or was not swept for a day. Rejects with a StateError `lock_timeout` where
 * another process sweeps it.
 */
export async function sweepIfDue(storeDir: string, options: SweepOptions): Promise<void> {
  if (!(await isDue(storeDir, options))) return;
  const sweepOnce = async () => {
    if (await isDue(storeDir, options)) await sweep(storeDir, options); // another process may just have done it
  };
  // One process sweeps for all.
  await withLock(join(storeDir, "locks", "sweep"), sweepOnce, { waitMs: 0, async: true });
}

async function isDue(storeDir: string, options: SweepOptions): Promise<boolean> {
  if ((await readUsage(storeDir)) * BLOCK_BYTES > options.maxBytes) return true;
  const sweptMs = (await statIfThere(join(storeDir, "swept")))?.mtimeMs;
  return sweptMs === undefined || Math.abs(options.nowMs - sweptMs) > SWEEP_EVERY_MS;
}

/** Skips what it cannot list or remove, which must not let the rest grow without end. */
async function sweep(storeDir: string, options: SweepOptions): Promise<void> {
  const usageBefore = await readUsage(storeDir);
  const nowMs = await steadyNow(storeDir, options.nowMs);
  const found: Found[] = [];
  for (const shard of (await readdir(storeDir)).filter(isShardName)) {
    await listShard(storeDir, shard, { nowMs, found }).catch(() => {});
  }
  found.sort((a, b) => Number(b.isOpen) - Number(a.isOpen) || a.putMs - b.putMs || (a.pruneId < b.pruneId ? -1 : 1));
  let blocks = sumOf(found);
  const over = blocks * BLOCK_BYTES > options.maxBytes;
  const roomBlocks = (over ? options.maxBytes * ROOM_AFTER_SWEEP : options.maxBytes) / BLOCK_BYTES;
  const leaving: Found[] = [];
  const staying: Found[] = [];
  for (const entry of found) {
    (entry.isOver ? leaving : staying).push(entry);
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
    blocks += sumOf(await removeFrom(storeDir, shard, { leaving: here, nowMs }));
  }
  await resetUsage(storeDir, { blocks, usageBefore });
  await sweepHeldOutput(options.heldDir, options.nowMs);
  await writeFileAtomic(join(storeDir, "swept"), "");
  await utimes(join(storeDir, "swept"), options.nowMs / 1000, options.nowMs / 1000);
}

/**
 * The time by which texts expire. A clock that has leapt since the last sweep may be wrong, and removed texts do not come
 * back with the right time: only what had expired at both times is removed.
 */
async function steadyNow(storeDir: string, nowMs: number): Promise<number> {
  const sweptMs = (await statIfThere(join(storeDir, "swept")))?.mtimeMs ?? nowMs;
  return Math.abs(nowMs - sweptMs) > MAX_STEP_MS ? Math.min(nowMs, sweptMs) : nowMs;
}

/** Only files with our names: any others are neither counted nor removed. */
async function listShard(
  storeDir: string,
  shard: string,
  { nowMs, found }: { readonly nowMs: number; readonly found: Found[] },
): Promise<void> {
  const dir = join(storeDir, shard);
  const names = new Set(await readdir(dir));
  for (const name of names) {
    if (isTemporaryName(name)) await removeAbandoned(join(dir, name));
    const pruneId = pruneIdOfFile(name);
    if (pruneId === undefined || shardOf(pruneId) !== shard) continue;
    if (name.endsWith(".txt")) {
      const entry = await lookAt(storeDir, pruneId, nowMs);
      if (entry !== undefined) found.push(entry);
    } else if (!names.has(`${pruneId}.txt`)) {
      await removeOrphan(storeDir, pruneId);
    }
  }
}

async function lookAt(storeDir: string, pruneId: string, nowMs: number): Promise<Found | undefined> {
  const place = placeOf(storeDir, pruneId);
  const text = await statIfThere(place.textPath);
  if (text === undefined || !text.isFile()) return undefined;
  const entry = await statIfThere(place.entryPath);
  const state = entry === undefined ? "none" : await entryStateOf(place.entryPath, { stats: entry, pruneId, nowMs });
  if (state === "none" && nowMs - text.mtimeMs < ABANDONED_AFTER_MS) return undefined; // its put is under way
  const isOpen = entry !== undefined && isMarkedOpen(entry.mode);
  return { pruneId, blocks: blocksOf(text.size), putMs: text.mtimeMs, isOver: state !== "live", isOpen };
}

/**
 * "none" where a reader would find no entry: it is empty or torn. A copy or a restore gives every file the time
 * of the copy, so what its mtime calls over may have days to live: the entry itself is asked.
 */
async function entryStateOf(
  entryPath: string,
  { stats, pruneId, nowMs }: { readonly stats: Stats; readonly pruneId: string; readonly nowMs: number },
): Promise<"live" | "over" | "none"> {
  if (stats.mtimeMs > nowMs) return "live";
  if (!stats.isFile() || stats.size > MAX_ENTRY_BYTES) return "none";
  try {
    const json = await readPlainFile(entryPath, { maxBytes: MAX_ENTRY_BYTES });
    const entry = json === undefined ? undefined : parseEntry(json.toString("utf8"), pruneId);
    if (entry === undefined) return "none";
    if (isExpired(entry, nowMs)) return "over";
    // It may have been put again since: then this is too early, and the next sweep looks again.
    await utimes(entryPath, expiryTimeS(entry), expiryTimeS(entry));
    return "live";
  } catch {
    return "live"; // an entry that cannot be read just now may have days to live, too
  }
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
      if (await remove(storeDir, entry, nowMs)) left.delete(entry);
    }
  };
  await withLock(shardLockOf(storeDir, shard), removeAll, { waitMs: SHARD_WAIT_MS, async: true }).catch(() => {});
  return [...left];
}

/** Under the shard's lock. False where the same text was put again since the listing: it is not the oldest any more. */
async function remove(storeDir: string, entry: Found, nowMs: number): Promise<boolean> {
  const now = await lookAt(storeDir, entry.pruneId, nowMs);
  if (now === undefined || now.putMs !== entry.putMs || now.isOver !== entry.isOver || now.isOpen !== entry.isOpen)
    return false;
  const place = placeOf(storeDir, entry.pruneId);
  // The entry first: it must never exist without its text.
  return (await removeFile(place.entryPath)) && (await removeFile(place.cutPath)) && removeFile(place.textPath);
}

/**
 * A temporary file whose writer died. By real time, not the store's clock, so that nothing is removed that is being
 * written.
 */
async function removeAbandoned(path: string): Promise<void> {
  const writtenMs = (await statIfThere(path))?.mtimeMs;
  if (writtenMs !== undefined && Date.now() - writtenMs > ABANDONED_AFTER_MS) await removeFile(path);
}

/**
 * An entry, or the record of a cut, whose text is gone. A put writes the text first, under this lock: none is half done
 * here.
 */
async function removeOrphan(storeDir: string, pruneId: string): Promise<void> {
  const place = placeOf(storeDir, pruneId);
  const removeEntry = async () => {
    if ((await statIfThere(place.textPath)) !== undefined) return;
    await removeFile(place.entryPath);
    await removeFile(place.cutPath);
  };
  await withLock(place.lockPath, removeEntry, { waitMs: SHARD_WAIT_MS, async: true }).catch(() => {});
}

/** False where it cannot be removed. */
function removeFile(path: string): Promise<boolean> {
  return rm(path, { force: true }).then(
    () => true,
    () => false,
  );
}

function sumOf(entries: readonly Found[]): number {
  return entries.reduce((sum, entry) => sum + entry.blocks, 0);
}
