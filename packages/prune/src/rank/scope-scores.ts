// BM25F over scopes: the words of a scope's own lines, its name counted several times. The idf counts scopes, not
// lines.
import type { Outline } from "../outline/outline.ts";
import type { Focus } from "../text/focus.ts";
import type { Hits } from "./hits.ts";
import { scopeNames } from "./scope-names.ts";

interface ScopeScores {
  readonly scope: Float64Array;
  /** The score of its name alone. */
  readonly name: Float64Array;
  /** Share of the focus (by idf) that no scope matches better than this one. */
  readonly first: Float64Array;
  /** The rarest term that it has, by idf, as a share of the rarest there is. */
  readonly rarest: Float64Array;
  /** Share of the focus (by idf) that the best scope covers, 0..1. */
  readonly coverage: number;
}

/** The constants of BM25F, and the weights of names and headers. */
export const BM25 = { k: 1.2, b: 0.75, name: 4.5, header: 0.5 };

/** Scores every scope that is its own owner. */
export function scopeScores(hits: Hits, focus: Focus, outline: Outline, owner: Int32Array): ScopeScores {
  const { scopes, scopeOf } = outline;
  const body = new Bags(scopes.length);
  const names = new Bags(scopes.length);
  for (let i = 0; i < scopeOf.length; i++) {
    const own = owner[scopeOf[i] ?? 0] ?? 0;
    body.addWords(own, hits.wordCount[i] ?? 0);
    const scope = scopes[own];
    // The header holds the name, which is counted on its own.
    const share = scope !== undefined && i >= scope.start && i <= scope.headerEnd ? BM25.header : 1;
    for (let k = hits.rowStart[i] ?? 0; k < (hits.rowStart[i + 1] ?? 0); k++) {
      body.add(own, hits.term[k] ?? 0, (hits.weight[k] ?? 0) * share);
    }
  }
  const ranked = scopes.map((_, i) => i).filter((i) => owner[i] === i);
  const { terms } = scopeNames(outline);
  for (const i of ranked) {
    for (const t of terms[i] ?? []) {
      const at = focus.index.get(t);
      if (at === undefined) continue;
      names.add(i, at, 1);
      body.add(i, at, BM25.name);
    }
  }
  const df = new Float64Array(focus.terms.length);
  for (const i of ranked) for (const t of body.of(i).keys()) df[t] = (df[t] ?? 0) + 1;
  const idf = weightedIdf(df, ranked.length, focus);
  return {
    scope: body.score(ranked, idf),
    name: names.score(ranked, idf),
    ...firsts(body, ranked, idf),
    coverage: coverageOf(body, ranked, idf, focus),
  };
}

/** The weight of each focus term: its own, by how rare it is among `docs`. */
export function weightedIdf(df: Float64Array, docs: number, focus: Focus): Float64Array {
  return df.map((d, t) => (focus.terms[t]?.weight ?? 1) * Math.log(1 + (docs - d + 0.5) / (d + 0.5)));
}

function coverageOf(body: Bags, ranked: readonly number[], idf: Float64Array, focus: Focus): number {
  // Words of talk (weight below 1) are no evidence when found and no loss when missing.
  const counts = (t: number): number => ((focus.terms[t]?.weight ?? 0) >= 1 ? (idf[t] ?? 0) : 0);
  let all = 0;
  for (let t = 0; t < idf.length; t++) all += counts(t);
  let best = 0;
  for (const i of ranked) {
    let covered = 0;
    for (const [t, f] of body.of(i)) covered += Math.min(1, f) * counts(t);
    best = Math.max(best, covered);
  }
  return all > 0 ? best / all : 0;
}

/** Which scope matches a term best: a question of two halves has two answers, and the second may score low. */
function firsts(
  body: Bags,
  ranked: readonly number[],
  idf: Float64Array,
): { first: Float64Array; rarest: Float64Array } {
  const norm = body.norms(ranked);
  const most = new Float64Array(idf.length);
  const said = (i: number, f: number): number => f / (f + (norm[i] ?? 1));
  for (const i of ranked) for (const [t, f] of body.of(i)) most[t] = Math.max(most[t] ?? 0, said(i, f));
  const all = Math.max(
    1e-9,
    idf.reduce((a, b) => a + b, 0),
  );
  const top = idf.reduce((a, b) => Math.max(a, b), 1e-9);
  const first = new Float64Array(norm.length);
  const rarest = new Float64Array(norm.length);
  for (const i of ranked) {
    for (const [t, f] of body.of(i)) {
      const weight = idf[t] ?? 0;
      if (said(i, f) >= 0.999 * (most[t] ?? 0)) first[i] = (first[i] ?? 0) + weight / all;
      rarest[i] = Math.max(rarest[i] ?? 0, (Math.min(1, f) * weight) / top);
    }
  }
  return { first, rarest };
}

const EMPTY: ReadonlyMap<number, number> = new Map();

/** Term counts per scope, sparse: a match list may have as many scopes as lines. */
class Bags {
  readonly #bags: (Map<number, number> | undefined)[];
  readonly #words: Float64Array;

  constructor(count: number) {
    this.#bags = Array.from({ length: count });
    this.#words = new Float64Array(count);
  }

  of(i: number): ReadonlyMap<number, number> {
    return this.#bags[i] ?? EMPTY;
  }

  add(i: number, term: number, weight: number): void {
    const bag = this.#bags[i] ?? new Map<number, number>();
    this.#bags[i] = bag;
    bag.set(term, (bag.get(term) ?? 0) + weight);
  }

  addWords(i: number, words: number): void {
    this.#words[i] = (this.#words[i] ?? 0) + words;
  }

  norms(ranked: readonly number[]): Float64Array {
    let total = 0;
    for (const i of ranked) total += this.#words[i] ?? 0;
    const mean = total / Math.max(1, ranked.length) || 1;
    return this.#words.map((words) => BM25.k * (1 - BM25.b + (BM25.b * words) / mean));
  }

  score(ranked: readonly number[], idf: Float64Array): Float64Array {
    const norms = this.norms(ranked);
    const out = new Float64Array(this.#bags.length);
    for (const i of ranked) {
      const norm = norms[i] ?? 1;
      for (const [t, f] of this.of(i)) out[i] = (out[i] ?? 0) + ((idf[t] ?? 0) * f * (BM25.k + 1)) / (f + norm);
    }
    return out;
  }
}
