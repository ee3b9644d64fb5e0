// How long calls wait for a database that is down. A command makes several calls, and a person waits for all of them.
import { isConnectionFault, retrying } from "@jeeves/state";

/** So long after a call has waited in vain the next ones try once. */
const DOWN_MS = 5_000;

/** Makes attempts until one succeeds or the limit is over. */
type WaitLimit = <T>(attempt: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** A limit that the calls of one store share. */
export function createWaitLimit(waitMs: number): WaitLimit {
  let outage: { readonly sinceMs: number; readonly untilMs: number } | undefined;
  return async (attempt, signal) => {
    const startMs = performance.now();
    const isStillDown = outage !== undefined && startMs - outage.untilMs < DOWN_MS;
    const sinceMs = isStillDown && outage !== undefined ? outage.sinceMs : startMs;
    try {
      const value = await retrying(attempt, { waitMs, sinceMs, signal });
      outage = undefined;
      return value;
    } catch (error) {
      if (isConnectionFault(error)) outage = { sinceMs, untilMs: performance.now() };
      throw error;
    }
  };
}
