// Faults that cost no answer: a meter that cannot be read, a store that cannot be tidied, a grammar that is missing. Each
// cause is reported once per process; servers turn reports into warning events, commands into a line on stderr.
import { systemCodeOf } from "@jeeves/base";

/** A problem that was worked around: what is impaired, where, and the error's message. */
export interface StateFault {
  /** The part that is impaired. */
  readonly what: "meter" | "mode" | "store" | "journal" | "transcript" | "trial" | "grammar";
  /** The file or directory; of a grammar, its language. */
  readonly path: string;
  readonly message: string;
}

const MAX_REPORTED = 200;
const reported = new Set<string>();
const listeners = new Set<(fault: StateFault) => void>();

/** Calls `listener` with each new fault, once per cause, until the returned function is called. */
export function onStateFault(listener: (fault: StateFault) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Passes a fault to the listeners, if its cause is new. Never throws. `path` is the file or directory concerned. */
export function reportFault(what: StateFault["what"], path: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  // The message may hold a name that differs each time; the system's code does not.
  const cause = `${what} ${path} ${systemCodeOf(error) ?? message}`;
  if (listeners.size === 0 || reported.has(cause) || reported.size >= MAX_REPORTED) return;
  reported.add(cause);
  for (const listener of listeners) {
    try {
      listener({ what, path, message });
    } catch {
      // A listener that fails must not fail the work that reports.
    }
  }
}
