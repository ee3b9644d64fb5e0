// Changes of one process, one after the other under the haven's lock. Those that wait share one acquisition: a server
// with fifty clients pays for the lock once, not fifty times. Where other processes wait, they get their turn.
import { othersWait, withLock } from "@jeeves/state";

interface ChangeQueue {
  /** Resolves with what the change gives, when it is made; the lock may be let go of later. */
  add<T>(change: () => Promise<T>, signal?: AbortSignal | undefined): Promise<T>;
}

interface ChangeQueueOptions {
  /** How long the lock is kept for a next change that has not come yet; 0: not at all. */
  readonly lingerMs: number;
  /** How long a holder in another process is waited for; then the changes fail with its name. */
  readonly waitMs?: number;
}

interface Waiting {
  readonly run: () => Promise<void>;
  readonly fail: (error: unknown) => void;
}

const LOCK_WAIT_MS = 30_000;
/**
 * One holder makes the changes that waited when it came in, and those that come within the shorter time; then others are
 * let in. On a busy machine a handover costs far more than a change.
 */
const BATCH_MS = 25;
const LONGEST_BATCH_MS = 250;
/** So often a holder looks whether other processes wait. */
const LOOK_MS = 5;
/** The longest time that a holder that lingers keeps the lock, although no other process asks for it. */
const LONGEST_HOLD_MS = 1_000;

/** The queue of this process for the lock at a path. */
export function createChangeQueue(lock: string, { lingerMs, waitMs = LOCK_WAIT_MS }: ChangeQueueOptions): ChangeQueue {
  const waiting: Waiting[] = [];
  let isDraining = false;
  let wake: (() => void) | undefined;

  async function drain(): Promise<void> {
    isDraining = true;
    try {
      while (waiting.length > 0) await withLock(lock, hold, { waitMs });
    } catch (error) {
      // The lock could not be had: every change that waited for it fails with that.
      for (const one of waiting.splice(0)) one.fail(error);
    } finally {
      isDraining = false;
    }
  }

  /** Taking the lock makes and removes four files: more than most changes do. */
  async function hold(): Promise<void> {
    const latest = performance.now() + LONGEST_HOLD_MS;
    let lookAt = 0;
    for (;;) {
      await runBatch();
      const now = performance.now();
      if (lingerMs === 0 || now > latest) return;
      // A look costs a tenth of a logged line: others may wait so much longer.
      if (now >= lookAt) {
        if (othersWait(lock)) return;
        lookAt = now + LOOK_MS;
      }
      if (waiting.length === 0) await nextChange();
      if (waiting.length === 0) return;
    }
  }

  async function runBatch(): Promise<void> {
    const start = performance.now();
    const cameBefore = waiting.length;
    for (let made = 1; ; made++) {
      await waiting.shift()?.run();
      const tookMs = performance.now() - start;
      if (waiting.length === 0 || tookMs > (made < cameBefore ? LONGEST_BATCH_MS : BATCH_MS)) return;
    }
  }

  async function nextChange(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, lingerMs);
    });
    clearTimeout(timer);
    wake = undefined;
  }

  return {
    add: (change, signal) =>
      new Promise((resolve, reject) => {
        const one: Waiting = {
          fail: reject,
          run: async () => {
            signal?.removeEventListener("abort", leave);
            if (signal?.aborted === true) return reject(signal.reason);
            await change().then(resolve, reject);
          },
        };
        // A caller that is stopped while others hold the lock need not wait for it.
        const leave = (): void => {
          const at = waiting.indexOf(one);
          if (at < 0) return;
          waiting.splice(at, 1);
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", leave, { once: true });
        waiting.push(one);
        wake?.();
        if (!isDraining) void drain();
      }),
  };
}
