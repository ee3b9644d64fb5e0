// How much of the focus is around a line: each term once, at its nearest, less with every line of distance. Counting a term
// once keeps lines that repeat one term from outscoring the place where several meet.
import type { Hits } from "./hits.ts";

/** Per line the sum of the terms' weights within `radius` lines. */
export function windowCover(hits: Hits, idf: Float64Array, radius: number): Float64Array {
  const n = hits.wordCount.length;
  const out = new Float64Array(n);
  const best = new Float64Array(n);
  const step = 1 / (radius + 1);
  for (let t = 0; t < idf.length; t++) {
    const weight = idf[t] ?? 0;
    if (weight === 0) continue;
    let from = n;
    let to = -1;
    for (const k of hits.byTerm[t] ?? []) {
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
