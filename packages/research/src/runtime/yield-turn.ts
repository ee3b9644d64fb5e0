// Long work in small pieces: the event loop gets its turn, so that a cancellation or a deadline is heard in the middle
// of an index of thousands of files.
import { setImmediate as nextTurn } from "node:timers/promises";

const TURN_MS = 12;

/** Rejects with the signal's reason when it is aborted. */
export type Breath = () => Promise<void> | undefined;

export function createBreath(signal: AbortSignal): Breath {
  let turnEnds = performance.now() + TURN_MS;
  return () => {
    if (performance.now() < turnEnds) return undefined;
    return nextTurn().then(() => {
      signal.throwIfAborted();
      turnEnds = performance.now() + TURN_MS;
    });
  };
}
