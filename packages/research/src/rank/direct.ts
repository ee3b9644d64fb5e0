// Files that hold what a question spells out, as it is written: a definition of the name, the quoted line. Of a question
// that asks for little else they come first.
import { isName } from "../catalog/file-kind.ts";
import type { Corpus, CorpusFile } from "../corpus/corpus.ts";
import type { ExactHits } from "../exact/exact-search.ts";
import type { Literal } from "../words/literals.ts";
import { countOtherWords, type Question } from "../words/question.ts";

/** A file that holds literals of the question. */
export interface DirectHit {
  readonly file: number;
  readonly score: number;
  /** 1-based, the most telling first. */
  readonly lines: readonly number[];
}

/** Worth of what a file does with a literal. */
const WORTH = { member: 6, phrase: 5, defines: 4, constant: 3, holds: 1 } as const;
const ASIDE = 0.5;
const MAX_FILES = 200;
const MAX_LINES = 2;
/** A question with more words than these beside its literals is about something else, too. */
const MAX_OTHER_WORDS = 2;
const MAX_DIRECT_CHARS = 600;
/** A phrase of this length in at most so many files is what the question is about. */
const TELLING_CHARS = 24;
const TELLING_FILES = 3;

/** The files of one corpus that hold literals, best first. */
export function directHits(corpus: Corpus, literals: readonly Literal[], given: DirectOptions): DirectHit[] {
  const { question, exact } = given;
  const found = new Map<number, { score: number; lines: number[] }>();
  const add = (file: number, score: number, lines: readonly number[]): void => {
    const known = found.get(file) ?? { score: 0, lines: [] };
    found.set(file, known);
    known.score += score;
    for (const line of lines) if (known.lines.length < MAX_LINES && !known.lines.includes(line)) known.lines.push(line);
  };
  for (const literal of literals) {
    for (const hit of hitsOf(corpus, literal, exact)) add(hit.file, hit.score, hit.lines);
  }
  return [...found]
    .map(([file, { score, lines }]) => ({ file, score: score * shareOf(corpus.file(file), question), lines }))
    .sort((a, b) => b.score - a.score || (corpus.pathOf(a.file) < corpus.pathOf(b.file) ? -1 : 1))
    .slice(0, MAX_FILES);
}

interface DirectOptions {
  readonly question: Question;
  readonly exact: ExactHits;
}

/** The literals of a question without those that are only part of a longer one that was found: a line is a whole. */
export function wholeLiterals({ literals, text }: Question, exact: readonly ExactHits[]): Literal[] {
  const isFound = (literal: Literal): boolean => exact.some(({ occurring }) => occurring.has(literal.text));
  const found: Literal[] = [];
  let rest = text;
  for (const literal of literals) {
    if (!rest.includes(literal.text)) continue;
    found.push(literal);
    // `Session.send` may be written in a call: what it names is still looked for.
    if (!literal.isName && memberOf(literal.text) === undefined && isFound(literal))
      rest = rest.replaceAll(literal.text, " ");
  }
  return found;
}

/** Whether the literals are what the question is about. */
export function isDirect(question: Question, exact: readonly ExactHits[]): boolean {
  if (question.literals.length === 0 || question.text.length > MAX_DIRECT_CHARS) return false;
  const isTelling = question.literals.some(({ text, isName: isOne }) => {
    const files = exact.reduce((sum, { places }) => sum + (places.get(text)?.size ?? 0), 0);
    return !isOne && text.length >= TELLING_CHARS && files > 0 && files <= TELLING_FILES;
  });
  const occurring = question.literals.filter(({ text }) => exact.some((hits) => hits.occurring.has(text)));
  return isTelling || countOtherWords(question, occurring) <= MAX_OTHER_WORDS;
}

function hitsOf(corpus: Corpus, literal: Literal, { places }: ExactHits): DirectHit[] {
  const member = memberOf(literal.text);
  const hits: DirectHit[] = [];
  if (member !== undefined) {
    for (const file of corpus.definersOf(member.name)) {
      const lines = membersIn(corpus.file(file), member);
      if (lines.length > 0) hits.push({ file, score: WORTH.member, lines });
    }
  }
  for (const [path, lines] of places.get(literal.text) ?? []) {
    const file = corpus.fileAt(path);
    if (file === undefined) continue;
    if (!literal.isName) hits.push({ file, score: WORTH.phrase, lines: lines.slice(0, 1) });
    else hits.push({ file, ...nameIn(corpus.file(file), literal.text, lines) });
  }
  // A hit that many files have tells little about each of them.
  const alike = (score: number): number => hits.filter((hit) => hit.score === score).length;
  return hits.map((hit) => ({ ...hit, score: hit.score * (0.6 + 0.4 / Math.sqrt(alike(hit.score))) }));
}

function nameIn(file: CorpusFile | undefined, name: string, lines: readonly number[]): Omit<DirectHit, "file"> {
  const headers = file?.scanned.scopes.flatMap((scope) => (scope.name === name ? [scope.header + 1] : [])) ?? [];
  if (headers.length > 0) return { score: WORTH.defines, lines: headers };
  const constants = file?.scanned.constants.flatMap((one) => (one.name === name ? [one.line + 1] : [])) ?? [];
  if (constants.length > 0) return { score: WORTH.constant, lines: constants };
  return { score: WORTH.holds, lines: lines.slice(0, 1) };
}

interface Member {
  readonly owner: string;
  readonly name: string;
}

/** `Session.send`, `Session::send()`: the name of what owns it, and its own. */
function memberOf(text: string): Member | undefined {
  const [owner = "", name = "", ...more] = text
    .replace(/\([^()]*\)$/, "")
    .split(/\.|::|->|#/)
    .slice(-2);
  return more.length === 0 && owner !== text && isName(owner) && isName(name) ? { owner, name } : undefined;
}

function membersIn(file: CorpusFile | undefined, { owner, name }: Member): number[] {
  const scopes = file?.scanned.scopes ?? [];
  const isInside = (at: number): boolean => {
    for (let parent = scopes[at]?.parent ?? 0; parent > 0; parent = scopes[parent]?.parent ?? 0)
      if (scopes[parent]?.name === owner) return true;
    return false;
  };
  return scopes.flatMap((scope, at) => (scope.name === name && isInside(at) ? [scope.header + 1] : []));
}

/** Tests, docs and data repeat what is in the code, and count half. */
function shareOf(file: CorpusFile | undefined, question: Question): number {
  if (file === undefined || (file.isTest && question.asksForTests)) return 1;
  return file.isTest || file.family === "docs" || file.family === "data" ? ASIDE : 1;
}
