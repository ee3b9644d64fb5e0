// How well each file of a corpus fits a question, as numbers: one row of signals per file, in a fixed order. No weights
// here, and no reading: everything comes from the corpus.
import type { Corpus, CorpusFile } from "../corpus/corpus.ts";
import type { Question } from "../words/question.ts";
import { wholeOf } from "../words/terms.ts";

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
] as const;

export interface Candidate {
  readonly corpus: Corpus;
  readonly file: number;
  readonly path: string;
  readonly signals: Float64Array;
  readonly scopeScores: Float64Array;
  readonly bestScope: number;
}

export interface AskedTerm {
  readonly id: number;
  readonly term: string;
  readonly weight: number;
  readonly rarity: number;
  readonly pathRarity: number;
}

const BM25 = { k1: 1.2, b: 0.75, name: 3, parent: 1, path: 1 };

export function rarityOf(count: number, all: number): number {
  return Math.log(1 + (all - count + 0.5) / (count + 0.5));
}

/** By a text or by a path, not only by the interner: that one also remembers earlier questions. */
export function isKnownTerm(corpus: Corpus, id: number | undefined): id is number {
  return id !== undefined && ((corpus.fileCount[id] ?? 0) > 0 || (corpus.pathCount[id] ?? 0) > 0);
}

/** The terms of the question that the corpus knows. */
export function askedTerms(corpus: Corpus, question: Question): AskedTerm[] {
  const all = corpus.files.length;
  const found: AskedTerm[] = [];
  for (const { term, weight } of question.terms) {
    const id = corpus.interner.find(term);
    if (!isKnownTerm(corpus, id)) continue;
    found.push({
      id,
      term,
      weight,
      rarity: rarityOf(corpus.fileCount[id] ?? 0, all),
      pathRarity: rarityOf(corpus.pathCount[id] ?? 0, all),
    });
  }
  return found;
}

/** total: the weight of everything asked, so that rows of several corpora can be compared. */
export function signalsOf(
  corpus: Corpus,
  question: Question,
  given: { readonly terms: readonly AskedTerm[]; readonly total: number },
): Candidate[] {
  const { terms } = given;
  const total = given.total || 1;
  const asking = prepare(corpus, question, terms);
  const candidates: Candidate[] = [];
  corpus.files.forEach((file, f) => {
    const fileTf = new Float64Array(terms.length);
    const scopeTf = countHits(file, asking.slotOf, terms.length, fileTf);
    let fit = 0;
    let coverage = 0;
    const fileNorm = 1 - BM25.b + (BM25.b * file.length) / corpus.meanFileLength;
    terms.forEach((term, t) => {
      const tf = fileTf[t] ?? 0;
      if (tf > 0) coverage += term.weight * term.rarity;
      const hit = tf / fileNorm + (file.pathTerms.has(term.id) ? BM25.path : 0);
      if (hit > 0) fit += (term.weight * term.rarity * hit * (BM25.k1 + 1)) / (BM25.k1 + hit);
    });
    if (fit === 0) return;
    const scopes = scoreScopes(corpus, file, { terms, scopeTf, total });
    const [best, next, third] = topThree(scopes.scores);
    const paths = pathFit(corpus, file, terms);
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
      question.paths.some((path) => file.path === path || file.path.endsWith(`/${path}`)) ? 1 : 0,
      file.isTest ? 1 : 0,
      file.isTest && question.asksForTests ? 1 : 0,
      file.family === "docs" ? 1 : 0,
      file.family === "data" || file.family === "plain" ? 1 : 0,
      file.part === "config" ? 1 : 0,
      Math.log(1 + file.scanned.lineCount) / 10,
      Math.log(1 + (corpus.importedBy[f]?.length ?? 0)) / 5,
      /__init__|conftest/.test(file.path) ? 1 : 0,
      /(?:^|\/)(?:docs?|examples?|benchmarks?|asv_bench|changelog|bench)\//.test(file.path) ? 1 : 0,
    ];
    candidates.push({
      corpus,
      file: f,
      path: file.path,
      signals: Float64Array.from(row),
      scopeScores: scopes.scores,
      bestScope: scopes.best,
    });
  });
  return candidates;
}

function topThree(scores: Float64Array): [number, number, number] {
  let [first, second, third] = [0, 0, 0];
  for (const score of scores) {
    if (score > first) [first, second, third] = [score, first, second];
    else if (score > second) [second, third] = [score, second];
    else if (score > third) third = score;
  }
  return [first, second, third];
}

interface Asking {
  /** Term id → index into terms plus one; 0 for everything else. */
  readonly slotOf: Uint16Array;
  readonly defines: ReadonlyMap<number, number>;
  readonly identifiers: readonly { readonly id: number; readonly slot: number }[];
  readonly pairs: readonly (readonly [number, number])[];
}

function prepare(corpus: Corpus, question: Question, terms: readonly AskedTerm[]): Asking {
  const { interner, definedIn } = corpus;
  const slotOf = new Uint16Array(interner.size);
  terms.forEach(({ id }, t) => {
    slotOf[id] = t + 1;
  });
  const defines = new Map<number, number>();
  const identifiers: { id: number; slot: number }[] = [];
  for (const name of question.identifiers) {
    const id = interner.find(wholeOf(name.normalize("NFKC")));
    if (id === undefined) continue;
    identifiers.push({ id, slot: (slotOf[id] ?? 0) - 1 });
    const files = definedIn.get(id) ?? [];
    for (const f of files) defines.set(f, (defines.get(f) ?? 0) + 1 / Math.sqrt(files.length));
  }
  const pairs: [number, number][] = [];
  for (const [a, b] of question.pairs) {
    const [first, second] = [interner.find(a), interner.find(b)];
    // Known to the files, not only to the interner: that one also remembers earlier questions.
    const isKnown = (id: number | undefined): id is number => id !== undefined && (corpus.fileCount[id] ?? 0) > 0;
    if (isKnown(first) && isKnown(second)) pairs.push([first, second]);
  }
  return { slotOf, defines, identifiers, pairs };
}

/** Per scope, the counts of the asked terms; undefined where there are none. */
function countHits(
  file: CorpusFile,
  slotOf: Uint16Array,
  width: number,
  fileTf: Float64Array,
): (Float64Array | undefined)[] {
  const { rowStart, rowTerm, rowCount, scopes } = file.scanned;
  const found: (Float64Array | undefined)[] = new Array(scopes.length);
  for (let s = 0; s < scopes.length; s++) {
    let own: Float64Array | undefined;
    const end = rowStart[s + 1] ?? 0;
    for (let r = rowStart[s] ?? 0; r < end; r++) {
      const slot = slotOf[rowTerm[r] ?? 0] ?? 0;
      if (slot === 0) continue;
      own ??= new Float64Array(width);
      const count = rowCount[r] ?? 0;
      own[slot - 1] = count;
      fileTf[slot - 1] = (fileTf[slot - 1] ?? 0) + count;
    }
    found[s] = own;
  }
  return found;
}

interface ScopeFit {
  readonly scores: Float64Array;
  readonly coverage: Float64Array;
  readonly best: number;
  readonly nameFit: number;
}

function scoreScopes(
  corpus: Corpus,
  file: CorpusFile,
  asked: {
    readonly terms: readonly AskedTerm[];
    readonly scopeTf: readonly (Float64Array | undefined)[];
    readonly total: number;
  },
): ScopeFit {
  const { scopes } = file.scanned;
  const scores = new Float64Array(scopes.length);
  const coverage = new Float64Array(scopes.length);
  const all = corpus.files.length;
  let best = 0;
  let nameFit = 0;
  for (let s = 0; s < scopes.length; s++) {
    const tf = asked.scopeTf[s];
    const norm = 1 - BM25.b + (BM25.b * (file.scopeLength[s] ?? 0)) / corpus.meanScopeLength;
    const names = file.scopeNames[s];
    const parent = scopes[s]?.parent ?? 0;
    const parentNames = parent > 0 ? file.scopeNames[parent] : undefined;
    let score = 0;
    let covered = 0;
    let named = 0;
    for (let t = 0; t < asked.terms.length; t++) {
      const term = asked.terms[t];
      if (term === undefined) continue;
      const worth = term.weight * term.rarity;
      let hit = (tf?.[t] ?? 0) / norm;
      if (names?.has(term.id) === true) {
        hit += BM25.name;
        named += worth;
      }
      if (parentNames?.has(term.id) === true) hit += BM25.parent;
      if (file.nameTerms.has(term.id)) hit += BM25.path;
      if (hit === 0) continue;
      score += (worth * hit * (BM25.k1 + 1)) / (BM25.k1 + hit);
      covered += worth;
    }
    scores[s] = score;
    coverage[s] = covered;
    if (score > (scores[best] ?? 0)) best = s;
    if (named === 0 || names === undefined) continue;
    let whole = 0;
    for (const id of names) whole += rarityOf(corpus.fileCount[id] ?? 0, all);
    nameFit = Math.max(nameFit, (named / asked.total) * Math.min(1, named / Math.max(whole, 1e-9)));
  }
  return { scores, coverage, best, nameFit };
}

function pathFit(
  corpus: Corpus,
  file: CorpusFile,
  terms: readonly AskedTerm[],
): { readonly nameShare: number; readonly name: number; readonly directory: number } {
  let whole = 0;
  for (const id of file.nameTerms) whole += rarityOf(corpus.pathCount[id] ?? 0, corpus.files.length);
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
    const times = slot < 0 ? 0 : (fileTf[slot] ?? 0);
    if (times > 0) sum += rarityOf(corpus.fileCount[id] ?? 0, corpus.files.length) * Math.min(1, 0.5 + 0.1 * times);
  }
  return sum;
}

function pairsOf(file: CorpusFile, pairs: readonly (readonly [number, number])[]): number {
  let found = 0;
  for (const [a, b] of pairs) if (file.scopeNames.some((names) => names.has(a) && names.has(b))) found++;
  return found / Math.max(1, pairs.length);
}
