// How well the scopes of one file fit a question, as BM25F: its words, its name, and the name of the scope around it.
import type { Corpus, CorpusFile } from "../corpus/corpus.ts";

/** The constants of BM25F: `name`, `parent` and `path` are the hits that a term in each of these is worth. */
export const BM25 = { k1: 1.2, b: 0.75, name: 3, parent: 1, path: 1 };

/** A term that both the question and the corpus have; its rarities are in texts and in paths. */
export interface AskedTerm {
  readonly id: number;
  readonly term: string;
  readonly weight: number;
  readonly isTitle: boolean;
  readonly rarity: number;
  readonly pathRarity: number;
}

/** How much a term tells that is in `count` of `all`. */
export function rarityOf(count: number, all: number): number {
  return Math.log(1 + (all - count + 0.5) / (count + 0.5));
}

/** The three highest. */
export function topThree(scores: Float64Array): [number, number, number] {
  let [first, second, third] = [0, 0, 0];
  for (const score of scores) {
    if (score > first) [first, second, third] = [score, first, second];
    else if (score > second) [second, third] = [score, second];
    else if (score > third) third = score;
  }
  return [first, second, third];
}

/** Per scope, the counts of the asked terms; undefined where there are none. */
export function countHits(
  file: CorpusFile,
  slotOf: ReadonlyMap<number, number>,
  width: number,
  fileTf: Float64Array,
): (Float64Array | undefined)[] {
  const { rowStart, rowTerm, rowCount, scopes } = file.scanned;
  const found: (Float64Array | undefined)[] = new Array(scopes.length);
  for (let s = 0; s < scopes.length; s++) {
    let own: Float64Array | undefined;
    const end = rowStart[s + 1] ?? 0;
    for (let r = rowStart[s] ?? 0; r < end; r++) {
      const slot = slotOf.get(rowTerm[r] ?? 0);
      if (slot === undefined) continue;
      own ??= new Float64Array(width);
      const count = rowCount[r] ?? 0;
      own[slot] = count;
      fileTf[slot] = (fileTf[slot] ?? 0) + count;
    }
    found[s] = own;
  }
  return found;
}

/** Scores and coverage by scope; `best` is the index of the scope with the highest score. */
interface ScopeFit {
  readonly scores: Float64Array;
  readonly coverage: Float64Array;
  readonly best: number;
  readonly nameFit: number;
  /** Of the best scope for the title alone. */
  readonly title: number;
  /** What the best name is worth all whose words are asked, and how many such names there are. */
  readonly fullName: number;
  readonly fullNames: number;
}

/** The fit of every scope. */
export function scoreScopes(
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
  const all = corpus.size;
  let best = 0;
  let [nameFit, title, fullName, fullNames] = [0, 0, 0, 0];
  for (let s = 0; s < scopes.length; s++) {
    const tf = asked.scopeTf[s];
    const norm = 1 - BM25.b + (BM25.b * (file.scopeLength[s] ?? 0)) / corpus.meanScopeLength;
    const names = file.scopeNames[s];
    const parent = scopes[s]?.parent ?? 0;
    const parentNames = parent > 0 ? file.scopeNames[parent] : undefined;
    let score = 0;
    let covered = 0;
    let named = 0;
    let ofTitle = 0;
    let words = 0;
    for (let t = 0; t < asked.terms.length; t++) {
      const term = asked.terms[t];
      if (term === undefined) continue;
      const worth = term.weight * term.rarity;
      let hit = (tf?.[t] ?? 0) / norm;
      if (names?.has(term.id) === true) {
        hit += BM25.name;
        named += worth;
        words++;
      }
      if (parentNames?.has(term.id) === true) hit += BM25.parent;
      if (file.nameTerms.has(term.id)) hit += BM25.path;
      if (hit === 0) continue;
      const own = (worth * hit * (BM25.k1 + 1)) / (BM25.k1 + hit);
      score += own;
      if (term.isTitle) ofTitle += own;
      covered += worth;
    }
    scores[s] = score;
    coverage[s] = covered;
    if (score > (scores[best] ?? 0)) best = s;
    title = Math.max(title, ofTitle);
    if (named === 0 || names === undefined) continue;
    // Counts are looked up only where they can make a better fit.
    if (named / asked.total > nameFit) {
      let whole = 0;
      for (const id of names) whole += rarityOf(corpus.fileCount(id), all);
      nameFit = Math.max(nameFit, (named / asked.total) * Math.min(1, named / Math.max(whole, 1e-9)));
    }
    // The whole name counts as a term of its own, so that one of two words has three.
    if (words >= 2 && words >= names.size - 1) {
      fullName = Math.max(fullName, named);
      fullNames++;
    }
  }
  return { scores, coverage, best, nameFit, title, fullName, fullNames };
}
