// Where: the files that answer a question, best first, with the lines to open. References only, no excerpts (C-23).
// A line is named only where the file was read just now; else the path alone.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { stem, termsOf } from "@jeeves/prune/text";
import { searchText, WorkspaceError } from "@jeeves/workspace";
import type { Part } from "../catalog/file-kind.ts";
import type { Corpus } from "../corpus/corpus.ts";
import type { OpenedRoot } from "../open-roots.ts";
import { type BestLine, type BestLinesOptions, bestLines } from "../rank/best-lines.ts";
import { confidenceOf } from "../rank/confidence.ts";
import { type RankedFile, rankFiles } from "../rank/rank-files.ts";
import { isKnownTerm } from "../rank/signals.ts";
import { type ResearchRoot, toReference } from "../roots.ts";
import type { RoleResult } from "../runtime/outcome.ts";
import type { Reader } from "../runtime/reader.ts";
import { isNameIn } from "../words/path-names.ts";
import type { Question } from "../words/question.ts";
import { termId, wholeId } from "../words/term-ids.ts";
import { placesOutside } from "./outside-files.ts";

/** A file that answers, and its best lines. */
export interface LocatedFile {
  readonly root: ResearchRoot;
  readonly path: string;
  readonly part: Part;
  readonly ranked: RankedFile;
  /** Empty where the file could not be read. */
  readonly lines: readonly BestLine[];
}

/** The files, best first, and the same as a role's result. */
export interface Located {
  readonly files: readonly LocatedFile[];
  readonly result: RoleResult;
}

/** The limits of a search, and what belongs in its answer. */
export interface LocateOptions {
  readonly reader: Reader;
  readonly signal: AbortSignal;
  readonly deny: readonly string[];
  readonly maxFiles: number;
  readonly maxReferences: number;
  /** What made the search incomplete, in words; "" when nothing did. */
  readonly gap: string;
  /** Every root that is searched: their number decides how a reference is written. */
  readonly roots: readonly ResearchRoot[];
}

/** Lines per file: more of the best ones. */
const LINES_OF = [4, 3, 2, 2, 1];

/** Finds the files. There are none where every name in the question is unknown, or too few of its words are known. */
export async function locate(
  opened: readonly OpenedRoot[],
  question: Question,
  options: LocateOptions,
): Promise<Located> {
  const corpora = opened.map(({ corpus }) => corpus);
  const { missing: unknown, unsure } = await missingNames(opened, question, options);
  const outside = placesOutside(opened, question, options.roots);
  const missing = unknown.filter((name) => !outside.has(name));
  const isNamedNowhere =
    question.identifiers.length > 0 &&
    question.identifiers.every((name) => unknown.includes(name) || outside.has(name));
  const exact = opened.map((one) => one.exact);
  const isKnown = exact.some(({ places }) => places.size > 0) || isKnownTalk(corpora, question);
  const ranked = isNamedNowhere || !isKnown ? [] : rankFiles(corpora, question, { count: options.maxFiles, exact });
  const files: LocatedFile[] = [];
  for (const one of ranked) {
    options.signal.throwIfAborted();
    const root = opened.find(({ corpus }) => corpus === one.corpus)?.root;
    if (root === undefined) continue;
    const located = await openFile(root, one, { ...options, count: LINES_OF[files.length] ?? 1 });
    if (located !== undefined) files.push(located);
  }
  const limited = options.reader.refused > 0;
  const large = opened.flatMap(({ largeFiles }) => largeFiles);
  const unread = opened.reduce((sum, { unreadFiles }) => sum + unreadFiles, 0);
  const read = corpora.reduce((sum, corpus) => sum + corpus.size, 0);
  const isShort = files.length === 0 || missing.length > 0;
  const notes = [
    options.gap,
    limited ? "limits on files or bytes may have truncated the result" : "",
    unsure.length > 0 ? `the search for these names took too long: ${unsure.slice(0, 5).join(", ")}` : "",
    missing.length > 0 && files.length > 0 ? `not found: ${missing.slice(0, 5).join(", ")}` : "",
    isShort && large.length > 0
      ? `files too large to look into: ${large.length}; limits may have truncated the result`
      : "",
    isShort && unread > 0 ? `files looked into: ${read}; not read, for their kind, size or name: ${unread}` : "",
  ].filter((note) => note !== "");
  const references = referencesOf(files, options);
  const sentences = [
    ...[...outside].map(
      ([name, { reference, isLarge }]) =>
        `${name} is at ${reference}, in a ${isLarge ? "file too large to read" : "generated or packed file"}.`,
    ),
    ...(files.length === 0 ? [] : [summaryOf(files, references)]),
  ];
  return {
    files,
    result: {
      summary: sentences.join(" ") || notFound(missing, options.gap === "" && unread === 0),
      references: [...[...outside.values()].map(({ reference }) => reference), ...references].slice(
        0,
        options.maxReferences,
      ),
      key_findings: [],
      confidence: sureOf(files, missing),
      notes: notes.length === 0 ? null : notes.join("; "),
    },
  };
}

/** One best line per file before any file's second. */
function referencesOf(files: readonly LocatedFile[], options: LocateOptions): string[] {
  const found = new Set<string>();
  const most = Math.max(0, ...files.map(({ lines }) => lines.length));
  for (let round = 0; round < Math.max(1, most); round++) {
    for (const { root, path, lines } of files) {
      const line = lines[round];
      if (line !== undefined) found.add(toReference({ root, path, line: line.line }, options.roots));
      else if (round === 0) found.add(toReference({ root, path }, options.roots));
    }
  }
  return [...found];
}

async function openFile(
  root: ResearchRoot,
  ranked: RankedFile,
  options: LocateOptions & { readonly count: number },
): Promise<LocatedFile | undefined> {
  const { path } = ranked;
  const part = ranked.corpus.file(ranked.file)?.part ?? "implementation";
  const source = await options.reader.read(root, path, options.signal);
  if (source !== undefined) {
    const lines = bestLines(path, source.text, { ...linesOf(ranked), count: options.count });
    return { root, path, part, ranked, lines };
  }
  // A file that the budget refused is named without a line; one that is gone since it was indexed is not named.
  const exists = await stat(join(root.path, path)).then(
    (stats) => stats.isFile(),
    () => false,
  );
  return exists ? { root, path, part, ranked, lines: [] } : undefined;
}

/** What bestLines needs of a ranked file. */
export function linesOf(ranked: RankedFile): Pick<BestLinesOptions, "terms" | "first"> {
  const terms = ranked.asked.map(({ term, weight, rarity }) => ({ term, worth: weight * rarity }));
  return { terms, first: ranked.exactLines };
}

interface MissingNames {
  readonly missing: readonly string[];
  /** Those that may occur: the search for them took too long. */
  readonly unsure: readonly string[];
}

/** C-33: the identifiers of the question that occur nowhere in the searched roots. */
async function missingNames(
  opened: readonly OpenedRoot[],
  question: Question,
  options: LocateOptions,
): Promise<MissingNames> {
  const missing: string[] = [];
  const unsure: string[] = [];
  for (const name of question.identifiers) {
    if (opened.some(({ exact }) => exact.occurring.has(name))) continue;
    // An underscore in front makes it another name than the one without.
    if (name.startsWith("_")) {
      missing.push(name);
      continue;
    }
    const whole = wholeId(name);
    const isPlain = termsOf(name).length === 1;
    const isKnown = opened.some(
      ({ corpus }) => (!isPlain && corpus.fileCount(whole) > 0) || corpus.definersOfId(whole).length > 0,
    );
    if (isKnown || opened.some(({ corpus }) => corpus.paths.some((path) => isNameIn(path, name)))) continue;
    // After one search that took too long the next would as well.
    const isPart = isPlain && (unsure.length > 0 ? undefined : await occurs(opened, name, options));
    if (isPart === undefined) unsure.push(name);
    else if (!isPart) missing.push(name);
  }
  return { missing, unsure };
}

const SEARCH_TIMEOUT_MS = 5_000;

/** undefined where the search took too long. */
async function occurs(
  opened: readonly OpenedRoot[],
  word: string,
  options: LocateOptions,
): Promise<boolean | undefined> {
  for (const { root, corpus } of opened) {
    if (corpus.fileCount(termId(stem(word.toLowerCase()))) === 0) continue;
    const found = await searchText(
      { path: root.path },
      {
        pattern: word,
        paths: [],
        fixedString: true,
        caseSensitive: false,
        timeoutMs: SEARCH_TIMEOUT_MS,
        maxMatches: 1,
        maxBytes: 1_000,
        deny: options.deny,
        signal: options.signal,
      },
    ).catch((error: unknown) => {
      if (error instanceof WorkspaceError && error.code === "timeout") return undefined;
      throw error;
    });
    if (found === undefined) return undefined;
    if (found.matches.length > 0) return true;
  }
  return false;
}

const KNOWN_SHARE = 0.25;

/** Words in these scripts that the code does not have are the language of the question; they do not count as missing. */
const OTHER_SCRIPT = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;

/** Whether enough of the question's words occur at all: one common word is no answer. */
function isKnownTalk(corpora: readonly Corpus[], question: Question): boolean {
  let known = 0;
  let all = 0;
  for (const { term, weight } of question.terms) {
    if (weight < 1) continue;
    const isKnown = corpora.some((corpus) => isKnownTerm(corpus, termId(term)));
    if (!isKnown && OTHER_SCRIPT.test(term)) continue;
    all += weight;
    if (isKnown) known += weight;
  }
  return all === 0 ? question.terms.some(({ term }) => !OTHER_SCRIPT.test(term)) : known / all >= KNOWN_SHARE;
}

function summaryOf(files: readonly LocatedFile[], references: readonly string[]): string {
  const scope = files[0]?.lines[0]?.scope ?? "";
  const best = references[0]?.replace(/:\d+$/, "") ?? "";
  return `${files.length} file${files.length === 1 ? "" : "s"}; best: ${best}${scope === "" ? "" : ` (${scope})`}.`;
}

/** Only what was looked into as a whole can be without something. */
function notFound(missing: readonly string[], isWhole: boolean): string {
  const names = missing.slice(0, 5).join(", ");
  const where = isWhole ? "occurs nowhere" : "was not seen";
  return `Not found in the searched roots${names === "" ? "" : `: ${names} ${where}`}.`;
}

/** X-72: as calibrated, and never more than "med" where something that the question names is missing. */
function sureOf(files: readonly LocatedFile[], missing: readonly string[]): RoleResult["confidence"] {
  const [first] = files;
  if (first === undefined || first.lines.length === 0) return "low";
  const confidence = confidenceOf(files.map(({ ranked }) => ranked));
  return confidence === "high" && missing.length > 0 ? "med" : confidence;
}
