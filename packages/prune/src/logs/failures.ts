// X-59: finds failures in a text that is not a log. Where a stretch of it reads like the output of a program, its failures
// are kept as they would be in a log.
import type { SourceKind } from "../outline/extensions.ts";
import { type Outline, ROLE } from "../outline/outline.ts";
import { WHY } from "../select/why.ts";
import { byFirstLetter } from "../text/alternatives.ts";
import { findCommits } from "../text/commits.ts";
import type { Focus } from "../text/focus.ts";
import { remember } from "../text/known-texts.ts";
import { indentOf, type LineTable, lineAt } from "../text/lines.ts";
import { createExamples, EXAMPLE_LINES, isSolid } from "./examples.ts";
import { endOfFailedList } from "./failed-lists.ts";
import { PHRASES_BEYOND_ASCII, PHRASES_OF_TEXT } from "./failure-phrases.ts";
import { lookOf, SURE_MATCH } from "./line-looks.ts";
import { type LogLines, logLinesOf, uncoloured } from "./log-lines.ts";
import { AFTER, BEFORE, markFailures } from "./log-marks.ts";
import { TROUBLE_BEYOND_ASCII, TROUBLE_FIELDS, TROUBLE_OF_TEXT } from "./log-signs.ts";
import { idsOf, templatesOf } from "./log-templates.ts";
import { findTroubles, isTrouble, recordOf, signOf } from "./log-troubles.ts";
import { findOutcomes } from "./outcomes.ts";
import { findOutput, type Stretch } from "./output-stretches.ts";
import { createSurroundings, NEAR_LINES } from "./surroundings.ts";

interface FailureHow {
  readonly kind: SourceKind;
  readonly focus: Focus;
  /** Under a ratio no trouble line is dropped, see LogHow. */
  readonly isOrder: boolean;
  readonly maxChars?: number;
  readonly poll: () => void;
}

const SEARCHED_SHARE = 0.2;
/** So many lines, all over the text, decide whether it is code; of real code at least this share looks written. */
const CODE_LOOKS = 100;
const CODE_SHARE = 0.4;
/** A name or a path alone, as lists have them, but not a row of dots; and a table's row that has no test's mark. */
const LISTED = /^\s*(?:(?![.FEsxXSIRWDN*]+\s*$|.*\.{4})[\w./-]+|\|[^✗✖✘✕❌⨯]*\|)\s*$/;
const HEADER = WHY.indexOf("header") + 1;
/** Trouble in words, or with its place as compilers print it. In a whole text a space must not be the end of a line. */
const inText = (source: string): RegExp => new RegExp(source.replaceAll("\\s", "[^\\S\\n]"), "gim");
/** Patterns for the beginning of words or of lines are joined into one for each; marks are found faster one by one. */
const TROUBLES = joinedBy(
  [...TROUBLE_OF_TEXT, ...PHRASES_OF_TEXT].map(({ source }) => source),
  { "\\b": byFirstLetter, "^": (all) => `(?:${all})` },
).map(inText);
/** Looked for in lines that have such a character. */
const TROUBLES_BEYOND_ASCII = [...TROUBLE_BEYOND_ASCII, ...PHRASES_BEYOND_ASCII].map(
  ({ source }) => new RegExp(source, "i"),
);
const BEYOND_ASCII = /[^ -~\s]/g;

/** The same patterns, with one for all that begin with the same place. */
function joinedBy(sources: readonly string[], places: Readonly<Record<string, (all: string) => string>>): string[] {
  const rest = sources.filter((source) => !Object.keys(places).some((place) => source.startsWith(place)));
  const joined = Object.entries(places).map(([place, join]) => {
    const own = sources.filter((source) => source.startsWith(place)).map((source) => source.slice(place.length));
    return `${place}${join(own.map((source) => `(?:${source})`).join("|"))}`;
  });
  return [...joined, ...rest];
}

/**
 * Per line: 0, or the code of the reason it must stay; undefined where nothing failed. What a focus without ids does not
 * change is remembered by the text; of a text that no grammar read, each question has an outline of its own.
 */
export function findFailures(table: LineTable, outline: Outline, how: FailureHow): Uint8Array | undefined {
  if (outline.language === undefined || idsOf(how.focus).size > 0) return searchFailures(table, outline, how);
  return remember(
    table,
    searchOf(outline, how),
    (own) => searchFailures(table, outline, { ...how, poll: own }),
    (must) => must?.byteLength ?? 0,
    how.poll,
  );
}

const searches = new WeakMap<Outline, Map<string, object>>();

/** The same object for the same search. */
function searchOf(outline: Outline, { kind, isOrder, maxChars }: FailureHow): object {
  const known = searches.get(outline) ?? new Map<string, object>();
  searches.set(outline, known);
  const name = `${kind} ${isOrder} ${maxChars}`;
  const search = known.get(name) ?? {};
  known.set(name, search);
  return search;
}

function searchFailures(table: LineTable, outline: Outline, how: FailureHow): Uint8Array | undefined {
  // Of a match its text, not its place.
  const trim = how.kind === "matches" ? (line: string) => line.replace(SURE_MATCH, "") : undefined;
  const lines = logLinesOf(table, how.poll, trim);
  const commits = how.isOrder ? undefined : findCommits(table);
  const isSource = isCode(table, outline, how.poll);
  const mentions = trim === undefined ? knownTroubles(table, isSource, how.poll) : troublesIn(lines, false);
  const hits = mentions.filter(({ line }) => commits?.[line] !== 1);
  // The cases of a source's tests have outcomes, too, and so have the matches of a search in it.
  const outcomes = isSource || how.kind === "matches" ? NONE : findOutcomes(table, () => true);
  if (hits.length === 0 && outcomes.size === 0) return undefined;
  const templates = templatesOf(table, idsOf(how.focus), how.poll);
  const isExample = createExamples(
    outline,
    lines,
    templates,
    hits.filter(({ looksWritten }) => !looksWritten),
  );
  const printed = isSource ? [] : printedAround(lines, hits).filter(({ line }) => !isExample(line));
  const near = new Uint8Array(table.count);
  for (const { line, looksWritten } of hits)
    if (!looksWritten) near.fill(1, Math.max(0, line - NEAR_LINES), line + NEAR_LINES + 1);
  const found = findOutput(lines, templates, near);
  const told = [...outcomes]
    .filter((line) => !isExample(line))
    .map((line) => ({ from: recordOf(lines, line), to: line }));
  const stretches = union([...found.filter(({ from }) => !isExample(from)), ...printed, ...told]);
  if (stretches.length === 0) return undefined;
  const isOutput = new Uint8Array(table.count);
  const margin = new Int32Array(table.count);
  for (const { from, to } of stretches) {
    isOutput.fill(1, from, to + 1);
    margin.fill(marginOf(table, from, to), from, to + 1);
  }
  const output = logLinesOf(table, how.poll, trim ?? ((line, i) => withoutMargin(line, margin[i] ?? 0)));
  const said = new Set([...outcomes, ...printed.map(({ line }) => line)]);
  const isLog = (i: number): boolean =>
    isOutput[i] === 1 && commits?.[i] !== 1 && (said.has(i) || mayReport(output.clean(i)));
  const troubles = findTroubles(output, templates.first, { everyError: how.isOrder, isLog, outcomes });
  // In a search for failures each match is one: which of them matter is left to the ranking.
  const isSearched = how.kind === "matches" && troubles.length > table.count * SEARCHED_SHARE;
  if (troubles.length === 0 || isSearched) return undefined;
  const must = markFailures(output, { ...how, troubles, templates });
  clip(must, stretches);
  openBlocks(outline, must);
  return must;
}

const NONE: ReadonlySet<number> = new Set();

/**
 * K-30 keeps a block of code in one piece. A long one with a program's output is not code: only its first and last line
 * stay.
 */
function openBlocks(outline: Outline, must: Uint8Array): void {
  const { unitStart, unitEnd, role } = outline;
  for (let i = 0; i < must.length; i++) {
    const start = unitStart[i] ?? i;
    const end = unitEnd[i] ?? i;
    if (must[i] === 0 || !isSolid(outline, i) || end - start < EXAMPLE_LINES) continue;
    for (let line = start; line <= end; line++) {
      unitStart[line] = line;
      unitEnd[line] = line;
      role[line] = (role[line] ?? 0) & ~ROLE.solid;
    }
    must[start] ||= HEADER;
    must[end] ||= HEADER;
    i = end;
  }
}

/**
 * Whether a line may report trouble: a source's checks and messages do not, not even between failures, nor does every
 * name in a record.
 */
function mayReport(text: string): boolean {
  const look = lookOf(text);
  return look === "data" ? TROUBLE_FIELDS.some((field) => field.test(text)) : look !== "written";
}

interface Hit {
  readonly line: number;
  /** Like a source or a sentence. */
  readonly looksWritten: boolean;
}

const TROUBLE_HITS = {};
const SOURCE_HITS = {};
const HIT_BYTES = 40;

function knownTroubles(table: LineTable, isSource: boolean, poll: () => void): readonly Hit[] {
  return remember(
    table,
    isSource ? SOURCE_HITS : TROUBLE_HITS,
    (own) => troublesIn(logLinesOf(table, own), isSource),
    (hits) => hits.length * HIT_BYTES,
    poll,
  );
}

/** The lines that mention trouble; of a source, those that do not look like one. */
function troublesIn(lines: LogLines, isSource: boolean): Hit[] {
  const found = new Set<number>();
  const plain = uncoloured(lines.table);
  for (const sign of TROUBLES) addLinesWith(sign, plain, found);
  const beyond = new Set<number>();
  addLinesWith(BEYOND_ASCII, plain, beyond);
  for (const line of beyond) if (TROUBLES_BEYOND_ASCII.some((sign) => sign.test(lineAt(plain, line)))) found.add(line);
  return [...found]
    .sort((a, b) => a - b)
    .flatMap((line) => {
      const text = lines.clean(line);
      const isSaid = mayReport(text);
      if (isSource && !isSaid) return [];
      // A field that is not an outcome is data, whatever is around it.
      const isHit = (isTrouble(text) || signOf(text) !== undefined) && (isSaid || lookOf(text) !== "data");
      return isHit ? [{ line, looksWritten: !isSaid }] : [];
    });
}

function addLinesWith(sign: RegExp, table: LineTable, found: Set<number>): void {
  let line = 0;
  sign.lastIndex = 0;
  for (let hit = sign.exec(table.text); hit !== null; hit = sign.exec(table.text)) {
    // Tests are full of this word, and failures have others, too.
    if (hit[0] === "assert") continue;
    while (line + 1 < table.count && (table.starts[line + 1] ?? 0) <= hit.index) line++;
    found.add(line);
    sign.lastIndex = Math.max(table.starts[line + 1] ?? 0, hit.index + 1);
  }
}

/**
 * Whether a grammar read it, found definitions or imports, and the lines look like code: some grammars read anything.
 */
function isCode(table: LineTable, outline: Outline, poll: () => void): boolean {
  if (outline.language === undefined) return false;
  return remember(
    table,
    outline,
    (own) => looksLikeCode(logLinesOf(table, own), outline),
    () => 0,
    poll,
  );
}

function looksLikeCode({ table, clean }: LogLines, { scopes, role }: Outline): boolean {
  if (scopes.length < 2 && !role.some((bits) => (bits & ROLE.import) !== 0)) return false;
  const looks = Math.min(table.count, CODE_LOOKS);
  let filled = 0;
  let written = 0;
  for (let nth = 0; nth < looks; nth++) {
    const text = clean(Math.floor((nth * table.count) / looks));
    if (text.trim() === "") continue;
    filled++;
    // Quoted fields stand in snapshots and tables.
    if (["written", "data"].includes(lookOf(text))) written++;
  }
  return written >= filled * CODE_SHARE;
}

/** In a text that is not code, the trouble lines that a program printed, as the lines around them show. */
function printedAround(lines: LogLines, hits: readonly Hit[]): (Stretch & { readonly line: number })[] {
  const isPrinted = createSurroundings(lines);
  const last = lines.table.count - 1;
  return hits
    .filter(({ line, looksWritten }) => !isListed(lines, line) && isPrinted(line, looksWritten))
    .map(({ line }) => ({
      line,
      from: Math.max(0, line - NEAR_LINES),
      to: Math.min(last, Math.max(line + NEAR_LINES, endOfFailedList(lines, line, lines.clean(line)))),
    }));
}

/** Whether a line is one of a list of names; a single name may be the last line of a program's output. */
function isListed({ table, clean }: LogLines, line: number): boolean {
  const isOne = (i: number): boolean => i >= 0 && i < table.count && LISTED.test(clean(i));
  return isOne(line) && (isOne(line - 1) || isOne(line + 1));
}

/** The same lines as stretches that do not overlap, in the order of the text. */
function union(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const { from, to } of [...stretches].sort((a, b) => a.from - b.from)) {
    const before = joined.at(-1);
    if (before !== undefined && from <= before.to + 1)
      joined[joined.length - 1] = { from: before.from, to: Math.max(before.to, to) };
    else joined.push({ from, to });
  }
  return joined;
}

/** How far all lines of a stretch are indented: tools' signs stand at the beginning of a line. */
function marginOf(table: LineTable, from: number, to: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = from; i <= to; i++) {
    const indent = indentOf(table, i);
    if (indent >= 0 && indent < least) least = indent;
  }
  return least;
}

/** A line without so many columns of its indentation; a tab counts four. */
function withoutMargin(line: string, columns: number): string {
  let at = 0;
  for (let width = 0; width < columns; at++) {
    const c = line.charCodeAt(at);
    if (c !== 32 && c !== 9) break;
    width += c === 9 ? 4 : 1;
  }
  return line.slice(at);
}

/** Clears marks outside of the stretches: the context of a failure ends with the output that it is in. */
function clip(must: Uint8Array, stretches: readonly Stretch[]): void {
  let next = 0;
  for (const { from, to } of stretches) {
    must.fill(0, next, Math.max(next, from - BEFORE));
    next = to + AFTER + 1;
  }
  must.fill(0, Math.min(next, must.length));
}
