// Whether a text is cut, and which cut of it is shown. A policy is pure: from what is known to a decision; the
// pipeline in `cut.ts` acts.
import type { CutForm } from "../meter/meter.ts";
import { isDiff, isNoGain, isTooSmall } from "./gates.ts";

/** Why a text is left whole before the engine runs. */
export type GateBefore = "too_small" | "never_pruned";

interface BeforeCut {
  readonly text: string;
  /** Texts of fewer tokens are left whole. */
  readonly minTokens?: number;
  /** False where the text is not exactly what was read, so that lines of it could not be brought back. */
  readonly isExact?: boolean;
}

/** What could be shown instead of the whole text. */
export interface Candidate {
  readonly way: CutForm;
  readonly tokens: number;
}

/** Decides whether a text is cut, and which cut of it is shown. */
export interface Policy {
  /**
   * Whether the caller ordered a cut of this text. Then mode, trust and repeats do not count, nothing is weighed, and
   * an answer that drops nothing is an answer too.
   */
  readonly isOrder: boolean;
  /** Why the text stays whole before the engine runs; undefined where it may be cut. */
  gate(before: BeforeCut): GateBefore | undefined;
  /** The candidate to show; undefined to leave the result as it is. `shownTokens`: what the client would show then. */
  choose<C extends Candidate>(shownTokens: number, candidates: readonly C[]): C | undefined;
  /** How likely it is, from 0 to 1, that a part of this cut is asked for again; undefined where that is not weighed. */
  riskOf?(candidate: Candidate): number;
}

/** X-23's constants: small texts, diffs and small gains are left whole. */
export const constantPolicy: Policy = {
  isOrder: false,
  gate({ text, minTokens, isExact = true }) {
    if (isTooSmall(text, minTokens)) return "too_small";
    return !isExact || isDiff(text) ? "never_pruned" : undefined;
  },
  choose: (shownTokens, candidates) =>
    candidates.find(({ way, tokens }) => way === "engine" && !isNoGain(shownTokens, tokens)),
};

/**
 * cuts every text and takes the first candidate, for `prune_text`, `/prune`, `jeeves prune` and the page's "Try
 * it".
 */
export const orderPolicy: Policy = {
  isOrder: true,
  gate: () => undefined,
  choose: (_shownTokens, [first]) => first,
};
