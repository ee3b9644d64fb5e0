// How well each body of a text answers a question, as numbers in a fixed order: the words that it shares with the
// question, the engine's scores of its lines, and the rank of its file. The weights are in body-weights.ts.
import { ROLE, type ScoredLines } from "@jeeves/prune";
import { scanWords, termsOf } from "@jeeves/prune/text";
import type { Part } from "../catalog/file-kind.ts";
import type { ResearchRoot } from "../roots.ts";
import { type Bodies, bodiesOf } from "./bodies.ts";

/** The names of a row's numbers, in their order; BODY_WEIGHTS has one weight for each. */
export const BODY_SIGNALS = [
  "words",
  "coverage",
  "window",
  "name",
  "nameShare",
  "parent",
  "comment",
  "code",
  "chanceMean",
  "chanceTop",
  "scoreTop",
  "fileWords",
  "rank",
  "first",
  "test",
  "types",
  "rest",
  "size",
  "small",
  "fileCoverage",
  "best",
  "missing",
  "rareWords",
  "rareCoverage",
  "pairs",
  "rareWindow",
] as const;

/** A term of the question, and what it counts. */
interface AskedWord {
  readonly term: string;
  readonly weight: number;
  /** In how few files of the repository it occurs. */
  readonly rarity: number;
}

/** A file that may answer, read and scored by the engine. */
export interface AskedFile {
  readonly root: ResearchRoot;
  readonly path: string;
  readonly part: Part;
  /** 0 is the best file. */
  readonly rank: number;
  readonly scored: ScoredLines;
  /** 1-based lines that the locator named, best first. */
  readonly bestLines: readonly number[];
  /** 1-based lines that hold what the question spells out. */
  readonly exactLines: readonly number[];
}

/** The bodies of one file, and a row of signals for each. */
interface BodySignals extends Bodies {
  readonly rows: readonly Float64Array[];
}

/** What ranking needs to know of the question. */
export interface AskedQuestion {
  readonly terms: readonly AskedWord[];
  /** Terms that stand side by side in the question. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Names as the question spells them. */
  readonly identifiers: readonly string[];
}

const K1 = 1.2;
const B = 0.6;
const WINDOW = 4;
const TOP_LINES = 8;
const MEAN_WORDS = 60;
const NAME_HITS = 3;
const PARENT_HITS = 1;

type Worth = ReadonlyMap<string, number>;

interface Words {
  readonly tf: Map<string, number>;
  readonly commentTf: Map<string, number>;
  readonly names: ReadonlySet<string>;
  readonly parents: ReadonlySet<string>;
  readonly own: number[];
  count: number;
}

interface Read extends Bodies {
  readonly file: AskedFile;
  readonly words: readonly Words[];
  readonly lineTerms: readonly ReadonlySet<string>[];
  readonly pathTerms: ReadonlySet<string>;
}

/** One row per body of each file; all files are read together, because rarity among their bodies counts too. */
export function bodySignals(files: readonly AskedFile[], question: AskedQuestion): BodySignals[] {
  const asked = new Set(question.terms.map(({ term }) => term));
  const reads = files.map((file) => readFile(file, asked));
  const worth: Worth = new Map(question.terms.map(({ term, weight, rarity }) => [term, weight * rarity]));
  const rare = rarityAmong(reads, question.terms);
  return reads.map((read) => ({
    bodies: read.bodies,
    ownerOf: read.ownerOf,
    rows: read.bodies.map((_, b) => rowOf(read, b, { worth, rare, pairs: question.pairs })),
  }));
}

function readFile(file: AskedFile, asked: ReadonlySet<string>): Read {
  const { table, outline } = file.scored;
  const { bodies, ownerOf } = bodiesOf(outline);
  const words: Words[] = bodies.map(({ name, parentName }) => ({
    tf: new Map(),
    commentTf: new Map(),
    names: termsIn(name),
    parents: termsIn(parentName),
    own: [],
    count: 0,
  }));
  const lineTerms: Set<string>[] = [];
  for (let i = 0; i < table.count; i++) {
    const own = words[ownerOf[i] ?? 0];
    own?.own.push(i);
    const tf = ((outline.role[i] ?? 0) & ROLE.comment) !== 0 ? own?.commentTf : own?.tf;
    const found = new Set<string>();
    const start = table.starts[i] ?? 0;
    scanWords(table.text, start, Math.min(table.starts[i + 1] ?? start, start + MAX_LINE_CHARS), (word) => {
      if (own !== undefined) own.count++;
      for (const term of termsOf(word)) {
        if (!asked.has(term)) continue;
        found.add(term);
        tf?.set(term, (tf.get(term) ?? 0) + 1);
      }
    });
    lineTerms.push(found);
  }
  return { file, bodies, ownerOf, words, lineTerms, pathTerms: termsIn(file.path) };
}

const MAX_LINE_CHARS = 1_000;

/** Weight in the question times rarity among these bodies: a word that all of them have tells none apart. */
function rarityAmong(reads: readonly Read[], terms: readonly AskedWord[]): Worth {
  const count = new Map<string, number>();
  let all = 0;
  for (const { words } of reads) {
    for (const { tf, commentTf, names } of words) {
      all++;
      for (const { term } of terms)
        if (tf.has(term) || commentTf.has(term) || names.has(term)) count.set(term, (count.get(term) ?? 0) + 1);
    }
  }
  return new Map(
    terms.map(({ term, weight }) => {
      const n = count.get(term) ?? 0;
      return [term, n === 0 ? 0 : weight * Math.log(1 + (all - n + 0.5) / (n + 0.5))];
    }),
  );
}

function rowOf(
  { file, words, lineTerms, pathTerms, bodies, ownerOf }: Read,
  b: number,
  { worth, rare, pairs }: { readonly worth: Worth; readonly rare: Worth; readonly pairs: AskedQuestion["pairs"] },
): Float64Array {
  const { scored, part, rank } = file;
  const own = words[b];
  const body = bodies[b];
  if (own === undefined || body === undefined) return new Float64Array(BODY_SIGNALS.length);
  const total = sumOf(worth.keys(), worth) + 1e-9;
  const rareTotal = sumOf(rare.keys(), rare) + 1e-9;
  const has = (term: string): boolean => own.tf.has(term) || own.commentTf.has(term) || own.names.has(term);
  const covered = [...worth.keys()].filter(has);
  const named = [...own.names].filter((term) => worth.has(term));
  const chances = own.own.map((i) => scored.chances[i] ?? 0).sort((x, y) => y - x);
  const best = file.bestLines.findIndex((line) => ownerOf[line - 1] === b);
  const missing = [...worth.keys()].filter((term) => !has(term) && !pathTerms.has(term) && !own.parents.has(term));
  return Float64Array.from([
    bm25(own, worth) / total,
    sumOf(covered, worth) / total,
    windowOf(own.own, lineTerms, worth) / total,
    sumOf(named, worth) / total,
    own.names.size === 0 ? 0 : named.length / own.names.size,
    sumOf(own.parents, worth) / total,
    sumOf(own.commentTf.keys(), worth) / total,
    sumOf(own.tf.keys(), worth) / total,
    mean(chances),
    mean(chances.slice(0, TOP_LINES)) * Math.min(1, chances.length / TOP_LINES),
    own.own.reduce((most, i) => Math.max(most, scored.scores[i] ?? 0), 0),
    sumOf(pathTerms, worth) / total,
    Math.log1p(rank),
    rank === 0 ? 1 : 0,
    part === "tests" ? 1 : 0,
    part === "types" ? 1 : 0,
    body.kind === "rest" ? 1 : 0,
    Math.log1p(own.own.length),
    own.own.length < 5 ? 1 : 0,
    sumOf(
      [...worth.keys()].filter(
        (term) => pathTerms.has(term) || words.some(({ tf, names }) => tf.has(term) || names.has(term)),
      ),
      worth,
    ) / total,
    best < 0 ? 0 : 1 / (1 + best),
    sumOf(missing, worth) / total,
    bm25(own, rare) / rareTotal,
    sumOf(covered, rare) / rareTotal,
    pairsIn(own, lineTerms, pairs, worth) / total,
    windowOf(own.own, lineTerms, rare) / rareTotal,
  ]);
}

function bm25(own: Words, worth: Worth): number {
  const norm = 1 - B + (B * own.count) / MEAN_WORDS;
  let sum = 0;
  for (const [term, value] of worth) {
    const hits = (own.tf.get(term) ?? 0) + 0.5 * (own.commentTf.get(term) ?? 0);
    const hit = hits / norm + (own.names.has(term) ? NAME_HITS : 0) + (own.parents.has(term) ? PARENT_HITS : 0);
    if (hit > 0) sum += (value * hit * (K1 + 1)) / (K1 + hit);
  }
  return sum;
}

/** Words that the question puts side by side, met in one line or one name. */
function pairsIn(
  own: Words,
  lineTerms: readonly ReadonlySet<string>[],
  pairs: AskedQuestion["pairs"],
  worth: Worth,
): number {
  let sum = 0;
  for (const [a, b] of pairs) {
    const value = Math.min(worth.get(a) ?? 0, worth.get(b) ?? 0);
    if (value === 0) continue;
    const isNamed = own.names.has(a) && own.names.has(b);
    if (isNamed || own.own.some((i) => lineTerms[i]?.has(a) === true && lineTerms[i]?.has(b) === true)) sum += value;
  }
  return sum;
}

/** The most that any few lines side by side share with the question. */
function windowOf(own: readonly number[], lineTerms: readonly ReadonlySet<string>[], worth: Worth): number {
  let most = 0;
  for (let k = 0; k < own.length; k++) {
    if ((lineTerms[own[k] ?? 0]?.size ?? 0) === 0) continue;
    const near = new Set<string>();
    for (let j = k; j < own.length && (own[j] ?? 0) <= (own[k] ?? 0) + WINDOW; j++)
      for (const term of lineTerms[own[j] ?? 0] ?? []) near.add(term);
    most = Math.max(most, sumOf(near, worth));
  }
  return most;
}

function sumOf(terms: Iterable<string>, worth: Worth): number {
  let sum = 0;
  for (const term of terms) sum += worth.get(term) ?? 0;
  return sum;
}

function termsIn(text: string): Set<string> {
  const terms = new Set<string>();
  scanWords(text, 0, text.length, (word) => {
    for (const term of termsOf(word)) terms.add(term);
  });
  return terms;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
