// What a ranker knows about each line: how well the focus terms match on it, near it, in its scope and one reference away.
// Language-free, linear in the text. The weights are in score.ts.
import type { Outline } from "../outline/outline.ts";
import type { Focus } from "../text/focus.ts";
import type { LineTable } from "../text/lines.ts";
import { findHits, type Hits } from "./hits.ts";
import { linkedScores } from "./references.ts";
import { scopeNames } from "./scope-names.ts";
import { scopeScores, weightedIdf } from "./scope-scores.ts";
import { windowCover } from "./windows.ts";

/** What a ranker gets: a text, what is asked, and the text's outline. */
export interface FeatureInput {
  readonly table: LineTable;
  readonly focus: Focus;
  readonly outline: Outline;
  /** Called now and then; throws where the work is to end. */
  readonly poll?: () => void;
}

/** Per line, each divided by the text's largest value of it, so 0..1. */
export interface Features {
  readonly own: Float64Array;
  readonly near: Float64Array;
  readonly wide: Float64Array;
  readonly scope: Float64Array;
  readonly name: Float64Array;
  readonly parent: Float64Array;
  readonly linked: Float64Array;
  readonly test: Float64Array;
  /** For each scope the nearest one worth ranking. */
  readonly owner: Int32Array;
  /** Per line the scope that it is ranked with. */
  readonly ownerOf: Int32Array;
  /** Share of the focus (by idf) that the best scope covers. */
  readonly coverage: number;
  /** What the values above were computed from. */
  readonly hits: Hits;
  readonly idf: Float64Array;
  readonly scopeScore: Float64Array;
  readonly scopeName: Float64Array;
  readonly scopeFirst: Float64Array;
  readonly scopeRarest: Float64Array;
  readonly names: ReadonlyMap<string, number>;
}

const REACH = { near: 7, wide: 10, lambda: 30 };

/** The features of a text. */
export function extractFeatures({ table, focus, outline, poll }: FeatureInput): Features {
  const n = table.count;
  const { names } = scopeNames(outline);
  const { owner, ownerOf, parentOf } = ownersOf(outline);
  const hits = findHits(table, focus, names, poll);
  const idf = weightedIdf(lineFrequency(hits, focus), n, focus);
  const { scope, name, first, rarest, coverage } = scopeScores(hits, focus, outline, owner);
  const perLine = (values: Float64Array, scopeAt: Int32Array): Float64Array => {
    poll?.();
    const out = new Float64Array(n);
    if (!hasAny(values)) return out;
    for (let i = 0; i < n; i++) out[i] = values[scopeAt[i] ?? -1] ?? 0;
    return normalise(out);
  };
  return {
    own: normalise(ownScores(hits, idf)),
    near: seed(normalise(windowCover(hits, idf, REACH.near)), focus),
    wide: normalise(windowCover(hits, idf, REACH.wide)),
    scope: perLine(scope, ownerOf),
    name: perLine(name, ownerOf),
    scopeName: name,
    scopeFirst: first,
    scopeRarest: rarest,
    parent: perLine(scope, parentOf),
    linked: perLine(linkedScores(hits, outline, owner, scope), ownerOf),
    test: perLine(testScopes(outline, focus), outline.scopeOf),
    owner,
    ownerOf,
    coverage,
    hits,
    idf,
    scopeScore: scope,
    names,
  };
}

/** Which scopes are ranked: for each scope and each line the one, and for each line the one around that, or -1. */
interface Owners {
  readonly owner: Int32Array;
  readonly ownerOf: Int32Array;
  readonly parentOf: Int32Array;
}
const known = new WeakMap<Outline, Owners>();

/** The ranked scopes of an outline, remembered by the outline. */
function ownersOf(outline: Outline): Owners {
  const found = known.get(outline) ?? findOwners(outline);
  known.set(outline, found);
  return found;
}

function findOwners({ scopes, scopeOf }: Outline): Owners {
  const owner = rankedWith(scopes);
  const ownerOf = new Int32Array(scopeOf.length);
  const parentOf = new Int32Array(scopeOf.length);
  for (let i = 0; i < scopeOf.length; i++) {
    const own = owner[scopeOf[i] ?? 0] ?? 0;
    ownerOf[i] = own;
    parentOf[i] = owner[scopes[own]?.parent ?? -1] ?? -1;
  }
  return { owner, ownerOf, parentOf };
}

/**
 * For each scope the one that it is ranked with: an `if` or a small lambda belongs to the function, class or section
 * around it.
 */
function rankedWith(scopes: Outline["scopes"]): Int32Array {
  const owner = new Int32Array(scopes.length);
  scopes.forEach((s, i) => {
    const up = owner[s.parent] ?? 0;
    const isLambda = s.kind === "function" && s.name === "" && s.end - s.lead < REACH.lambda;
    const isPart = s.kind === "block" || s.kind === "branch" || (isLambda && scopes[up]?.kind === "function");
    owner[i] = i > 0 && isPart ? up : i;
  });
  return owner;
}

/**
 * 1 for scopes of tests: rarely the answer where the text also has the tested code, unless the focus asks about tests.
 */
function testScopes(outline: Outline, focus: Focus): Float64Array {
  return focus.index.has("test") ? new Float64Array(outline.scopes.length) : scopeNames(outline).isTest;
}

/** A line that the focus names by number (`a.ts:120`) matches as well as any, and its surroundings nearly. */
function seed(near: Float64Array, focus: Focus): Float64Array {
  for (const line of focus.lines) {
    for (let d = -REACH.near; d <= REACH.near; d++) {
      const i = line - 1 + d;
      if (i >= 0 && i < near.length) near[i] = Math.max(near[i] ?? 0, 1 - Math.abs(d) / (REACH.near + 1));
    }
  }
  return near;
}

function lineFrequency(hits: Hits, focus: Focus): Float64Array {
  const df = new Float64Array(focus.terms.length);
  const seen = new Int32Array(focus.terms.length).fill(-1);
  for (let k = 0; k < hits.term.length; k++) {
    const t = hits.term[k] ?? 0;
    const line = hits.lineOf[k] ?? 0;
    if (seen[t] !== line) df[t] = (df[t] ?? 0) + 1;
    seen[t] = line;
  }
  return df;
}

function ownScores(hits: Hits, idf: Float64Array): Float64Array {
  const own = new Float64Array(hits.wordCount.length);
  for (let k = 0; k < hits.term.length; k++) {
    const line = hits.lineOf[k] ?? 0;
    own[line] = (own[line] ?? 0) + (idf[hits.term[k] ?? 0] ?? 0) * (hits.weight[k] ?? 0);
  }
  return own;
}

/** Whether any value is not 0. */
export function hasAny(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) return true;
  return false;
}

/** Divides values by the largest of them, in place. */
export function normalise(values: Float64Array): Float64Array {
  let max = 0;
  for (let i = 0; i < values.length; i++) max = Math.max(max, values[i] ?? 0);
  if (max > 0) for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) / max;
  return values;
}
