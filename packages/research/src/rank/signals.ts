// How well each file of a corpus fits a question, as numbers: one row of signals per file, in a fixed order. No weights
// here, and no reading: everything comes from the corpus.
import type { Corpus, CorpusFile } from "../corpus/corpus.ts";
import { token, type WeightedToken } from "../store/corpus-store.ts";
import type { Question } from "../words/question.ts";
import { termId, wholeId } from "../words/term-ids.ts";
import { createPlaceFit } from "./place-fit.ts";
import { type AskedTerm, BM25, countHits, rarityOf, scoreScopes, topThree } from "./scope-fit.ts";

/** The names of a row's numbers, in their order. */
export const SIGNALS = [
  "best",
  "second",
  "third",
  "file",
  "coverage",
  "bestCoverage",
  "scopeName",
  "fileNameShare",
  "fileName",
  "directory",
  "defines",
  "mentions",
  "pairs",
  "named",
  "test",
  "testAsked",
  "docs",
  "data",
  "config",
  "size",
  "imported",
  "glue",
  "aside",
  "titleBest",
  "titleFile",
  "titleCoverage",
  "fullName",
  "fullNames",
  "traced",
  "tracedName",
  "module",
  "private",
  "depth",
] as const;

/** Signals that count otherwise the longer the question is. */
export const BY_LENGTH: readonly (typeof SIGNALS)[number][] = [
  "best",
  "file",
  "coverage",
  "titleBest",
  "titleFile",
  "test",
  "docs",
  "data",
  "size",
  "imported",
  "fileName",
  "directory",
  "defines",
  "mentions",
  "named",
  "aside",
];

/** A file that may answer; `file` is its number in `corpus`, `signals` are in the order of SIGNALS. */
export interface Candidate {
  readonly corpus: Corpus;
  readonly file: number;
  readonly path: string;
  readonly signals: Float64Array;
  readonly scopeScores: Float64Array;
  readonly bestScope: number;
}

/** Whether a term occurs in a text or in a path. */
export function isKnownTerm(corpus: Corpus, id: number): boolean {
  return corpus.fileCount(id) > 0 || corpus.pathCount(id) > 0;
}

/** The terms of the question that the corpus knows. */
export function askedTerms(corpus: Corpus, question: Question): AskedTerm[] {
  const all = corpus.size;
  const found: AskedTerm[] = [];
  for (const { term, weight, isTitle } of question.terms) {
    const id = termId(term);
    if (!isKnownTerm(corpus, id)) continue;
    found.push({
      id,
      term,
      weight,
      isTitle,
      rarity: rarityOf(corpus.fileCount(id), all),
      pathRarity: rarityOf(corpus.pathCount(id), all),
    });
  }
  return found;
}

/** total: the weight of everything asked, so that rows of several corpora can be compared. */
export function signalsOf(
  corpus: Corpus,
  question: Question,
  given: {
    readonly terms: readonly AskedTerm[];
    readonly total: number;
    /** Files that hold what the question spells out. */
    readonly direct?: readonly number[];
  },
): Candidate[] {
  const { terms } = given;
  const total = given.total || 1;
  const asking = prepare(corpus, question, terms);
  const candidates: Candidate[] = [];
  const direct = new Set(given.direct ?? []);
  const placeFit = createPlaceFit(question);
  const titleTotal = terms.reduce((sum, { isTitle, weight, rarity }) => sum + (isTitle ? weight * rarity : 0), 0) || 1;
  for (const f of new Set([...candidatesOf(corpus, terms, asking), ...direct])) {
    const file = corpus.file(f);
    if (file === undefined) continue;
    const fileTf = new Float64Array(terms.length);
    const scopeTf = countHits(file, asking.slotOf, terms.length, fileTf);
    let fit = 0;
    let coverage = 0;
    let [titleFit, titleCoverage] = [0, 0];
    const fileNorm = 1 - BM25.b + (BM25.b * file.length) / corpus.meanFileLength;
    terms.forEach((term, t) => {
      const tf = fileTf[t] ?? 0;
      if (tf > 0) coverage += term.weight * term.rarity;
      if (tf > 0 && term.isTitle) titleCoverage += term.weight * term.rarity;
      const hit = tf / fileNorm + (file.pathTerms.has(term.id) ? BM25.path : 0);
      const own = (term.weight * term.rarity * hit * (BM25.k1 + 1)) / (BM25.k1 + hit);
      fit += own;
      if (term.isTitle) titleFit += own;
    });
    if (fit === 0 && !direct.has(f)) continue;
    const scopes = scoreScopes(corpus, file, { terms, scopeTf, total });
    const [best, next, third] = topThree(scopes.scores);
    const paths = pathFit(corpus, file, terms);
    const places = placeFit(file);
    const row = [
      best / total,
      next / total,
      third / total,
      fit / total,
      coverage / total,
      (scopes.coverage[scopes.best] ?? 0) / total,
      scopes.nameFit,
      paths.nameShare,
      paths.name / 10,
      paths.directory / 10,
      asking.defines.get(f) ?? 0,
      mentionsOf(corpus, fileTf, asking) / 10,
      pairsOf(file, asking.pairs),
      places.named,
      file.isTest ? 1 : 0,
      file.isTest && question.asksForTests ? 1 : 0,
      file.family === "docs" ? 1 : 0,
      file.family === "data" || file.family === "plain" ? 1 : 0,
      file.part === "config" ? 1 : 0,
      Math.log(1 + file.scanned.lineCount) / 10,
      Math.log(1 + corpus.importedBy(f).length) / 5,
      /__init__|conftest/.test(file.path) ? 1 : 0,
      /(?:^|\/)(?:docs?|examples?|benchmarks?|asv_bench|changelog|bench)\//.test(file.path) ? 1 : 0,
      scopes.title / titleTotal,
      titleFit / titleTotal,
      titleCoverage / titleTotal,
      scopes.fullName / 10,
      Math.log(1 + scopes.fullNames) / 3,
      places.traced,
      places.tracedName,
      places.module,
      /(?:^|\/)_(?!_)/.test(file.path) ? 1 : 0,
      file.path.split("/").length / 10,
    ];
    candidates.push({
      corpus,
      file: f,
      path: file.path,
      signals: Float64Array.from(row),
      scopeScores: scopes.scores,
      bestScope: scopes.best,
    });
  }
  return candidates;
}

/** So many files are looked at more closely; a right one is hardly ever behind them. */
const MAX_CANDIDATES = 300;
/** Worths are whole numbers in the store. */
const WORTH_UNIT = 1_000;

function candidatesOf(corpus: Corpus, terms: readonly AskedTerm[], asking: Asking): ReadonlySet<number> {
  const tokens = terms.flatMap(({ id, weight, rarity, pathRarity }): WeightedToken[] => [
    { token: token.text(id), worth: Math.round(weight * rarity * WORTH_UNIT) },
    { token: token.often(id), worth: Math.round(weight * rarity * WORTH_UNIT * 0.7) },
    { token: token.scope(id), worth: Math.round(weight * rarity * WORTH_UNIT * 0.7) },
    { token: token.path(id), worth: Math.round(weight * pathRarity * WORTH_UNIT) },
  ]);
  return new Set([...corpus.best(tokens, MAX_CANDIDATES), ...asking.defines.keys()]);
}

interface Asking {
  /** Term → index into terms. */
  readonly slotOf: ReadonlyMap<number, number>;
  readonly defines: ReadonlyMap<number, number>;
  readonly identifiers: readonly { readonly id: number; readonly slot: number | undefined }[];
  readonly pairs: readonly (readonly [number, number])[];
}

/** Definers of a name beyond these are too many to tell anything. */
const MAX_DEFINERS = 100;

function prepare(corpus: Corpus, question: Question, terms: readonly AskedTerm[]): Asking {
  const slotOf = new Map(terms.map(({ id }, t) => [id, t]));
  const defines = new Map<number, number>();
  const identifiers = question.identifiers.map((name) => ({ id: wholeId(name), slot: slotOf.get(wholeId(name)) }));
  for (const { id } of identifiers) {
    const files = corpus.definersOfId(id);
    if (files.length > MAX_DEFINERS) continue;
    for (const f of files) defines.set(f, (defines.get(f) ?? 0) + 1 / Math.sqrt(files.length));
  }
  const pairs: [number, number][] = [];
  for (const [a, b] of question.pairs) {
    const [first, second] = [termId(a), termId(b)];
    if (corpus.fileCount(first) > 0 && corpus.fileCount(second) > 0) pairs.push([first, second]);
  }
  return { slotOf, defines, identifiers, pairs };
}

function pathFit(
  corpus: Corpus,
  file: CorpusFile,
  terms: readonly AskedTerm[],
): { readonly nameShare: number; readonly name: number; readonly directory: number } {
  let whole = 0;
  for (const id of file.nameTerms) whole += rarityOf(corpus.pathCount(id), corpus.size);
  let shared = 0;
  let name = 0;
  let directory = 0;
  for (const { id, weight, pathRarity } of terms) {
    if (file.nameTerms.has(id)) {
      shared += pathRarity;
      name += weight * pathRarity;
    } else if (file.pathTerms.has(id)) directory += weight * pathRarity;
  }
  return { nameShare: whole > 0 ? shared / whole : 0, name, directory };
}

function mentionsOf(corpus: Corpus, fileTf: Float64Array, asking: Asking): number {
  let sum = 0;
  for (const { id, slot } of asking.identifiers) {
    const times = slot === undefined ? 0 : (fileTf[slot] ?? 0);
    if (times > 0) sum += rarityOf(corpus.fileCount(id), corpus.size) * Math.min(1, 0.5 + 0.1 * times);
  }
  return sum;
}

function pairsOf(file: CorpusFile, pairs: readonly (readonly [number, number])[]): number {
  let found = 0;
  for (const [a, b] of pairs) if (file.scopeNames.some((names) => names.has(a) && names.has(b))) found++;
  return found / Math.max(1, pairs.length);
}
