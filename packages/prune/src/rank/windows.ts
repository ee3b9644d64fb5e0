// How much of the focus is around a line: each term once, at its nearest, less with every line of distance. Counting a term
// once keeps lines that repeat one term from outscoring the place where several meet.
import type { Hits } from "./hits.ts";

/** Per line the sum of the terms' weights within `radius` lines. */
export function windowCover(hits: Hits, idf: Float64Array, radius: number): Float64Array {
  const n = hits.wordCount.length;
  const out = new Float64Array(n);
  const best = new Float64Array(n);
  const step = 1 / (radius + 1);
  for (const [t, at] of occurrences(hits, idf.length).entries()) {
    const weight = idf[t] ?? 0;
    if (weight === 0) continue;
    let from = n;
    let to = -1;
    for (const k of at) {
      const line = hits.lineOf[k] ?? 0;
      const w = hits.weight[k] ?? 0;
      const first = Math.max(0, line - radius);
      const last = Math.min(n - 1, line + radius);
      // Lines no later occurrence can reach are settled: this keeps the sweep linear.
      for (; from <= to && from < first; from++) {
        out[from] = (out[from] ?? 0) + (best[from] ?? 0) * weight;
        best[from] = 0;
      }
      if (from > to) from = first;
      to = last;
      for (let i = first; i <= last; i++) {
        const v = w * (1 - Math.abs(i - line) * step);
        if (v > (best[i] ?? 0)) best[i] = v;
      }
    }
    for (; from <= to; from++) {
      out[from] = (out[from] ?? 0) + (best[from] ?? 0) * weight;
      best[from] = 0;
    }
  }
  return out;
}

/** Per term the indexes of its hits, in line order. */
function occurrences(hits: Hits, terms: number): Uint32Array[] {
  const counts = new Uint32Array(terms);
  for (const t of hits.term) counts[t] = (counts[t] ?? 0) + 1;
  const rows = Array.from(counts, (c) => new Uint32Array(c));
  const next = new Uint32Array(terms);
  for (let k = 0; k < hits.term.length; k++) {
    const t = hits.term[k] ?? 0;
    const at = next[t] ?? 0;
    const row = rows[t];
    if (row !== undefined) row[at] = k;
    next[t] = at + 1;
  }
  return rows;
}
