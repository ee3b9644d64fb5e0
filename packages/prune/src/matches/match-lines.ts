// Reads the output of a search line by line: which lines are matches, and of which file and line. It knows the forms of
// ripgrep, grep, git grep, ag and ack: `path:line:text` with or without a column, `path-line-context`, `--` between
// groups, headings (the path on a line of its own, then `line:text`), `line:text` of a single file, and `path:text`
// without numbers. The caller names the form if it knows it; otherwise it is guessed, and times of day are not taken for
// lines. A text in any other form is not a match list.
import { type LineTable, lineAt, splitLines } from "../text/lines.ts";
import { CONTEXT_NUMBER, MAX_NUMBERS, type Place, readPlaces, readTimedPath } from "./places.ts";

/** What one line of a search's output is. */
export type MatchLine =
  /** `line` is undefined where the search printed no numbers. */
  | { readonly kind: "match"; readonly path: string; readonly line: number | undefined }
  /** The path above the matches of one file. */
  | { readonly kind: "heading" }
  /** Context, separators and blank lines. */
  | { readonly kind: "context" }
  /** A message of the search program itself, an unreadable file for example. */
  | { readonly kind: "note" }
  /** Output of another program before or behind the search. */
  | { readonly kind: "other" };

/** The output of a search, line by line. */
export interface MatchLines {
  readonly table: LineTable;
  /** One entry for each line of the table. */
  readonly entries: readonly MatchLine[];
  /**
   * What one entry stands for: `files` for the output of `-l` and `-c`, `paths` where a line is a path and nothing else,
   * `lines` where nothing names the place.
   */
  readonly unit: "matches" | "files" | "paths" | "lines";
  /** Of `files`: every line is a path, perhaps with its count, and nothing else. */
  readonly arePaths?: boolean;
}

/** What is printed before the text of each match. */
export interface MatchForm {
  /** Each match begins with its path. */
  readonly paths: boolean;
  /** Whether line numbers follow. `tab`: those of `nl` and `cat -n`, before a tab; `aligned`: those of `grep -T`. */
  readonly numbers: boolean | "tab" | "aligned";
  /** Numbers between a line's own and its text: a column, a byte offset; default: 0. */
  readonly extras?: number;
  /** Whether a line may be printed several times with different texts (`-o`). Default: no. */
  readonly repeats?: boolean;
}

/** A path and its numbers stand at the beginning of a line; Linux allows paths of 4,096 bytes. */
const HEAD_CHARS = 4_200;
const PATHED = /^(.+?):([1-9]\d{0,8}):/;
const ALIGNED = /^ *([1-9]\d{0,8})([:=-])/;
const NUMBERED = /^([1-9]\d{0,8})([:=-])/;
const TABBED = /^ *([1-9]\d{0,8})(\t)/;
/** Where the form is guessed: `2026-11-17 09:31:05` is neither line 31 of a file nor, without its date, line 9. */
const NO_TIME = String.raw`^(?![^:]*(?<![^\sT[(])\d{1,2}:\d{2}:\d{2}(?!\d))`;
export const GUESSED_PATHED = new RegExp(`${NO_TIME}(?!\\d+:)${PATHED.source.slice(1)}`);
const GUESSED_NUMBERED = new RegExp(NO_TIME + NUMBERED.source.slice(1));
/** A blank line, or a separator between groups. */
export const SEPARATOR = /^-*$/;
const UNNUMBERED = /^((?:[A-Za-z]:[\\/])?[^:]+):/;
/** What search programs print about files that they cannot read, or whose matches they do not show. */
const MESSAGE =
  /^(?:(?:[ef]?grep|rg|git|ag|ack|fatal|warning|error|ERR): |Binary file .* matches\.?$)|^[^:]+: (?:WARNING: stopped searching )?binary file(?: matches)?\b/;
/** Ends a message of any program; a match may end like this, too. */
const TROUBLE =
  /: (?:Permission denied|Operation not permitted|No such file or directory|Is a directory|Input\/output error)(?: \(os error \d+\))?$/;
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[mK]`, "g");
const CONTEXT: MatchLine = { kind: "context" };
const NOTE: MatchLine = { kind: "note" };
/** `rg --stats` prints eight lines of notes. */
const MAX_NOTES = 12;
const MAX_NOTE_SHARE = 0.05;

interface ParseOptions {
  /** The file that was searched, where the matches do not name it. */
  readonly onlyPath?: string;
  /** By default the form is guessed from the text. */
  readonly form?: MatchForm;
}

/**
 * Reads the output of a search: ripgrep, grep, git grep, ag or ack, with or without columns, context, headings and line
 * numbers. Returns undefined if the text is not a list of matches; messages of the search program do not count against that.
 */
export function parseMatchLines(text: string, { onlyPath = "", form }: ParseOptions = {}): MatchLines | undefined {
  if (form?.paths === false && form.numbers === false) return parseTextLines(text, onlyPath);
  const table = splitLines(text);
  const heads = Array.from({ length: table.count }, (_, index) => headOf(lineAt(table, index)));
  const entries = readEntries(heads, onlyPath, form);
  const isUnknown = ({ kind }: MatchLine, index: number) => kind === "note" && !isMessage(heads[index] ?? "");
  const hasMatch = entries.some(({ kind }) => kind === "match");
  if (!hasMatch || hasTooManyNotes(entries.filter(isUnknown).length, heads.length)) return undefined;
  return { table, entries, unit: "matches" };
}

/** Whether a line is a message of a search program. */
export function isMessage(head: string): boolean {
  return MESSAGE.test(head) || TROUBLE.test(head);
}

/** Whether so many lines that are neither matches nor messages make a text no match list. */
export function hasTooManyNotes(notes: number, lines: number): boolean {
  return notes > Math.max(MAX_NOTES, lines * MAX_NOTE_SHARE);
}

/** Reads a text whose lines do not name their places: every line is a match of `path`, without a line number. */
export function parseTextLines(text: string, path = ""): MatchLines {
  const table = splitLines(text);
  const entries = Array.from({ length: table.count }, (): MatchLine => ({ kind: "match", path, line: undefined }));
  return { table, entries, unit: "lines" };
}

/** The beginning of a line, with its path and its numbers, without colours. */
export function headOf(line: string): string {
  return withoutColours(line.slice(0, HEAD_CHARS));
}

/** A line without the codes of terminal colours. */
export function withoutColours(line: string): string {
  return line.includes("\u001b") ? line.replace(COLOUR, "") : line;
}

function readEntries(heads: readonly string[], onlyPath: string, form: MatchForm | undefined): MatchLine[] {
  if (form !== undefined) {
    const { paths, numbers, extras = 0, repeats = false } = form;
    const pattern = numbers === "tab" ? TABBED : numbers === "aligned" ? ALIGNED : NUMBERED;
    if (!paths) return readNumbered(heads, onlyPath, { pattern, hasHeadings: false });
    if (numbers === false) return readUnnumbered(heads, () => true);
    if (numbers === "aligned") return readPathed(heads, (lines) => readAligned(lines, extras));
    return readPathed(heads, (lines) => readPlaces(lines, PATHED, { extras, repeats }));
  }
  let pathed = 0;
  let numbered = 0;
  for (const head of heads) {
    if (GUESSED_PATHED.test(head) || readTimedPath(head)?.number !== undefined) pathed++;
    else if (GUESSED_NUMBERED.exec(head)?.[2] === ":") numbered++;
  }
  if (numbered > pathed) return readNumbered(heads, onlyPath, { pattern: GUESSED_NUMBERED, hasHeadings: true });
  return pathed > 0
    ? readPathed(heads, (lines) => readPlaces(lines, GUESSED_PATHED))
    : readUnnumbered(heads, isGuessedPath);
}

type ReadPlaces = (heads: readonly string[]) => (Place | undefined)[];

/** Reads `path: 12:`, more numbers and a tab: an unambiguous form. */
function readAligned(heads: readonly string[], extras: number): (Place | undefined)[] {
  const pattern = new RegExp(`^(.+?): *([1-9]\\d{0,8}):(?: *\\d+:){${extras}}\t`);
  return heads.map((head) => {
    const [, path, line] = pattern.exec(head) ?? [];
    return path === undefined ? undefined : { path, line: Number(line) };
  });
}

/** Reads lines that begin with a path: matches, their context, and notes. */
export function readPathed(heads: readonly string[], readAll: ReadPlaces): MatchLine[] {
  const places = readAll(heads.map((head) => (MESSAGE.test(head) ? "" : head)));
  const paths = new Set(places.map((place) => place?.path));
  let before: Place | undefined;
  return heads.map((head, index) => {
    const place = places[index];
    const context = contextPlace(head, { paths, before, next: heads[index + 1] ?? "", isMatch: place !== undefined });
    before = context ?? place;
    if (context !== undefined) return CONTEXT;
    if (place !== undefined) return { kind: "match", path: place.path, line: place.line };
    return SEPARATOR.test(head) ? CONTEXT : NOTE;
  });
}

interface Around {
  readonly paths: ReadonlySet<string | undefined>;
  readonly before: Place | undefined;
  readonly next: string;
  readonly isMatch: boolean;
}

/**
 * Where a context line stands. `a.ts-12-b:34:c` reads as a match in `a.ts-12-b`, too: it is context if its neighbour is
 * the line before or after it in `a.ts`.
 */
function contextPlace(head: string, { paths, before, next, isMatch }: Around): Place | undefined {
  let numbers = 0;
  for (const found of head.matchAll(CONTEXT_NUMBER)) {
    if (++numbers > MAX_NUMBERS) break;
    const path = head.slice(0, found.index);
    if (!paths.has(path)) continue;
    const line = Number(found[1]);
    const follows = before?.path === path && before.line + 1 === line;
    const isNeighbour = follows || new RegExp(`^[:=-]${line + 1}[:=-]`).test(afterPath(next, path));
    if (!isMatch || isNeighbour) return { path, line };
  }
  return undefined;
}

function afterPath(head: string, path: string): string {
  return head.startsWith(path) ? head.slice(path.length, path.length + 12) : "";
}

interface NumberedForm {
  readonly pattern: RegExp;
  readonly hasHeadings: boolean;
}

function readNumbered(heads: readonly string[], onlyPath: string, form: NumberedForm): MatchLine[] {
  const { pattern, hasHeadings } = form;
  let path = onlyPath;
  return heads.map((head, index) => {
    const found = pattern.exec(head);
    if (found !== null) return /[:\t]/.test(found[2] ?? "") ? { kind: "match", path, line: Number(found[1]) } : CONTEXT;
    if (SEPARATOR.test(head)) return CONTEXT;
    const isFirst = index === 0 || heads[index - 1] === "";
    if (!hasHeadings || !isFirst || !pattern.test(heads[index + 1] ?? "")) return NOTE;
    path = head.trimEnd();
    return { kind: "heading" };
  });
}

function readUnnumbered(heads: readonly string[], isPath: (path: string) => boolean): MatchLine[] {
  const paths = heads.map((head) =>
    MESSAGE.test(head) ? undefined : (readTimedPath(head)?.path ?? UNNUMBERED.exec(head)?.[1]),
  );
  const known = new Set(paths.filter((path) => path !== undefined && isPath(path)));
  return heads.map((head, index) => {
    const path = paths[index];
    if (SEPARATOR.test(head) || isContextOf(known, head)) return CONTEXT;
    return path !== undefined && known.has(path) ? { kind: "match", path, line: undefined } : NOTE;
  });
}

/** Keys and addresses look like `path:text` as well: only prefixes with a directory are taken for paths. */
function isGuessedPath(path: string): boolean {
  return /[\\/]/.test(path) && !/\s/.test(path);
}

/** Whether a line is `path-text` with the path of a match. */
function isContextOf(paths: ReadonlySet<string | undefined>, head: string): boolean {
  let at = head.indexOf("-");
  for (let tries = 0; at > 0 && tries < MAX_NUMBERS; tries++) {
    if (paths.has(head.slice(0, at))) return true;
    at = head.indexOf("-", at + 1);
  }
  return false;
}
