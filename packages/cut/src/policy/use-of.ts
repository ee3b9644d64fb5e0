// What the result of a call is wanted for (`Use`), by its class.
import type { Use } from "@jeeves/prune";
import type { OutputClass } from "./situation.ts";

/** Undefined for tests: what failed in them is found by rule, and no ranking does better. */
const USES: Readonly<Record<OutputClass, Use | undefined>> = {
  read: "read",
  "read-range": "read",
  search: "search",
  test: undefined,
  run: "run",
  git: "run",
  other: "run",
};

/**
 * The use that a result is ranked for where a caller orders a cut; undefined where no ranking is better than the rules.
 */
export function useOf(outputClass: OutputClass): Use | undefined {
  return USES[outputClass];
}

/**
 * The same where the policy decides how much to show. A run's failures and outcome are kept in any case, and ranking the
 * rest for its use keeps more of it than pays. A page or another server's answer was asked for with a question.
 */
export function useInPolicy(outputClass: OutputClass): Use | undefined {
  return outputClass === "read" || outputClass === "search" || outputClass === "read-range"
    ? USES[outputClass]
    : undefined;
}
