// What the log learns about a text that came back whole: the warnings that the client got, and why the store took
// nothing, which the client is not told.
import type { Events } from "@jeeves/kit/events";
import { StateError } from "@jeeves/state";

export interface Fallback {
  readonly tool: string;
  readonly warnings: readonly string[];
  /** What the store threw. */
  readonly storeError?: unknown;
}

export function emitFallback(events: Events, { tool, warnings, storeError }: Fallback): void {
  const why = storeError instanceof StateError ? { message: storeError.message, hint: storeError.hint } : {};
  events.emit("warn", "pruner.fallback", { tool, warnings, ...why });
}
