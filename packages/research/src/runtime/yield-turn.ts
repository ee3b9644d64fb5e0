// Long work in small pieces: the event loop gets its turn, so that a cancellation or a deadline ends the work in the
// middle of an index of thousands of files.
import { setImmediate as nextTurn } from "node:timers/promises";

const TURN_MS = 12;

/** Rejects with the signal's reason when it is aborted. */
export type YieldTurn = () => Promise<void> | undefined;

/** Call it between pieces of work: every 12 ms it gives a promise of the next turn, and undefined in between. */
export function createYield(signal: AbortSignal): YieldTurn {
  let turnEnds = performance.now() + TURN_MS;
  return () => {
    if (performance.now() < turnEnds) return undefined;
    return nextTurn().then(() => {
      signal.throwIfAborted();
      turnEnds = performance.now() + TURN_MS;
    });
  };
}
