// The files of one or more corpora, best first for a question. The first is chosen by other weights than those after it:
// one answers, the others belong to it. Boosted trees add to both. Weights are data (weights.ts); ties go by path.
import type { Corpus } from "../corpus/corpus.ts";
import type { ExactHits } from "../exact/exact-search.ts";
import type { Question } from "../words/question.ts";
import { type DirectHit, directHits, isDirect, wholeLiterals } from "./direct.ts";
import { byPath, dot, leadersOf } from "./leaders.ts";
import type { AskedTerm } from "./scope-fit.ts";
import { treeScores } from "./score-rows.ts";
import { type Candidate, SIGNALS } from "./signals.ts";
import { FIRST_WEIGHTS, REST_WEIGHTS } from "./weights.ts";

/** A file in its rank. The score of the first is no measure: it is the largest number there is. */
export interface RankedFile extends Candidate {
  readonly score: number;
  /** How far the first file's score is above that of any other; without end where it alone holds what is spelled out. */
  readonly lead: number;
  readonly asked: readonly AskedTerm[];
  /** 0..1: how much of what was asked its best scope covers. */
  readonly coverage: number;
  /** 1-based: lines that hold what the question spells out, where that is rare or what it asks for. */
  readonly exactLines: readonly number[];
}

/** At most `count` files are given. */
interface RankOptions {
  readonly count: number;
  /** What the literals of the question gave, per corpus. */
  readonly exact?: readonly ExactHits[];
}

const NOTHING: ExactHits = { places: new Map(), occurring: new Set() };

/** The best files first. */
export function rankFiles(corpora: readonly Corpus[], question: Question, options: RankOptions): RankedFile[] {
  const rank = corpora.reduceRight(
    (inner: () => RankedFile[], corpus) => () => corpus.snapshot(inner),
    () => rankNow(corpora, question, options),
  );
  return rank();
}

function rankNow(corpora: readonly Corpus[], question: Question, options: RankOptions): RankedFile[] {
  const exact = corpora.map((_, c) => options.exact?.[c] ?? NOTHING);
  const literals = wholeLiterals(question, exact);
  const direct = corpora.map((corpus, c) => directHits(corpus, literals, { question, exact: exact[c] ?? NOTHING }));
  const hitOf = ({ corpus, file }: Candidate): DirectHit | undefined =>
    direct[corpora.indexOf(corpus)]?.find((hit) => hit.file === file);
  // Of a question about what it spells out, the files that hold it come first.
  const isAboutLiterals = isDirect(question, exact);
  const spelled = (one: Candidate): number => (isAboutLiterals ? (hitOf(one)?.score ?? 0) : 0);
  const { files, rows, asked } = leadersOf(corpora, question, {
    direct: direct.map((hits) => hits.map(({ file }) => file)),
    rankOf: spelled,
  });
  const holds = files.map(spelled);
  const added = treeScores(rows);
  const scoreOf = (n: number, weights: readonly number[]): number => dot(rows[n] ?? [], weights) + (added[n] ?? 0);
  const order = (weights: readonly number[], among: readonly number[]): number[] => {
    const scores = new Map(among.map((n) => [n, scoreOf(n, weights)]));
    return [...among].sort(
      (a, b) => (holds[b] ?? 0) - (holds[a] ?? 0) || (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || byPath(files, a, b),
    );
  };
  const [first, ...others] = order(FIRST_WEIGHTS, [...files.keys()]);
  if (first === undefined) return [];
  const rivals = others.filter((n) => holds[n] === holds[first]).map((n) => scoreOf(n, FIRST_WEIGHTS));
  const lead = others.length === 0 ? 0 : scoreOf(first, FIRST_WEIGHTS) - Math.max(...rivals);
  return [first, ...order(REST_WEIGHTS, others)].slice(0, options.count).flatMap((n, place) => {
    const candidate = files[n];
    if (candidate === undefined) return [];
    return [
      {
        ...candidate,
        score: place === 0 ? Number.MAX_VALUE : scoreOf(n, REST_WEIGHTS),
        lead: place === 0 ? lead : 0,
        asked: asked[corpora.indexOf(candidate.corpus)] ?? [],
        coverage: candidate.signals[SIGNALS.indexOf("bestCoverage")] ?? 0,
        exactLines: hitOf(candidate)?.lines ?? [],
      },
    ];
  });
}
