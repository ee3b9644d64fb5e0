// The interface between the pipeline and an engine: in this thread, in a pool of threads, or a stronger one (K-44). An
// engine stores nothing and knows no protocol.
import type { Amount, LineTable, OutlineAmount, Pruned, SourceKind, Use } from "@jeeves/prune";

/** What an engine is asked for; it can be sent to another thread. */
export interface EngineOptions {
  /** What the reader wants to know; "" where that is unknown. */
  readonly focus: string;
  readonly amount: Amount;
  /** Also makes an outline of the text, or a short form of a log (`Pruned.asOutline`). */
  readonly outline?: OutlineAmount;
  readonly kind?: SourceKind;
  /** A name to guess the language by; never opened. */
  readonly path?: string;
  /** What the text is wanted for; default: the focus is a question about it. */
  readonly use?: Use;
  /** Lines (0-based) at which a new part of the text starts. */
  readonly barriers?: readonly number[];
  /** A line that is too long for one may be cut inside. */
  readonly insideLines?: boolean;
  /** K-28: every import, every header and the file's header comment stay. */
  readonly protectFrame?: boolean;
}

/** What an engine is asked for, with its limits. */
export interface EngineRequest extends EngineOptions {
  /**
   * Time limit of the caller. Without one only the amount of work is bounded, so that the answer is the same on a busy
   * machine.
   */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** Nothing was dropped, and why. */
export interface EngineFailure {
  readonly failed: "timeout" | "engine_error" | "input_too_large";
  readonly cause?: unknown;
}

/** Prunes texts. */
export interface Engine {
  /** The kept lines of a text, or why there are none. Never rejects. */
  prune(table: LineTable, request: EngineRequest): Promise<Pruned | EngineFailure>;
}

/** K-34: the engine with a limit: it fails with `input_too_large` for texts of more than `maxChars` characters. */
export function withMaxChars(engine: Engine, maxChars: number): Engine {
  return {
    async prune(table, request) {
      if (isLongerThan(table.text, maxChars)) return { failed: "input_too_large" };
      return engine.prune(table, request);
    },
  };
}

/** Counts code points: a pair of surrogates is one character. */
function isLongerThan(text: string, maxChars: number): boolean {
  if (text.length <= maxChars) return false;
  if (text.length > 2 * maxChars) return true;
  let chars = 0;
  for (const _ of text) if (++chars > maxChars) return true;
  return false;
}
