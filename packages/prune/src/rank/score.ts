// The hand-set ranker: a weighted sum of the features, evened out so that the cut falls between scopes. A learned
// ranker takes the same input and gives the same output. No I/O, no clock.
import { type Outline, ROLE } from "../outline/outline.ts";
import { extractFeatures, type FeatureInput, type Features, hasAny } from "./features.ts";

/** What a ranker gets: the lines of a text, the parsed focus and the outline. */
export type RankInput = FeatureInput;

/** How well each line of a text answers a focus. */
export interface Ranking {
  /** One score per line, 0..1, quantised to 1/1024 so that every machine compares the same numbers. */
  readonly scores: Float64Array;
  /** Share of the focus (by idf) that the best scope covers. */
  readonly coverage: number;
  /** The score from which on a line is evidence, where the engine decides how much to keep. */
  readonly cutOff: number;
  /** Per line the chance that it belongs to the answer, comparable between texts; only learned rankers give it. */
  readonly chances?: Float64Array;
}

/** Below this share of the focus (by idf) in any one scope the match is called weak. */
export const WEAK_COVERAGE = 1 / 6;

/** Scores the lines of a text. The result must depend on the input alone. */
export interface Ranker {
  rank(input: RankInput): Ranking;
}

/** The weights of the features, found by coordinate ascent on both development sets of bench/quality. */
export const WEIGHT = {
  near: 0.75,
  wide: 0.25,
  scope: 1,
  name: 0.3,
  parent: 0.45,
  linked: 0.125,
  test: -0.8,
};
const SHAPE = { blend: 0.4, tri: 3, import: -0.2, comment: -0.1, sharp: 0.1 };

/** A ranker with hand-set weights. */
export function createHandSetRanker(): Ranker {
  return { rank: (input) => mix(extractFeatures(input), input) };
}

/** The hand-set ranker's answer from features. */
export function mix(f: Features, input: RankInput): Ranking {
  const { outline } = input;
  const n = outline.scopeOf.length;
  const mixed = new Float64Array(n);
  // Where all lines are in one scope, its score distinguishes none of them.
  const isFlat = outline.scopes.length === 1;
  for (const [name, weight] of Object.entries(WEIGHT)) {
    input.poll?.();
    if (isFlat && name === "scope") continue;
    const values = f[name as keyof typeof WEIGHT];
    if (weight !== 0) for (let i = 0; i < n; i++) mixed[i] = (mixed[i] ?? 0) + weight * (values[i] ?? 0);
  }
  for (let i = 0; i < n; i++) {
    const role = outline.role[i] ?? 0;
    if ((role & ROLE.import) !== 0) mixed[i] = (mixed[i] ?? 0) + SHAPE.import;
    if ((role & ROLE.comment) !== 0) mixed[i] = (mixed[i] ?? 0) + SHAPE.comment;
  }
  const cutOff = cutOffOf(input.table.text.length, f.coverage);
  if (!hasAny(f.near)) return { scores: skeleton(outline), coverage: 0, cutOff };
  const isMatchList = outline.scopes[1]?.kind === "group";
  const scores = isMatchList ? mixMatches(f) : evenOut(mixed, outline, f.owner);
  // The matching line itself gets more than its neighbours, which otherwise share its score.
  for (let i = 0; i < n; i++) scores[i] = (scores[i] ?? 0) + SHAPE.sharp * (f.own[i] ?? 0);
  let top = 1e-9;
  for (let i = 0; i < n; i++) top = Math.max(top, scores[i] ?? 0);
  for (let i = 0; i < n; i++) scores[i] = Math.max(0, Math.round(((scores[i] ?? 0) / top) * 1024) / 1024);
  return { scores, coverage: f.coverage, cutOff };
}

/**
 * The share of the best score that still counts as evidence. A miss costs the same in any text, a kept line more in a
 * longer one (every turn reads it again); a focus that the text hardly covers gets the benefit of the doubt.
 */
function cutOffOf(chars: number, coverage: number): number {
  const bySize = 0.6 + 0.06 * Math.log2(Math.max(1, chars) / 30_000);
  const byDoubt = coverage < WEAK_COVERAGE ? -0.05 : coverage > 0.5 ? 0.03 : 0;
  return Math.round(Math.min(0.75, Math.max(0.5, bySize + byDoubt)) * 1024) / 1024;
}

/** Matches of a search are scored one by one: their file counts as far as files differ, their neighbours hardly. */
function mixMatches({ own, near, scope }: Features): Float64Array {
  const least = scope.reduce((a, b) => Math.min(a, b), 1);
  return own.map((value, i) => value + 0.15 * (near[i] ?? 0) + 0.4 * ((scope[i] ?? 0) - least));
}

/** Nothing matches: headers from the outside in, then what opens the text, then the rest. */
function skeleton({ scopes, scopeOf, role }: Outline): Float64Array {
  const depth = new Int32Array(scopes.length);
  scopes.forEach((s, i) => {
    if (i > 0) depth[i] = (depth[s.parent] ?? 0) + 1;
  });
  return Float64Array.from(scopeOf, (s, i) => {
    const bits = role[i] ?? 0;
    const isNamed = (bits & ROLE.header) !== 0 && scopes[s]?.name !== "";
    const level = isNamed ? 1 : (bits & (ROLE.import | ROLE.closer)) !== 0 ? 0.1 : 0.4;
    return Math.round((level / (1 + 0.1 * (depth[s] ?? 0))) * 1024) / 1024;
  });
}

/**
 * Smooths scores by a triangular mean over the lines around and the mean of the scope: a quarter of the markers at the
 * same recall.
 */
export function evenOut(
  scores: Float64Array,
  outline: Outline,
  owner: Int32Array,
  blend: number = SHAPE.blend,
): Float64Array {
  const n = scores.length;
  const sum = new Float64Array(outline.scopes.length);
  const count = new Float64Array(outline.scopes.length);
  for (let i = 0; i < n; i++) {
    const own = owner[outline.scopeOf[i] ?? 0] ?? 0;
    sum[own] = (sum[own] ?? 0) + (scores[i] ?? 0);
    count[own] = (count[own] ?? 0) + 1;
  }
  const out = new Float64Array(n);
  const radius = SHAPE.tri;
  for (let i = 0; i < n; i++) {
    let near = 0;
    let weights = 0;
    for (let j = Math.max(0, i - radius); j <= i + radius && j < n; j++) {
      const w = radius + 1 - Math.abs(j - i);
      near += w * (scores[j] ?? 0);
      weights += w;
    }
    near /= weights;
    const own = owner[outline.scopeOf[i] ?? 0] ?? 0;
    const mean = own === 0 ? near : (sum[own] ?? 0) / (count[own] ?? 1);
    out[i] = (1 - blend) * near + blend * mean;
  }
  return out;
}
