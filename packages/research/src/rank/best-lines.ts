// The lines of one file that answer a question best, from the text as it is now: a line counts with its neighbours and
// with the scope that it stands in. Two chosen lines are never close to each other.
import { scanWords } from "@jeeves/prune/text";
import { familyOf, isName } from "../catalog/file-kind.ts";
import { scanScopes } from "../corpus/scan-file.ts";
import type { ScannedScope } from "../store/scanned-file.ts";
import { termId, termIdsOf, wholeId } from "../words/term-ids.ts";

interface WeightedTerm {
  readonly term: string;
  /** Weight in the question times rarity in the corpus. */
  readonly worth: number;
}

/** A line that answers, and the scope around it. */
export interface BestLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly score: number;
  /** The scope that it stands in, outermost name first; "" outside of every scope. */
  readonly scope: string;
  /** 1-based: the line that has the scope's name, and its last. */
  readonly scopeLine: number;
  readonly scopeEnd: number;
}

/** At most `count` lines are chosen. */
export interface BestLinesOptions {
  readonly terms: readonly WeightedTerm[];
  readonly count: number;
  /** Lines (1-based) that come before all others. */
  readonly first?: readonly number[];
  /** Lines (0-based) that may be chosen; all without it. */
  readonly among?: (line: number) => boolean;
}

const WINDOW = 3;
const APART = 12;
const SCOPE_SHARE = 0.6;
const K1 = 1.2;
const TRIVIAL = /^[\s{}()[\];,.:*/#"'`=-]*$/;

/** Best first, those of `first` before them. Lines without a term and lines of brackets alone are never chosen. */
export function bestLines(path: string, text: string, options: BestLinesOptions): BestLine[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const worth = new Map<number, number>();
  for (const { term, worth: value } of options.terms) worth.set(termId(term), value);
  const { scopes } = scanScopes(lines, familyOf(path));
  const scopeOf = new Int32Array(lines.length);
  for (let s = 1; s < scopes.length; s++) scopeOf.fill(s, scopes[s]?.start ?? 0, (scopes[s]?.end ?? -1) + 1);

  const hits = new Float64Array(lines.length);
  const scopeTf: Map<number, number>[] = scopes.map(() => new Map());
  const scopeWords = new Float64Array(scopes.length);
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const seen = new Set<number>();
    const s = scopeOf[i] ?? 0;
    const tf = scopeTf[s];
    scanWords(line, 0, Math.min(line.length, 2_000), (word) => {
      for (const id of termIdsOf(word)) {
        scopeWords[s] = (scopeWords[s] ?? 0) + 1;
        if (!worth.has(id)) continue;
        seen.add(id);
        tf?.set(id, (tf.get(id) ?? 0) + 1);
      }
    });
    let sum = 0;
    for (const id of seen) sum += worth.get(id) ?? 0;
    hits[i] = sum;
  }
  const scopeScores = scoreScopes(scopes, scopeTf, { worth, words: scopeWords });
  const scores = blend(hits, scopeOf, scopeScores);
  return pick(lines, { scores, hits, ...options }).map((i) => ({
    line: i + 1,
    text: lines[i] ?? "",
    score: scores[i] ?? 0,
    scope: scopeName(scopes, scopeOf[i] ?? 0, familyOf(path) === "docs"),
    scopeLine: (scopes[scopeOf[i] ?? 0]?.header ?? 0) + 1,
    scopeEnd: (scopes[scopeOf[i] ?? 0]?.end ?? 0) + 1,
  }));
}

type Scopes = readonly ScannedScope[];

function scoreScopes(
  scopes: Scopes,
  scopeTf: readonly ReadonlyMap<number, number>[],
  given: {
    readonly worth: ReadonlyMap<number, number>;
    readonly words: Float64Array;
  },
): Float64Array {
  const mean = given.words.reduce((sum, one) => sum + one, 0) / Math.max(1, scopes.length) || 1;
  const scores = new Float64Array(scopes.length);
  scopes.forEach((scope, s) => {
    const names = new Set<number>();
    scanWords(scope.name, 0, scope.name.length, (word) => {
      for (const id of termIdsOf(word)) names.add(id);
    });
    if (isName(scope.name)) names.add(wholeId(scope.name));
    const norm = 0.25 + (0.75 * (given.words[s] ?? 0)) / mean;
    for (const [id, value] of given.worth) {
      const hit = (scopeTf[s]?.get(id) ?? 0) / norm + (names.has(id) ? 3 : 0);
      if (hit > 0) scores[s] = (scores[s] ?? 0) + (value * hit * (K1 + 1)) / (K1 + hit);
    }
  });
  return scores;
}

function blend(hits: Float64Array, scopeOf: Int32Array, scopeScores: Float64Array): Float64Array {
  const scores = new Float64Array(hits.length);
  for (let i = 0; i < hits.length; i++) {
    let near = 0;
    for (let d = -WINDOW; d <= WINDOW; d++) near += (hits[i + d] ?? 0) * (1 - Math.abs(d) / (WINDOW + 1));
    scores[i] = near / 2 + (hits[i] ?? 0) * 0.5 + SCOPE_SHARE * (scopeScores[scopeOf[i] ?? 0] ?? 0);
  }
  return scores;
}

function pick(
  lines: readonly string[],
  given: BestLinesOptions & { readonly scores: Float64Array; readonly hits: Float64Array },
): number[] {
  const { scores, hits, among = () => true } = given;
  const order = [...scores.keys()]
    .filter((i) => among(i) && (hits[i] ?? 0) > 0 && !TRIVIAL.test(lines[i] ?? ""))
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const chosen = (given.first ?? []).map((line) => line - 1).filter((i) => i >= 0 && i < lines.length);
  chosen.splice(given.count);
  for (const i of order) {
    if (chosen.length >= given.count) break;
    if (chosen.every((other) => Math.abs(other - i) >= APART)) chosen.push(i);
  }
  return chosen;
}

function scopeName(scopes: Scopes, s: number, flat: boolean): string {
  const names: string[] = [];
  for (let at = s; at > 0; at = scopes[at]?.parent ?? 0) names.unshift(scopes[at]?.name ?? "");
  return (flat ? names.slice(-1) : names.slice(-2)).filter((name) => name !== "").join(".");
}
