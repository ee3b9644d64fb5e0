// The recovery store of one user, shared by all of our processes on the machine. Raw texts are
// plain files; a text that can be written neither here nor in the fallback directory is refused, so that
// the caller drops nothing. Each step has a deadline and makes no synchronous system call: a disk that hangs counts as one
// that cannot be written.
import { open, rm, utimes } from "node:fs/promises";
import { isPruneId, parseCount, systemCodeOf } from "@jeeves/base";
import { openFallbackDir } from "../fallback-dir.ts";
import { reportFault } from "../faults.ts";
import { makeDirs } from "../files/make-dirs.ts";
import { readPlainFile } from "../files/plain-file.ts";
import { isPrivateDir } from "../files/private-dir.ts";
import { statIfThere } from "../files/stat-if-there.ts";
import { moveIntoPlace, writeFileAtomic, writeTemporary } from "../files/write-file-atomic.ts";
import { BOOKKEEPING_WAIT_MS, guarded, STORE_WAIT_MS, waitMsOf } from "../guarded.ts";
import { withLock } from "../lock/lock.ts";
import { fallbackStateDir, heldOutputDir, resolveStateDir } from "../state-dir.ts";
import { StateError } from "../state-error.ts";
import { pruneIdOf } from "./prune-id.ts";
import type { PutRequest, RecoveryStore, Stored, StoredText } from "./recovery-store.ts";
import { DEFAULT_MAX_BYTES, DEFAULT_TTL_S, expiryOf, withProject } from "./recovery-store.ts";
import {
  expiryTimeS,
  isExpired,
  MAX_ENTRY_BYTES,
  modeOf,
  parseEntry,
  type StoreEntry,
  sha256Of,
  verifiedText,
} from "./store-entry.ts";
import { type EntryPlace, placeOf, storeDirOf } from "./store-layout.ts";
import { SMALL_TEXT_BYTES, writeNewText } from "./store-new-text.ts";
import { tidyStore } from "./store-tidy.ts";
import { BLOCK_BYTES, blocksOf } from "./store-usage.ts";
import { type EncodedText, encodeText } from "./text-codec.ts";

/** Shorter than STORE_WAIT_MS, so that a lock that is never released leads to the fallback directory. */
const LOCK_WAIT_MS = 2_000;
/** After a lock timed out, it is not waited for again for so long. */
const STUCK_LOCK_MS = 60_000;
const stuckUntilMs = new Map<string, number>();

/**
 * The environment that names the directories, the limit (default JEEVES_STORE_MAX_BYTES or 1 GiB) and the lifetime of a
 * text (default 14 days).
 */
export interface DiskStoreOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly maxBytes?: number;
  readonly defaultTtlS?: number;
  readonly now?: () => number;
}

interface NewText {
  readonly request: PutRequest;
  readonly pruneId: string;
  readonly encoded: EncodedText;
  readonly sha256: string;
  readonly nowMs: number;
  readonly expiresMs: number;
}

/** The recovery store in the state directory. `put` and `get` reject with a StateError `store_unavailable`. */
export function createDiskStore(options: DiskStoreOptions): RecoveryStore {
  const { env, defaultTtlS = DEFAULT_TTL_S, now = Date.now } = options;
  const maxBytes = options.maxBytes ?? storeLimitOf(env);
  const stateDir = resolveStateDir(env);
  const fallbackDir = fallbackStateDir(env);
  const storeWaitMs = waitMsOf(env, STORE_WAIT_MS);
  const bookkeepingWaitMs = waitMsOf(env, BOOKKEEPING_WAIT_MS);

  async function put(request: PutRequest): Promise<Stored> {
    const encoded = encodeText(request.text);
    if (blocksOf(encoded.bytes.byteLength) * BLOCK_BYTES > maxBytes) {
      throw unavailable(`the text (${encoded.bytes.byteLength} bytes) is larger than the whole store may be`);
    }
    const nowMs = now();
    const text: NewText = {
      request,
      pruneId: pruneIdOf(encoded, request.focus, request.options),
      encoded,
      sha256: sha256Of(encoded.bytes),
      nowMs,
      expiresMs: expiryOf(nowMs, request.ttlS ?? defaultTtlS),
    };
    try {
      return await putInto(stateDir, text);
    } catch (first) {
      if (first instanceof StateError && first.code === "store_unavailable") throw first; // another directory would not help
      reportFault("store", stateDir, first);
      try {
        return await putInto(fallbackDir, text);
      } catch (second) {
        throw unavailable(`${reasonOf(first)}; ${reasonOf(second)}`, new AggregateError([first, second]));
      }
    }
  }

  async function putInto(dir: string, text: NewText): Promise<Stored> {
    const storeDir = storeDirOf(dir);
    const place = placeOf(storeDir, text.pruneId);
    const isNew = await guarded(dir, storeWaitMs, async () => {
      if (dir === fallbackDir) await openFallbackDir(env);
      if (await writeQuickly(place, text)) return true;
      await makeDirs(place.dir, { mode: 0o700 });
      if (await refresh(place, text)) return false;
      await write(place, text);
      return true;
    });
    // The text is safe: a store that could not be tidied is tidied by the next put.
    const heldDir = heldOutputDir(env);
    const tidying = { maxBytes, nowMs: text.nowMs, justPut: text.pruneId, heldDir, waitMs: bookkeepingWaitMs };
    await tidyStore(dir, { ...tidying, addedBytes: isNew ? text.encoded.bytes.byteLength : undefined });
    return { pruneId: text.pruneId, ...(text.encoded.encoding === "utf-8" ? { path: place.textPath } : {}) };
  }

  async function get(pruneId: string): Promise<StoredText | undefined> {
    if (!isPruneId(pruneId)) return undefined; // before any path is made of it
    const found: StoredText[] = [];
    let fault: unknown;
    for (const dir of [stateDir, fallbackDir]) {
      try {
        const text = await guarded(dir, storeWaitMs, async () => {
          if (dir === fallbackDir && !(await isPrivateDir(dir))) return undefined;
          return read(placeOf(storeDirOf(dir), pruneId), { pruneId, nowMs: now() });
        });
        if (text !== undefined) found.push(text);
      } catch (error) {
        fault = error;
        reportFault("store", dir, error);
      }
    }
    const [first, ...others] = found;
    if (first !== undefined) {
      // The same text, cut for one project in the open and for another one in a sandbox.
      const projects = [...new Set([first, ...others].flatMap((text) => text.projects))];
      return others.length === 0 ? first : { ...first, projects };
    }
    // The text may exist: "not found" would be wrong.
    if (fault !== undefined) {
      const hint = fault instanceof StateError ? fault.hint : "try again";
      throw new StateError("store_unavailable", `the recovery store cannot be read: ${reasonOf(fault)}`, { hint });
    }
    return undefined;
  }

  async function describe(pruneId: string, cut: unknown): Promise<void> {
    for (const dir of isPruneId(pruneId) ? [stateDir, fallbackDir] : []) {
      try {
        const isHere = await guarded(dir, bookkeepingWaitMs, async () => {
          if (dir === fallbackDir && !(await isPrivateDir(dir))) return false;
          return addCut(placeOf(storeDirOf(dir), pruneId), cut);
        });
        if (isHere) return;
      } catch (error) {
        reportFault("store", dir, error);
      }
    }
  }

  return { put, get, describe };
}

/** False where there is no such entry. A file of its own, which only one process can make: no lock, on every call. */
async function addCut(place: EntryPlace, cut: unknown): Promise<boolean> {
  if ((await statIfThere(place.entryPath)) === undefined) return false;
  const file = await open(place.cutPath, "wx", 0o600).catch((error: unknown) => {
    if (systemCodeOf(error) !== "EEXIST") throw error;
  });
  if (file === undefined) return true; // the same cut of the same text
  try {
    await file.writeFile(JSON.stringify(cut));
  } finally {
    await file.close();
  }
  return true;
}

/** The record of the cut, with the entry or beside it. One that is torn is none. */
async function cutOf(place: EntryPlace, { cut }: StoreEntry): Promise<{ readonly cut?: unknown }> {
  if (cut !== undefined) return { cut };
  const json = await readPlain(place.cutPath, { maxBytes: MAX_ENTRY_BYTES });
  try {
    return json === undefined ? {} : { cut: JSON.parse(json.toString("utf8")) as unknown };
  } catch {
    return {};
  }
}

/** True when a live, sound entry with this very text is there already: its expiry moves, never back, and it gets the project. */
async function refresh(place: EntryPlace, text: NewText): Promise<boolean> {
  if ((await readEntry(place, text.pruneId)) === undefined) return false;
  return withShardLock(place, async () => {
    const entry = await readEntry(place, text.pruneId);
    if (entry === undefined || isExpired(entry, text.nowMs)) return false;
    const data = await readPlain(place.textPath, { maxBytes: entry.bytes });
    if (data === undefined || verifiedText(entry, data) === undefined) return false;
    // Sixty bits met by chance or on purpose. Overwriting would change what an earlier id brings back.
    if (entry.sha256 !== text.sha256) throw unavailable(`${text.pruneId} already names another text`);
    const expiresMs = Math.max(Date.parse(entry.expiresAt), text.expiresMs);
    await utimes(place.textPath, text.nowMs / 1000, text.nowMs / 1000);
    const projects = withProject(entry.projects ?? [], text.request.project);
    await writeEntry(place, {
      ...entry,
      ...(projects.length === 0 ? {} : { projects }),
      expiresAt: new Date(expiresMs).toISOString(),
    });
    return true;
  });
}

/** The short way of writing; false where `write` must be used. */
async function writeQuickly(place: EntryPlace, text: NewText): Promise<boolean> {
  const { encoded, nowMs } = text;
  if (encoded.bytes.byteLength > SMALL_TEXT_BYTES) return false;
  const entry = entryOf(text);
  const textTimeS = nowMs / 1000;
  const files = {
    text: encoded.bytes,
    textTimeS,
    entry: lineOf(entry),
    entryTimeS: expiryTimeS(entry),
    entryMode: modeOf(entry),
  };
  return writeNewText(place, files);
}

async function write(place: EntryPlace, text: NewText): Promise<void> {
  const { encoded, nowMs } = text;
  const temporary = await writeTemporary(place.dir, encoded.bytes); // the slow part, outside the lock
  try {
    await utimes(temporary, nowMs / 1000, nowMs / 1000);
    await withShardLock(place, async () => {
      // Another process may have put the same text since we looked, for a project of its own.
      const before = await readEntry(place, text.pruneId);
      const isSame = before?.sha256 === text.sha256 && !isExpired(before, nowMs);
      const projects = withProject((isSame && before?.projects) || [], text.request.project);
      await moveIntoPlace(temporary, place.textPath);
      await writeEntry(place, { ...entryOf(text), ...(projects.length === 0 ? {} : { projects }) });
    });
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

async function withShardLock<T>({ lockPath }: EntryPlace, run: () => Promise<T>): Promise<T> {
  const isStuck = performance.now() < (stuckUntilMs.get(lockPath) ?? 0);
  try {
    return await withLock(lockPath, run, { waitMs: isStuck ? 0 : LOCK_WAIT_MS, async: true });
  } catch (error) {
    if (!isStuck && error instanceof StateError && error.code === "lock_timeout")
      stuckUntilMs.set(lockPath, performance.now() + STUCK_LOCK_MS);
    throw error;
  }
}

function entryOf({ request, pruneId, encoded, sha256, nowMs, expiresMs }: NewText): StoreEntry {
  return {
    version: 1,
    pruneId,
    storedAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(expiresMs).toISOString(),
    bytes: encoded.bytes.byteLength,
    sha256,
    encoding: encoded.encoding,
    focusSha256: sha256Of(request.focus),
    ...(request.source === undefined ? {} : { source: request.source }),
    ...(request.project === undefined ? {} : { projects: [request.project] }),
    ...(request.cut === undefined ? {} : { cut: request.cut }),
  };
}

async function writeEntry(place: EntryPlace, entry: StoreEntry): Promise<void> {
  await writeFileAtomic(place.entryPath, lineOf(entry), { mode: modeOf(entry) });
  await utimes(place.entryPath, expiryTimeS(entry), expiryTimeS(entry));
}

function lineOf(entry: StoreEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

async function readEntry(place: EntryPlace, pruneId: string): Promise<StoreEntry | undefined> {
  const json = await readPlain(place.entryPath, { maxBytes: MAX_ENTRY_BYTES });
  return json === undefined ? undefined : parseEntry(json.toString("utf8"), pruneId);
}

/** A file that cannot be read counts as missing. */
function readPlain(path: string, limit: { readonly maxBytes: number }): Promise<Buffer | undefined> {
  return readPlainFile(path, limit).catch(() => undefined);
}

async function read(
  place: EntryPlace,
  wanted: { readonly pruneId: string; readonly nowMs: number },
): Promise<StoredText | undefined> {
  const entry = await readEntry(place, wanted.pruneId);
  if (entry === undefined || isExpired(entry, wanted.nowMs)) return undefined;
  const data = await readPlain(place.textPath, { maxBytes: entry.bytes });
  const text = data === undefined ? undefined : verifiedText(entry, data);
  if (text === undefined) return undefined;
  return {
    text,
    storedAt: entry.storedAt,
    ...(entry.source === undefined ? {} : { source: entry.source }),
    projects: entry.projects ?? [],
    ...(await cutOf(place, entry)),
  };
}

/** How many bytes the store of this environment may hold: JEEVES_STORE_MAX_BYTES, by default 1 GiB. */
export function storeLimitOf(env: NodeJS.ProcessEnv): number {
  const named = parseCount(env.JEEVES_STORE_MAX_BYTES?.trim() ?? "", { max: Number.MAX_SAFE_INTEGER });
  return named ?? DEFAULT_MAX_BYTES;
}

function unavailable(reason: string, cause?: unknown): StateError {
  return new StateError("store_unavailable", `the recovery store took nothing: ${reason}`, {
    hint: "set JEEVES_STATE_DIR to a writable directory with room, or raise JEEVES_STORE_MAX_BYTES",
    cause,
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
