// Columns about the parts of the focus: how its first line and its last words match on a line, near it and in its scope. In
// a short question each part is the whole, and these columns add nothing.
import { FOCUS_PART } from "../../text/focus.ts";
import type { FeatureInput, Features } from "../features.ts";
import type { ScopeTerms } from "../scope-terms.ts";
import { windowCover } from "../windows.ts";
import { type Column, spread, sumOf, toColumn } from "./column.ts";

const NEAR = 7;

/** `ownerOf`: per line the scope that it is ranked with. */
export function partColumns(
  { focus, outline }: FeatureInput,
  { hits, idf }: Features,
  { ownerOf, pairs }: { ownerOf: Int32Array; pairs: ScopeTerms },
): Column[] {
  return Object.entries(FOCUS_PART).flatMap(([name, part]): Column[] => {
    const weights = idf.map((weight, t) => (((focus.terms[t]?.parts ?? 0) & part) === 0 ? 0 : weight));
    const all = Math.max(1e-9, sumOf(weights));
    const own = new Float64Array(ownerOf.length);
    const scope = new Float64Array(outline.scopes.length);
    const inScope = new Uint8Array(pairs.count);
    for (let k = 0; k < hits.term.length; k++) {
      const t = hits.term[k] ?? 0;
      const weight = weights[t] ?? 0;
      if (weight === 0) continue;
      const line = hits.lineOf[k] ?? 0;
      own[line] = (own[line] ?? 0) + weight * (hits.weight[k] ?? 0);
      const s = ownerOf[line] ?? 0;
      const pair = pairs.pairOf[k] ?? 0;
      if (inScope[pair] === 0) scope[s] = (scope[s] ?? 0) + weight;
      inScope[pair] = 1;
    }
    return [
      [`${name}_own`, toColumn(own, all)],
      [`${name}_near`, toColumn(windowCover(hits, weights, NEAR), all)],
      [`${name}_scope`, spread(ownerOf, scope, all)],
    ];
  });
}
