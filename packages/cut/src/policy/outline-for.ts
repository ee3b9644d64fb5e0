// How much an outline of a result shows: of a whole file every header and the best tenth; of a part of one, a
// twentieth and the scopes that are worth a line.
import type { OutlineAmount } from "@jeeves/prune";
import type { OutputClass } from "./situation.ts";

const WHOLE: OutlineAmount = { keep: 0.1 };
const PART: OutlineAmount = { keep: 0.05, minScopeLines: 8 };

/** The outline that is a candidate for a result of this class. */
export function outlineFor(outputClass: OutputClass): OutlineAmount {
  return outputClass === "read" ? WHOLE : PART;
}
