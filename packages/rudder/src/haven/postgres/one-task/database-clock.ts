// What time it is at the database, without asking: never later than its clock, and not much earlier. It is used for
// decisions that the database checks against its own clock before it writes them.

/** A moment is believed for so long; clocks drift apart. */
const MAX_AGE_MS = 30_000;
/** A slower answer is not used: the moment may lie anywhere within it. */
const MAX_TRIP_MS = 20;

/** The database's clock as this process knows it. */
export interface DatabaseClock {
  /** The database said `nowMs` in an answer to what was sent at `sentMs` of `performance.now()`. */
  learn(nowMs: number, sentMs: number): void;
  /** Undefined where it is not known well enough. */
  now(): number | undefined;
  /** What was learned is wrong. */
  forget(): void;
}

/** A clock that has learned nothing. */
export function createDatabaseClock(): DatabaseClock {
  let known: { readonly offsetMs: number; readonly atMs: number } | undefined;
  return {
    learn(nowMs, sentMs) {
      const atMs = performance.now();
      if (!Number.isFinite(nowMs) || atMs - sentMs > MAX_TRIP_MS) return;
      // The answer that came back fastest lies least behind.
      const offsetMs = nowMs - atMs;
      const isOld = known === undefined || atMs - known.atMs > MAX_AGE_MS / 2;
      if (isOld || offsetMs > (known?.offsetMs ?? 0)) known = { offsetMs, atMs };
    },
    now() {
      const atMs = performance.now();
      if (known === undefined || atMs - known.atMs > MAX_AGE_MS) return undefined;
      return atMs + known.offsetMs;
    },
    forget() {
      known = undefined;
    },
  };
}
