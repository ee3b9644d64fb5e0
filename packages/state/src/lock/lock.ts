// One holder at a time, across processes. The lock is a directory of numbered files: the highest
// number names the holder, `<n>.free` beside it marks it as released. Numbers only grow and the highest
// is never removed, so taking over from a dead holder is one exclusive create that exactly one waiter
// wins; at no moment can a live holder's file be deleted by mistake. Its system calls are in lock-files.ts.
import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { systemCodeOf } from "@jeeves/base";
import { makeDirs } from "../files/make-dirs.ts";
import { StateError } from "../state-error.ts";
import { asyncLockFiles, type LockFiles, syncLockFiles } from "./lock-files.ts";
import { highest, type Numbered, toNumbered } from "./lock-numbers.ts";
import {
  isThisProcess,
  type LockOwner,
  ownerHint,
  ownerWords,
  parseOwner,
  silentMs,
  toOwnerText,
} from "./lock-owner.ts";
import { announceWait, isWaitOfAnother, removeDeadWaits, waitStateOf } from "./lock-waits.ts";
import { livenessOf } from "./process-identity.ts";

const DEFAULT_WAIT_MS = 10_000;
const LONGEST_PAUSE_MS = 50;
const HEARTBEAT_MS = 10_000;
/** A holder that we cannot look at (another container) counts as gone after six missed heartbeats. */
const FOREIGN_STALE_MS = 60_000;
/** A claim of this process without a heartbeat is one that could not be released when the disk failed. */
const OWN_STALE_MS = 3 * HEARTBEAT_MS;
/** Created but not yet written: its maker died in between, or is about to write. */
const UNWRITTEN_STALE_MS = 5_000;

/** How a lock is waited for; `waitMs` is 10,000 by default. */
export interface LockOptions {
  readonly signal?: AbortSignal;
  readonly waitMs?: number;
  /** Makes no synchronous system call: a disk that hangs then never holds up the event loop. */
  readonly async?: boolean;
}

/** How long a process that just had the lock lets others go first: longer than any of them sleeps. */
const YIELD_MS = 2 * LONGEST_PAUSE_MS;
const YIELD_POLL_MS = 2;

/** Callers in this process queue here: only one of them at a time looks at the disk. */
const queues = new Map<string, Promise<void>>();
/** Locks that this process was the last to release, with the number it had then. */
const released = new Map<string, number>();
/** The files of the locks that this process holds now. */
const heldHere = new Set<string>();

/**
 * Runs `run` while this caller holds the lock at `path`, a directory that is made where there is none: one holder at a
 * time among all processes. Rejects with a StateError `lock_timeout` where others hold it for too long, or once the
 * signal aborts. Not re-entrant: `run` must not take the same lock.
 */
export async function withLock<T>(path: string, run: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const dir = resolve(path);
  const deadline = performance.now() + (options.waitMs ?? DEFAULT_WAIT_MS);
  const files = options.async === true ? asyncLockFiles : syncLockFiles;
  const waiting: Waiting = { deadline, signal: options.signal, files };
  const leaveQueue = await enterQueue(dir, waiting);
  try {
    const held = await acquire(dir, waiting);
    heldHere.add(held);
    const since = new Date().toISOString();
    const heartbeat = setInterval(() => void beat(held, since, files), HEARTBEAT_MS);
    heartbeat.unref();
    try {
      return await run();
    } finally {
      clearInterval(heartbeat);
      heldHere.delete(held);
      await letGo(held, files);
      released.set(dir, Number(basename(held)));
    }
  } finally {
    leaveQueue();
  }
}

/** Whether other processes wait for a lock, so that a holder with more to do should release it soon. */
export function othersWait(path: string): boolean {
  const dir = resolve(path);
  try {
    return readdirSync(dir).some((name) => isWaitOfAnother(dir, name));
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return false;
    throw error;
  }
}

interface Waiting {
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  readonly files: LockFiles;
}

async function enterQueue(dir: string, waiting: Waiting): Promise<() => void> {
  const before = queues.get(dir);
  let leave = () => {};
  const mine = new Promise<void>((done) => {
    leave = done;
  });
  const tail = (before ?? Promise.resolve()).then(() => mine);
  queues.set(dir, tail);
  void tail.then(() => {
    if (queues.get(dir) === tail) queues.delete(dir);
  });
  if (before === undefined) return leave;
  const stop = new AbortController();
  try {
    const remaining = Math.max(0, waiting.deadline - performance.now());
    const signals = waiting.signal === undefined ? [stop.signal] : [stop.signal, waiting.signal];
    const turn = await Promise.race([
      before.then(() => true),
      delay(remaining, false, { signal: AbortSignal.any(signals) }),
    ]);
    if (!turn) throw timedOut(dir, { words: "this process" });
    return leave;
  } catch (error) {
    leave();
    waiting.signal?.throwIfAborted();
    throw error;
  } finally {
    stop.abort();
  }
}

async function acquire(dir: string, waiting: Waiting): Promise<string> {
  let seen = await letOthersFirst(dir, waiting);
  let announced: string | undefined;
  try {
    for (let pauseMs = 1; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      waiting.signal?.throwIfAborted();
      const top = highest(seen ?? (await listed(dir, waiting.files)));
      seen = undefined;
      const holder = top.free ? undefined : await holderOf(join(dir, String(top.number)), waiting.files);
      if (holder === undefined) {
        const held = await claim(dir, top.number + 1, waiting.files);
        if (held !== undefined) return held;
        if (performance.now() < waiting.deadline) continue; // lost a race: look again at once, the winner is now visible
      }
      if (performance.now() + pauseMs > waiting.deadline) {
        throw timedOut(dir, holder ?? { words: "others in turn" });
      }
      announced ??= await announceWait(dir, waiting.files);
      await delay(pauseMs, undefined, waiting.signal === undefined ? {} : { signal: waiting.signal });
    }
  } finally {
    if (announced !== undefined) await waiting.files.remove(announced);
  }
}

/**
 * A process with much to do would take the lock again before a waiting process wakes up. Where others wait, it lets one of
 * them go first, for a bounded time; the safety of the lock does not depend on it. Returns what it saw of the directory
 * last, if it looked.
 */
async function letOthersFirst(dir: string, waiting: Waiting): Promise<Numbered[] | undefined> {
  const own = released.get(dir);
  released.delete(dir);
  if (own === undefined) return undefined;
  const end = Math.min(waiting.deadline, performance.now() + YIELD_MS);
  while (performance.now() < end) {
    const names = (await waiting.files.list(dir)) ?? [];
    await removeDeadWaits(dir, names, waiting.files);
    const isWanted = names.some((name) => waitStateOf(name) === "alive");
    const numbers = toNumbered(names);
    if (highest(numbers).number !== own || !isWanted) return numbers.length === 0 ? undefined : numbers;
    await delay(YIELD_POLL_MS, undefined, waiting.signal === undefined ? {} : { signal: waiting.signal });
  }
  return undefined;
}

/** The path of our file when we are now the holder. Exported for its test: the race that it guards cannot be arranged. */
export async function claim(
  dir: string,
  number: number,
  files: LockFiles = syncLockFiles,
): Promise<string | undefined> {
  const path = join(dir, String(number));
  try {
    await files.create(path, toOwnerText(new Date().toISOString()));
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return undefined;
    throw error;
  }
  try {
    return await keepClaim(dir, { path, number }, files);
  } catch (error) {
    // Not held after all: as long as we live, others would wait for it.
    await Promise.resolve(files.remove(path)).catch(() => {});
    throw error;
  }
}

/** The path, where the claim holds; otherwise its file is gone again. */
async function keepClaim(
  dir: string,
  { path, number }: { readonly path: string; readonly number: number },
  files: LockFiles,
): Promise<string | undefined> {
  // We may have looked long ago, and our number may already have been used, freed and cleared away.
  const names = (await files.list(dir)) ?? [];
  const numbers = toNumbered(names);
  if (numbers.some((other) => other.number > number || (other.number === number && other.free))) {
    await files.remove(path);
    return undefined;
  }
  // The one before us stays: a listing that runs beside a handover must find at least one of the two.
  for (const other of numbers) {
    if (other.number < number - 1) await files.remove(join(dir, other.name));
  }
  await removeDeadWaits(dir, names, files);
  return path;
}

async function letGo(held: string, files: LockFiles): Promise<void> {
  try {
    await files.create(`${held}.free`, "");
  } catch {
    try {
      // A full disk takes no new file, but a rename needs none.
      await files.rename(held, `${held}.free`);
    } catch {
      // Deleted under us: nothing left to let go.
    }
  }
}

/** Makes the directory where there is none. */
async function listed(dir: string, files: LockFiles): Promise<Numbered[]> {
  const names = await files.list(dir);
  if (names !== undefined) return toNumbered(names);
  await makeDirs(dir, { mode: 0o700 });
  return toNumbered((await files.list(dir)) ?? []);
}

interface Holder {
  readonly words: string;
  readonly owner?: LockOwner;
}

/** The live holder; undefined when it is gone. */
async function holderOf(path: string, files: LockFiles): Promise<Holder | undefined> {
  let text: string;
  let mtimeMs: number;
  try {
    ({ text, mtimeMs } = await files.read(path));
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return { words: "a holder that just let go" }; // its .free file tells
    throw error;
  }
  const owner = parseOwner(text);
  if (owner === undefined) {
    return Date.now() - mtimeMs > UNWRITTEN_STALE_MS ? undefined : { words: "a holder that is just arriving" };
  }
  const ageMs = silentMs(owner, mtimeMs);
  if (isThisProcess(owner) && !heldHere.has(path) && ageMs > OWN_STALE_MS) return undefined;
  const liveness = livenessOf(owner);
  if (liveness === "dead" || (liveness === "unknown" && ageMs > FOREIGN_STALE_MS)) return undefined;
  return { words: ownerWords(owner), owner };
}

async function beat(path: string, since: string, files: LockFiles): Promise<void> {
  try {
    await files.overwrite(path, toOwnerText(since));
  } catch {
    // Only holders that cannot be looked at live by this; the next beat tries again.
  }
}

function timedOut(dir: string, { words, owner }: Holder): StateError {
  return new StateError("lock_timeout", `${dir} is held by ${words}`, {
    hint: owner === undefined ? "try again; if that process hangs, end it and the lock is free" : ownerHint(owner),
  });
}
