// Which terms of the focus each scope has, as numbers: what is said of a scope counts a term once.
import type { Hits } from "./hits.ts";

/** The pairs of a scope and a term that it has. */
export interface ScopeTerms {
  readonly count: number;
  /** The pair of each hit. */
  readonly pairOf: Uint32Array;
}

/** Numbers the pairs. `ownerOf`: per line the scope that it is ranked with. */
export function scopeTerms(hits: Hits, ownerOf: Int32Array, scopes: number): ScopeTerms {
  const pairOf = new Uint32Array(hits.term.length);
  const lastTerm = new Int32Array(scopes).fill(-1);
  const lastPair = new Uint32Array(scopes);
  let count = 0;
  hits.byTerm.forEach((own, term) => {
    for (const k of own) {
      const scope = ownerOf[hits.lineOf[k] ?? 0] ?? 0;
      if (lastTerm[scope] !== term) {
        lastTerm[scope] = term;
        lastPair[scope] = count++;
      }
      pairOf[k] = lastPair[scope] ?? 0;
    }
  });
  return { count, pairOf };
}
