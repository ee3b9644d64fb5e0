// The files of one or more corpora, best first for a question. The first is chosen by how well it fits; the others also
// by what the first ones say about them. Weights are data (weights.ts); ties go by path.
import type { Corpus } from "../corpus/corpus.ts";
import type { Question } from "../words/question.ts";
import { relationsOf } from "./relations.ts";
import { type AskedTerm, askedTerms, type Candidate, rarityOf, SIGNALS, signalsOf } from "./signals.ts";
import { FIT_WEIGHTS, RELATED_WEIGHTS, RELATIVE } from "./weights.ts";

export interface RankedFile extends Candidate {
  readonly score: number;
  readonly asked: readonly AskedTerm[];
  /** 0..1: how much of what was asked its best scope covers. */
  readonly coverage: number;
}

export interface RankOptions {
  readonly count: number;
}

/** Beyond these no file ever becomes one of the first few; relations would cost time for nothing. */
const MAX_RELATED = 250;

export function rankFiles(corpora: readonly Corpus[], question: Question, options: RankOptions): RankedFile[] {
  const asked = corpora.map((corpus) => askedTerms(corpus, question));
  const totals = totalsOf(corpora, asked);
  const candidates = corpora.flatMap((corpus, c) =>
    signalsOf(corpus, question, { terms: asked[c] ?? [], total: totals[c] ?? 1 }),
  );
  if (candidates.length === 0) return [];
  const rows = withRelatives(candidates);
  const fits = rows.map((row) => dot(row, FIT_WEIGHTS));
  const order = [...candidates.keys()].sort((a, b) => (fits[b] ?? 0) - (fits[a] ?? 0) || byPath(candidates, a, b));
  const near = order.slice(0, MAX_RELATED);
  const ordered = near.flatMap((i) => candidates[i] ?? []);
  const scores = near.map((i) => fits[i] ?? 0);
  const relations = relationsOf(ordered, scores);
  const first = scores[0] ?? 0;
  const related = near.map((i, n) =>
    dot([...(rows[i] ?? []), ...(relations[n] ?? []), (scores[n] ?? 0) - first], RELATED_WEIGHTS),
  );
  const rest = [...near.keys()].slice(1).sort((a, b) => (related[b] ?? 0) - (related[a] ?? 0) || byPath(ordered, a, b));
  return [0, ...rest].slice(0, options.count).flatMap((n) => {
    const candidate = ordered[n];
    if (candidate === undefined) return [];
    return [
      {
        ...candidate,
        score: n === 0 ? Number.MAX_VALUE : (related[n] ?? 0),
        asked: asked[corpora.indexOf(candidate.corpus)] ?? [],
        coverage: candidate.signals[SIGNALS.indexOf("bestCoverage")] ?? 0,
      },
    ];
  });
}

/** A term that only another corpus knows still counts as asked. */
function totalsOf(corpora: readonly Corpus[], asked: readonly (readonly AskedTerm[])[]): number[] {
  const everywhere = new Map<string, number>();
  for (const terms of asked) for (const { term, weight } of terms) everywhere.set(term, weight);
  return corpora.map((corpus, c) => {
    const here = new Map((asked[c] ?? []).map((term) => [term.term, term]));
    let total = 0;
    for (const [term, weight] of everywhere) {
      total += weight * (here.get(term)?.rarity ?? rarityOf(0, corpus.files.length));
    }
    return total;
  });
}

/** Some signals also as a share of the best file's. */
export function withRelatives(candidates: readonly Candidate[]): number[][] {
  const most = RELATIVE.map((name) => {
    const at = SIGNALS.indexOf(name);
    let max = 0;
    for (const { signals } of candidates) max = Math.max(max, signals[at] ?? 0);
    return { at, max: max + 1e-9 };
  });
  return candidates.map(({ signals }) => [...signals, ...most.map(({ at, max }) => (signals[at] ?? 0) / max)]);
}

function byPath(candidates: readonly Candidate[], a: number, b: number): number {
  const [first, second] = [candidates[a]?.path ?? "", candidates[b]?.path ?? ""];
  return first < second ? -1 : first > second ? 1 : a - b;
}

function dot(row: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (row[i] ?? 0) * (weights[i] ?? 0);
  return sum;
}
