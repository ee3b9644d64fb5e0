// A text that came back whole: the warning that the client gets, and what the log gets beside it.
import type { WholeReason } from "@jeeves/cut";
import type { Events } from "@jeeves/kit/events";
import { StateError } from "@jeeves/state";

/** What is logged about a text that came back whole. */
interface Fallback {
  readonly tool: string;
  readonly warnings: readonly string[];
  /** What the store threw; clients never see it. */
  readonly storeError?: unknown;
}

/** The warning that clients get for a reason, as K-33 and K-39 name it. */
export function toWarning(reason: WholeReason): string {
  if (reason === "engine_error") return "internal_error";
  return reason === "store_unavailable" ? "recovery_unavailable" : reason;
}

/** Emits `pruner.fallback`, with the message and hint of a StateError where the store failed. */
export function emitFallback(events: Events, { tool, warnings, storeError }: Fallback): void {
  const why = storeError instanceof StateError ? { message: storeError.message, hint: storeError.hint } : {};
  events.emit("warn", "pruner.fallback", { tool, warnings, ...why });
}
