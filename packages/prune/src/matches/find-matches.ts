// Finds the output of a search by its look alone, whatever the text is called and whatever printed it: a loop over files,
// a pipe, a file of matches, a list behind another program's output. Only `path:line:text` counts as a match, and
// only among others; messages of compilers and linters, which have a space behind the place, do not.
import { withoutGutter } from "../text/gutter.ts";
import { type LineTable, lineAt, splitLines } from "../text/lines.ts";
import {
  GUESSED_PATHED,
  hasTooManyNotes,
  headOf,
  isMessage,
  type MatchLine,
  type MatchLines,
  readPathed,
  SEPARATOR,
} from "./match-lines.ts";
import { isContext, readPlaces, readTimedPath } from "./places.ts";

interface FindOptions {
  /** A search is known to have run: one match is enough. */
  readonly isSearch?: boolean;
}

/**
 * A path without spaces, with a directory or an extension, and a line number. Not: a date; a message of a compiler, a linter
 * or a runtime about a line, behind one space; a frame of Ruby.
 */
const SURE = String.raw`(?!\S*\d{4}[:T]\d\d:\d\d:\d\d)(?:[A-Za-z]:(?=[\\/]))?(?=[^\s:]*(?:[\\/]|\.[A-Za-z]))[^\s:]+:[1-9]\d{0,8}:(?!(?:\d+:)? [^\s*]|(?:\d+:)?in [\x60'"])`;
const COLOURS = String.raw`(?:\u001b\[[0-9;]*[mK])*`;
/** Where such a line may begin, to be looked for in a whole text: most texts have none. */
const LIKELY_LINE = new RegExp(
  `^${COLOURS}(?=[^\\s:]*[\\\\/.])(?:[A-Za-z]:)?[^\\s:]+:${COLOURS}(?:[1-9]\\d{0,8}${COLOURS}:|\\d\\d:\\d\\d)`,
  "gm",
);
const SURE_LINE = new RegExp(`^${SURE}`);
/** A tool's message about a line: `a.c:3:1: error: …`. */
const FINDING_LINE = /^[^\s:]+:\d+:(?:\d+:)? [^\s*]/;
/** Matches that must stand together to count as a search's. */
const MIN_TOGETHER = 5;
/** Lines of another form between two matches of one stretch. */
const MAX_GAP = 3;
/** Share of other lines in a text that is a match list only by its look. */
const MAX_NOTE_SHARE = 0.4;

/**
 * Finds the matches in a text by their look, `path:line:text`; undefined where no line is one beyond doubt. Lines of other
 * programs are of kind `other`. For the output of one search in any form, use parseMatchLines.
 */
export function findMatches(table: LineTable, { isSearch = false }: FindOptions = {}): MatchLines | undefined {
  const bare = withoutGutter(table.text);
  const read = bare === undefined ? table : splitLines(bare);
  const marks = markStretches(read, isSearch ? 1 : MIN_TOGETHER);
  if (marks === undefined) return undefined;
  const heads = Array.from({ length: read.count }, (_, index) => headOf(lineAt(read, index)));
  const places = readPathed(
    heads.map((head, index) => (marks[index] === 1 ? head : "")),
    (lines) => readPlaces(lines, GUESSED_PATHED),
  );
  if (!places.some(({ kind }) => kind === "match")) return undefined;
  const isBlank = (index: number) => SEPARATOR.test(heads[index] ?? "");
  const isForeign = (entry: MatchLine, index: number) =>
    marks[index] === 0 ? !isBlank(index) : entry.kind === "note" && !isMessage(heads[index] ?? "");
  const unknown = places.filter((entry, index) => isForeign(entry, index) && !isMessage(heads[index] ?? "")).length;
  const filled = heads.filter((_, index) => !isBlank(index)).length;
  const isList = !hasTooManyNotes(unknown, heads.length) && (isSearch || unknown <= filled * MAX_NOTE_SHARE);
  const entries = places.map((entry, index): MatchLine => {
    if (isList) return isForeign(entry, index) ? { kind: "note" } : entry;
    return marks[index] === 0 || isForeign(entry, index) ? { kind: "other" } : entry;
  });
  return { table, entries, unit: "matches" };
}

/** Whether a text is the output of a search and of nothing else. */
export function isMatchList(table: LineTable): boolean {
  return findMatches(table)?.entries.every(({ kind }) => kind !== "other") === true;
}

/** Marks the lines among which matches stand together; undefined where there are none. */
function markStretches(table: LineTable, minTogether: number): Uint8Array | undefined {
  const headAt = (index: number) => headOf(lineAt(table, index));
  const sure = sureLines(table, headAt);
  if (sure.size < minTogether) return undefined;
  const paths = new Set(Array.from(sure, (index) => pathOf(headAt(index))));
  const isPart = (index: number): boolean =>
    sure.has(index) || isPathed(headAt(index)) || isContext(headAt(index), paths);
  const marks = new Uint8Array(table.count);
  let hasMarks = false;
  let end = 0;
  for (const first of sure) {
    if (first < end) continue;
    let from = first;
    while (from > end && isPart(from - 1)) from--;
    let to = first;
    for (let next = first + 1; next < table.count && next <= to + 1 + MAX_GAP; next++) {
      if (next === to + 1 ? isPart(next) : sure.has(next)) to = next;
    }
    end = to + 1;
    let together = 0;
    let findings = 0;
    for (let index = from; index < end; index++) {
      if (sure.has(index)) together++;
      else if (FINDING_LINE.test(headAt(index))) findings++;
    }
    if (together < minTogether || together < findings) continue;
    marks.fill(1, from, end);
    hasMarks = true;
  }
  return hasMarks ? marks : undefined;
}

/** In their order. */
function sureLines({ text, starts, count }: LineTable, headAt: (index: number) => string): Set<number> {
  const sure = new Set<number>();
  let line = 0;
  for (const { index } of text.matchAll(LIKELY_LINE)) {
    while (line + 1 < count && (starts[line + 1] ?? 0) <= index) line++;
    const head = headAt(line);
    if (SURE_LINE.test(head) || isTimed(head)) sure.add(line);
  }
  return sure;
}

function pathOf(head: string): string {
  // A colon in second place belongs to a drive.
  return head.slice(0, head.indexOf(":", 2));
}

/** A frame of a stack is indented. */
function isPathed(head: string): boolean {
  return /^\S/.test(head) && (GUESSED_PATHED.test(head) || isTimed(head));
}

/** The path holds a time of day. */
function isTimed(head: string): boolean {
  return readTimedPath(head)?.number !== undefined && /^\S*[\\/]/.test(head);
}
