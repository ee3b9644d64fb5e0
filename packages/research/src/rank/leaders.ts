// The files that may be right, each with all of its numbers: signals, the same as a share of the best and by the length
// of the question, relations to the others, and what its text tells. They are ordered by a guess with round
// numbers; the fitted weights come later.
import type { Corpus } from "../corpus/corpus.ts";
import type { Question } from "../words/question.ts";
import { RELATIONS, relationsOf } from "./relations.ts";
import { type AskedTerm, rarityOf } from "./scope-fit.ts";
import { askedTerms, BY_LENGTH, type Candidate, SIGNALS, signalsOf } from "./signals.ts";
import { createTextReader, TEXT_SIGNALS } from "./text-signals.ts";

/** Signals that also count as a share of the best file's. */
const RELATIVE: readonly (typeof SIGNALS)[number][] = [
  "best",
  "third",
  "file",
  "coverage",
  "bestCoverage",
  "scopeName",
  "directory",
  "mentions",
  "titleBest",
  "titleFile",
  "fullName",
  "size",
  "imported",
];

/** What each number of a row is. */
export const COLUMNS: readonly string[] = [
  ...SIGNALS,
  ...RELATIVE.map((name) => `${name}, relative`),
  ...BY_LENGTH.map((name) => `${name}, by length`),
  ...RELATIONS,
  "distance",
  ...TEXT_SIGNALS,
  ...TEXT_SIGNALS.map((name) => `${name}, relative`),
];

/** Round weights for a first guess, which only chooses the files to look at more closely. */
const GUESS: Readonly<Partial<Record<string, number>>> = {
  best: 0.5,
  third: 0.3,
  coverage: 1,
  bestCoverage: 2,
  scopeName: 1.5,
  fileName: 0.5,
  directory: 1,
  defines: 0.5,
  mentions: 0.5,
  named: 2,
  traced: 2,
  tracedName: 1,
  module: 1,
  test: -0.5,
  docs: -1,
  data: -1,
  aside: -1,
  size: 1,
  imported: 1,
  titleBest: 0.3,
  "best, relative": 3,
  "third, relative": 1.5,
  "file, relative": 3,
  "titleBest, relative": 1.5,
  "titleFile, relative": 1.5,
};
const MAX_RELATED = 200;
const MAX_READ = 40;

/** The files that lead: `rows` has the numbers of each, in the order of COLUMNS; `asked` has the terms by corpus. */
interface Leaders {
  /** Best first, by the guess. */
  readonly files: readonly Candidate[];
  readonly rows: readonly (readonly number[])[];
  readonly asked: readonly (readonly AskedTerm[])[];
}

/** What decides besides the numbers. */
interface LeadOptions {
  /** Files that have to be among them, per corpus. */
  readonly direct: readonly (readonly number[])[];
  /** Higher comes first, whatever the numbers say. */
  readonly rankOf: (candidate: Candidate) => number;
}

/** The leading files of a question. */
export function leadersOf(corpora: readonly Corpus[], question: Question, options: LeadOptions): Leaders {
  const asked = corpora.map((corpus) => askedTerms(corpus, question));
  const totals = totalsOf(corpora, asked);
  const candidates = corpora.flatMap((corpus, c) =>
    signalsOf(corpus, question, { terms: asked[c] ?? [], total: totals[c] ?? 1, direct: options.direct[c] ?? [] }),
  );
  const described = describe(candidates, question);
  const guesses = described.map((row) => dot(row, GUESS_WEIGHTS));
  const first = candidates.map(options.rankOf);
  const order = [...candidates.keys()].sort(
    (a, b) => (first[b] ?? 0) - (first[a] ?? 0) || (guesses[b] ?? 0) - (guesses[a] ?? 0) || byPath(candidates, a, b),
  );
  const near = order.slice(0, MAX_RELATED);
  const files = near.flatMap((i) => candidates[i] ?? []);
  const scores = near.map((i) => guesses[i] ?? 0);
  const relations = relationsOf(files, scores);
  const read = files.slice(0, MAX_READ);
  const readers = corpora.map((_, c) => createTextReader(question, asked[c] ?? []));
  const texts = read.map(({ corpus, file }) => readers[corpora.indexOf(corpus)]?.(corpus.textOf(file)) ?? []);
  const most = TEXT_SIGNALS.map((_, t) => Math.max(...texts.map((row) => row[t] ?? 0)) + 1e-9);
  const rows = read.map((_, n) => [
    ...(described[near[n] ?? 0] ?? []),
    ...(relations[n] ?? []),
    (scores[n] ?? 0) - (scores[0] ?? 0),
    ...(texts[n] ?? []),
    ...most.map((max, t) => (texts[n]?.[t] ?? 0) / max),
  ]);
  return { files: read, rows, asked };
}

const GUESS_WEIGHTS = COLUMNS.map((name) => GUESS[name] ?? 0);

/** The sum of a row's numbers, each by its weight. */
export function dot(row: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += (row[i] ?? 0) * (weights[i] ?? 0);
  return sum;
}

/** By path, then by place. */
export function byPath(candidates: readonly Candidate[], a: number, b: number): number {
  const [first, second] = [candidates[a]?.path ?? "", candidates[b]?.path ?? ""];
  return first < second ? -1 : first > second ? 1 : a - b;
}

/** The signals, some of them also as a share of the best file's, and by the length of the question. */
function describe(candidates: readonly Candidate[], question: Question): number[][] {
  const most = RELATIVE.map((name) => {
    const at = SIGNALS.indexOf(name);
    let max = 0;
    for (const { signals } of candidates) max = Math.max(max, signals[at] ?? 0);
    return { at, max: max + 1e-9 };
  });
  const lengthy = BY_LENGTH.map((name) => SIGNALS.indexOf(name));
  return candidates.map(({ signals }) => [
    ...signals,
    ...most.map(({ at, max }) => (signals[at] ?? 0) / max),
    ...lengthy.map((at) => (signals[at] ?? 0) * question.length),
  ]);
}

/** A term that only another corpus knows still counts as asked. */
function totalsOf(corpora: readonly Corpus[], asked: readonly (readonly AskedTerm[])[]): number[] {
  const everywhere = new Map<string, number>();
  for (const terms of asked) for (const { term, weight } of terms) everywhere.set(term, weight);
  return corpora.map((corpus, c) => {
    const here = new Map((asked[c] ?? []).map((term) => [term.term, term]));
    let total = 0;
    for (const [term, weight] of everywhere) total += weight * (here.get(term)?.rarity ?? rarityOf(0, corpus.size));
    return total;
  });
}
