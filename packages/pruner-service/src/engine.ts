// The embedded engine: a cut that nobody waits for any more is given up (K-27). It stores nothing and knows no protocol.
import { type Amount, type Grammars, type Pruned, prune, type SourceKind } from "@jeeves/prune";

/** What can be sent to another thread. */
export interface CutHow {
  readonly focus: string;
  readonly kind?: SourceKind;
  /** A name to guess the language by; never opened. */
  readonly path?: string;
  readonly amount: Amount;
  readonly protectFrame?: boolean;
}

export interface CutRequest extends CutHow {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type Cut =
  | { readonly kind: "cut"; readonly pruned: Pruned }
  /** Nothing was dropped, and why (K-33). */
  | { readonly kind: "whole"; readonly why: "timeout" | "constraints_unmet" | "internal_error" | "input_too_large" };

/** The seam for a stronger engine (K-44). */
export interface Engine {
  cut(text: string, request: CutRequest): Promise<Cut>;
}

let grammars: Promise<Grammars> | undefined;

/** In the caller's own thread, which it holds up between two looks at whether it is still wanted. */
export async function cutText(text: string, how: CutHow, isUnwanted: () => boolean): Promise<Cut> {
  let pruned: Pruned;
  try {
    // Grammars are large: they load with the first cut, not with the server.
    grammars ??= import("@jeeves/prune/grammars").then(({ createTreeSitterGrammars }) => createTreeSitterGrammars());
    pruned = await prune(text, { ...how, grammars: await grammars, shouldStop: isUnwanted });
  } catch {
    return { kind: "whole", why: "internal_error" };
  }
  // It looks between the stages of a cut; the last one may have taken too long.
  if (pruned.status === "stopped" || isUnwanted()) return { kind: "whole", why: "timeout" };
  if (pruned.note === "constraints_unmet") return { kind: "whole", why: "constraints_unmet" };
  if (pruned.note === "engine_error") return { kind: "whole", why: "internal_error" };
  return { kind: "cut", pruned };
}

/** K-34: what is too long is not even tried. */
export function withMaxChars(engine: Engine, maxChars: number): Engine {
  return {
    async cut(text, request) {
      if (isLongerThan(text, maxChars)) return { kind: "whole", why: "input_too_large" };
      return engine.cut(text, request);
    },
  };
}

/** In characters as people count them: a pair of surrogates is one. */
function isLongerThan(text: string, maxChars: number): boolean {
  if (text.length <= maxChars) return false;
  if (text.length > 2 * maxChars) return true;
  let chars = 0;
  for (const _ of text) if (++chars > maxChars) return true;
  return false;
}
