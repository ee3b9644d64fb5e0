// The store's housekeeping after a put: counting what was added, and a sweep where one is due. It never fails the put and
// never keeps it waiting for long; a sweep that takes longer goes on by itself.
import { reportFault } from "../faults.ts";
import { guarded } from "../guarded.ts";
import { StateError } from "../state-error.ts";
import { storeDirOf } from "./store-layout.ts";
import { type SweepOptions, sweepIfDue } from "./store-sweep.ts";
import { addUsage } from "./store-usage.ts";

/** After a sweep that failed: what was in its way is likely to be there still. */
const RETRY_MS = 60_000;

interface TidyOptions extends SweepOptions {
  readonly addedBytes: number | undefined;
  readonly waitMs: number;
}

/** Sweeps under way in this process, and what to check once more afterwards. One that hangs keeps one thread. */
const sweeping = new Map<string, { next: SweepOptions | undefined }>();
const failedAtMs = new Map<string, number>();

/**
 * Counts what was added and sweeps where that is due, for at most `waitMs`. Never rejects: problems are reported as
 * faults.
 */
export async function tidyStore(dir: string, options: TidyOptions): Promise<void> {
  const storeDir = storeDirOf(dir);
  const { addedBytes } = options;
  try {
    if (addedBytes !== undefined) await guarded(dir, options.waitMs, () => addUsage(storeDir, addedBytes));
    await within(options.waitMs, sweepOnce(storeDir, options));
  } catch (error) {
    reportFault("store", storeDir, error);
  }
}

/** Puts during a sweep do not wait for it, but may make the next one due. */
async function sweepOnce(storeDir: string, options: SweepOptions): Promise<void> {
  const running = sweeping.get(storeDir);
  if (running !== undefined) {
    running.next = options;
    return;
  }
  const isTooSoon = performance.now() - (failedAtMs.get(storeDir) ?? Number.NEGATIVE_INFINITY) < RETRY_MS;
  if (isTooSoon) return;
  const own: { next: SweepOptions | undefined } = { next: options };
  sweeping.set(storeDir, own);
  try {
    for (let next = own.next; next !== undefined; next = own.next) {
      own.next = undefined;
      await sweepIfDue(storeDir, next);
    }
  } catch (error) {
    // Another process is sweeping: it does it for all.
    if (error instanceof StateError && error.code === "lock_timeout") return;
    failedAtMs.set(storeDir, performance.now());
    reportFault("store", storeDir, error);
  } finally {
    sweeping.delete(storeDir);
  }
}

async function within(ms: number, done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([done, late]).finally(() => clearTimeout(timer));
}
