// The seam between the pipeline and whatever prunes behind it: this thread, a pool of threads, or a stronger engine
// (K-44). An engine stores nothing and knows no protocol.
import type { Amount, LineTable, OutlineAmount, Pruned, SourceKind, Use } from "@jeeves/prune";

/** What an engine is asked for; it can be sent to another thread. */
export interface EngineOptions {
  /** What the reader wants to know; "" where that is unknown. */
  readonly focus: string;
  readonly amount: Amount;
  /** Gives the text as an outline, or a log in short, too (`Pruned.asOutline`). */
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

/** What an engine is asked, and how long it may take. */
export interface EngineRequest extends EngineOptions {
  /** A caller's own limit; without one only the work is bounded, so that a busy machine changes no answer. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** Nothing was dropped, and why. */
export interface EngineFailure {
  readonly failed: "timeout" | "engine_error" | "input_too_large";
  readonly cause?: unknown;
}

/** Chooses the lines of a text that answer a question: in this process, in threads, or elsewhere. */
export interface Engine {
  /** Never rejects. */
  prune(table: LineTable, request: EngineRequest): Promise<Pruned | EngineFailure>;
}

/** K-34: texts of more than `maxChars` characters are not given to the engine. */
export function withMaxChars(engine: Engine, maxChars: number): Engine {
  return {
    async prune(table, request) {
      if (isLongerThan(table.text, maxChars)) return { failed: "input_too_large" };
      return engine.prune(table, request);
    },
  };
}

/** Counts characters as people do: a pair of surrogates is one. */
function isLongerThan(text: string, maxChars: number): boolean {
  if (text.length <= maxChars) return false;
  if (text.length > 2 * maxChars) return true;
  let chars = 0;
  for (const _ of text) if (++chars > maxChars) return true;
  return false;
}
