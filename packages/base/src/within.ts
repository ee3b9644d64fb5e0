// Waiting for something, but not for ever.

/** A timer that is set for longer fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A bound on the time of something that takes a signal. */
export interface TimeLimit {
  /** Aborts with a `TimeoutError` when the time is over, or with the first of the other signals. */
  readonly signal: AbortSignal;
  /** Whether it was the time that ran out. */
  readonly isOver: boolean;
  /** Stops the clock. To be called when what was bounded has ended. */
  end(): void;
}

/**
 * Starts a bound of `ms`, beside other signals. Instead of `AbortSignal.any` with an `AbortSignal.timeout`, which Node may
 * collect before its time is over: it then never aborts (nodejs/node issue 57736). It keeps no process alive.
 */
export function startTimeLimit(ms: number, ...others: readonly (AbortSignal | undefined)[]): TimeLimit {
  const time = new AbortController();
  const late = (): void => time.abort(new DOMException(`not done within ${ms} ms`, "TimeoutError"));
  const timer = setTimeout(late, Math.min(ms, LONGEST_TIMER_MS)).unref();
  const signals = [time.signal, ...others.filter((other) => other !== undefined)];
  return {
    signal: AbortSignal.any(signals),
    get isOver() {
      return time.signal.aborted;
    },
    end: () => clearTimeout(timer),
  };
}

/** What `done` resolves to, or undefined if that takes longer than `ms`; it goes on all the same. */
export async function within<T>(ms: number, done: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.min(ms, LONGEST_TIMER_MS));
  });
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
