// The `pruning` object of every result (J-53 … J-57, X-03, X-08): which flags go with which outcome.
import { Buffer } from "node:buffer";

/** Why an output is shown as it was; part of the result's contract. */
export type PruningReason =
  | "disabled_or_unconfigured"
  | "no_focus_question"
  | "too_large"
  | "output_empty"
  | "pruner_error"
  | "store_unavailable"
  | "engine_error"
  // why the embedded engine leaves a text alone.
  | "too_small"
  | "no_gain"
  | "never_pruned"
  | "repeat";

/** How asking a remote pruner failed; the message may be shown. */
export interface PrunerError {
  readonly code: "timeout" | "http_error" | "invalid_response";
  readonly message: string;
}

/** The `pruning` object of every result; sizes in UTF-8 bytes, the duration in milliseconds. */
export interface PruningMetadata {
  readonly attempted: boolean;
  readonly applied: boolean;
  readonly fallback: boolean;
  readonly reason?: PruningReason;
  readonly raw_bytes: number;
  readonly pruned_bytes?: number;
  readonly pruner_duration_ms?: number;
  readonly error?: PrunerError;
  readonly engine?: "embedded" | "remote";
  readonly prune_id?: string;
}

/** Bytes in UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** No pruner was asked. */
export function skipped(
  reason: PruningReason,
  rawBytes: number,
  more: Pick<PruningMetadata, "engine"> = {},
): PruningMetadata {
  return { attempted: false, applied: false, fallback: false, reason, raw_bytes: rawBytes, ...more };
}

/** A pruner was asked, and the raw output is shown all the same. */
export function fellBack(
  rawBytes: number,
  why: Pick<PruningMetadata, "reason" | "error" | "engine" | "pruner_duration_ms">,
): PruningMetadata {
  return { attempted: true, applied: false, fallback: true, ...why, raw_bytes: rawBytes };
}

/** What a pruner returned is shown. */
export function applied(
  rawBytes: number,
  what: Pick<PruningMetadata, "engine" | "prune_id" | "pruned_bytes" | "pruner_duration_ms">,
): PruningMetadata {
  return { attempted: true, applied: true, fallback: false, raw_bytes: rawBytes, ...what };
}
