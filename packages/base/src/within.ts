// Waiting for something, but not for ever.

/** A timer that is set for longer fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

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
