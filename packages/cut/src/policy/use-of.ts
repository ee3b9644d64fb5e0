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

export function useOf(outputClass: OutputClass): Use | undefined {
  return USES[outputClass];
}
