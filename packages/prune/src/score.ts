// The hand-set ranker: BM25F over scopes (name ×3) mixed with smoothed line scores, references one hop, and a bonus
// from the enclosing scope. A learned ranker takes the same input and gives the same output. No I/O, no clock.
import type { Focus } from "./focus.ts";
import { findHits, type Hits } from "./hits.ts";
import type { LineTable } from "./lines.ts";
import type { Outline } from "./outline.ts";
import { termsOf, wholeOf } from "./words.ts";

export interface RankInput {
  readonly table: LineTable;
  readonly focus: Focus;
  readonly outline: Outline;
}

export interface Ranking {
  /** One score per line, 0..1, quantised to 1/1024 so that every machine compares the same numbers. */
  readonly scores: Float64Array;
  /** Share of the focus (by idf) that the best scope covers. */
  readonly coverage: number;
}

export interface Ranker {
  rank(input: RankInput): Ranking;
}

export function createHandSetRanker(): Ranker {
  return { rank };
}

export const TUNE = {
  window: 4,
  wLine: 1,
  wScope: 1,
  wParent: 0.3,
  wRef: 0.25,
  nameBoost: 3,
  b: 0.75,
  k: 1.2,
  blend: 0.4,
  tri: 3,
};

function rank({ table, focus, outline }: RankInput): Ranking {
  const n = table.count;
  const names = new Map<string, number>();
  const owner = ownersOf(outline);
  for (const s of outline.scopes) {
    if ((s.kind === "function" || s.kind === "class") && s.name.length > 2 && !names.has(wholeOf(s.name)))
      names.set(wholeOf(s.name), names.size);
  }
  const hits = findHits(table, focus, names);
  const line = lineScores(hits, focus, n);
  const near = triangle(line, TUNE.window);
  const { scope, coverage } = scopeScores(hits, focus, outline, owner, n);
  const linked = references(hits, outline, owner, names, scope);
  const maxLine = Math.max(1e-9, maxOf(near));
  const maxScope = Math.max(1e-9, maxOf(scope));
  const maxLink = Math.max(1e-9, maxOf(linked));
  const mixed = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const own = owner[outline.scopeOf[i] ?? 0] ?? 0;
    const parent = own === 0 ? 0 : (owner[outline.scopes[own]?.parent ?? 0] ?? 0);
    mixed[i] =
      (TUNE.wLine * (near[i] ?? 0)) / maxLine +
      (TUNE.wScope * (scope[own] ?? 0)) / maxScope +
      (TUNE.wParent * (parent === own ? 0 : (scope[parent] ?? 0))) / maxScope +
      (TUNE.wRef * (linked[own] ?? 0)) / maxLink;
  }
  const smooth = blend(mixed, outline, owner);
  const top = Math.max(1e-9, maxOf(smooth));
  for (let i = 0; i < n; i++) smooth[i] = Math.round(((smooth[i] ?? 0) / top) * 1024) / 1024;
  return { scores: smooth, coverage };
}

/** For each scope the nearest scope worth ranking: a function, class, section, group, or the file itself. */
function ownersOf(outline: Outline): Int32Array {
  const owner = new Int32Array(outline.scopes.length);
  outline.scopes.forEach((s, i) => {
    owner[i] = i === 0 || (s.kind !== "block" && s.kind !== "branch") ? i : (owner[s.parent] ?? 0);
  });
  return owner;
}

function lineScores(hits: Hits, focus: Focus, n: number): Float64Array {
  const terms = focus.terms.length;
  const df = new Float64Array(terms);
  const seen = new Int32Array(terms).fill(-1);
  for (let i = 0; i < n; i++) {
    for (let k = hits.rowStart[i] ?? 0; k < (hits.rowStart[i + 1] ?? 0); k++) {
      const t = hits.term[k] ?? 0;
      if (seen[t] !== i) df[t] = (df[t] ?? 0) + 1;
      seen[t] = i;
    }
  }
  const idf = idfOf(df, n, focus);
  const scores = new Float64Array(n);
  const tf = new Float64Array(terms);
  for (let i = 0; i < n; i++) {
    const from = hits.rowStart[i] ?? 0;
    const to = hits.rowStart[i + 1] ?? 0;
    for (let k = from; k < to; k++) tf[hits.term[k] ?? 0] = (tf[hits.term[k] ?? 0] ?? 0) + (hits.weight[k] ?? 0);
    let s = 0;
    for (let k = from; k < to; k++) {
      const t = hits.term[k] ?? 0;
      const f = tf[t] ?? 0;
      if (f > 0) s += ((idf[t] ?? 0) * f * 2.2) / (f + 1.2);
      tf[t] = 0;
    }
    scores[i] = s;
  }
  return scores;
}

function idfOf(df: Float64Array, n: number, focus: Focus): Float64Array {
  return df.map((d, t) => (focus.terms[t]?.weight ?? 1) * Math.log(1 + (n - d + 0.5) / (d + 0.5)));
}

function scopeScores(
  hits: Hits,
  focus: Focus,
  outline: Outline,
  owner: Int32Array,
  n: number,
): { scope: Float64Array; coverage: number } {
  const count = outline.scopes.length;
  const terms = focus.terms.length;
  const tf: Map<number, number>[] = Array.from({ length: count }, () => new Map());
  const size = new Float64Array(count);
  for (let i = 0; i < n; i++) {
    const own = owner[outline.scopeOf[i] ?? 0] ?? 0;
    size[own] = (size[own] ?? 0) + (hits.wordCount[i] ?? 0);
    const bag = tf[own];
    for (let k = hits.rowStart[i] ?? 0; k < (hits.rowStart[i + 1] ?? 0); k++) {
      const t = hits.term[k] ?? 0;
      bag?.set(t, (bag.get(t) ?? 0) + (hits.weight[k] ?? 0));
    }
  }
  let docs = 0;
  let total = 0;
  const df = new Float64Array(terms);
  outline.scopes.forEach((s, i) => {
    if (owner[i] !== i) return;
    const bag = tf[i];
    for (const t of s.name === "" ? [] : termsOf(s.name)) {
      const at = focus.index.get(t);
      if (at !== undefined) bag?.set(at, (bag.get(at) ?? 0) + TUNE.nameBoost);
    }
    docs++;
    total += size[i] ?? 0;
    for (const t of bag?.keys() ?? []) df[t] = (df[t] ?? 0) + 1;
  });
  const idf = idfOf(df, docs, focus);
  const mean = total / Math.max(1, docs) || 1;
  const scope = new Float64Array(count);
  let best = 0;
  let all = 0;
  for (let t = 0; t < terms; t++) if ((focus.terms[t]?.weight ?? 0) >= 1) all += idf[t] ?? 0;
  for (let i = 0; i < count; i++) {
    if (owner[i] !== i) continue;
    let s = 0;
    let covered = 0;
    for (const [t, f] of tf[i] ?? []) {
      s += ((idf[t] ?? 0) * f * 2.2) / (f + TUNE.k * (1 - TUNE.b + (TUNE.b * (size[i] ?? 0)) / mean));
      if ((focus.terms[t]?.weight ?? 0) >= 1) covered += idf[t] ?? 0;
    }
    scope[i] = s;
    best = Math.max(best, covered);
  }
  return { scope, coverage: all > 0 ? best / all : 0 };
}

/** A scope that the top scopes name, and a scope that names one of them, is one hop away. */
function references(
  hits: Hits,
  outline: Outline,
  owner: Int32Array,
  names: ReadonlyMap<string, number>,
  scope: Float64Array,
): Float64Array {
  const linked = new Float64Array(scope.length);
  const holders: number[][] = Array.from({ length: names.size }, () => []);
  outline.scopes.forEach((s, i) => {
    const id = s.kind === "function" || s.kind === "class" ? names.get(wholeOf(s.name)) : undefined;
    if (id !== undefined) holders[id]?.push(i);
  });
  const top = [...scope.keys()].filter((i) => i > 0 && (scope[i] ?? 0) > 0);
  top.sort((a, b) => Math.round(((scope[b] ?? 0) - (scope[a] ?? 0)) * 1024) || a - b);
  const isTop = new Map(top.slice(0, 5).map((i) => [i, scope[i] ?? 0]));
  const n = outline.scopeOf.length;
  for (let i = 0; i < n; i++) {
    const own = owner[outline.scopeOf[i] ?? 0] ?? 0;
    const weight = isTop.get(own) ?? 0;
    for (let k = hits.refStart[i] ?? 0; k < (hits.refStart[i + 1] ?? 0); k++) {
      const targets = holders[hits.ref[k] ?? 0] ?? [];
      if (targets.length > 4) continue;
      for (const target of targets) {
        if (target === own) continue;
        if (weight > 0) linked[target] = Math.max(linked[target] ?? 0, weight);
        const back = isTop.get(target);
        if (back !== undefined && own !== 0) linked[own] = Math.max(linked[own] ?? 0, back);
      }
    }
  }
  return linked;
}

/** Triangular window: a hit counts for its neighbours, less with each line. */
export function triangle(values: Float64Array, radius: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const v = values[i] ?? 0;
    if (v === 0) continue;
    const from = Math.max(0, i - radius);
    const to = Math.min(values.length - 1, i + radius);
    for (let j = from; j <= to; j++) out[j] = (out[j] ?? 0) + v * (1 - Math.abs(j - i) / (radius + 1));
  }
  return out;
}

/** Evens out the scores so that the cut falls between scopes and not inside them: a quarter of the markers. */
function blend(scores: Float64Array, outline: Outline, owner: Int32Array): Float64Array {
  const n = scores.length;
  const sum = new Float64Array(outline.scopes.length);
  const count = new Float64Array(outline.scopes.length);
  for (let i = 0; i < n; i++) {
    const own = owner[outline.scopeOf[i] ?? 0] ?? 0;
    sum[own] = (sum[own] ?? 0) + (scores[i] ?? 0);
    count[own] = (count[own] ?? 0) + 1;
  }
  const near = triangle(scores, TUNE.tri);
  const full = TUNE.tri + 1;
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const own = owner[outline.scopeOf[i] ?? 0] ?? 0;
    const mean = own === 0 ? (near[i] ?? 0) / full : (sum[own] ?? 0) / (count[own] ?? 1);
    out[i] = ((1 - TUNE.blend) * (near[i] ?? 0)) / full + TUNE.blend * mean;
  }
  return out;
}

function maxOf(values: Float64Array): number {
  let max = 0;
  for (const v of values) if (v > max) max = v;
  return max;
}
