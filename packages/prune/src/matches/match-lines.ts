// What a search printed, read line by line: which lines are matches, and of which file and line. Reads the forms of
// ripgrep, grep, git grep, ag and ack: `path:line:text` with or without a column, `path-line-context`, `--` between
// groups, headings (the path on a line of its own, then `line:text`), `line:text` of a single file, and `path:text`
// without numbers. A text in any other form is not a match list.
import { type LineTable, lineAt, splitLines } from "../lines.ts";

export type MatchLine =
  /** `line` is undefined where the search printed no numbers. */
  | { readonly kind: "match"; readonly path: string; readonly line: number | undefined }
  /** The path above the matches of one file. */
  | { readonly kind: "heading" }
  /** Context, separators and blank lines. */
  | { readonly kind: "context" }
  /** The rest of a match whose path holds a line end: shown with the line before it, or not at all. */
  | { readonly kind: "continued" }
  /** A message of the search program itself, an unreadable file for example. */
  | { readonly kind: "note" };

export interface MatchLines {
  readonly table: LineTable;
  /** One entry for each line of the table. */
  readonly entries: readonly MatchLine[];
  /** What one entry stands for: `files` for the output of `-l` and `-c`. */
  readonly unit: "matches" | "files";
}

/** A path and its numbers stand at the beginning of a line; Linux allows paths of 4,096 bytes. */
const HEAD_CHARS = 4_200;
const PATHED = /^(?!\d+:)(.+?):(\d{1,9}):/;
const NUMBERED = /^(\d{1,9})([:=-])/;
const AFTER_PATH = /[-=](\d{1,9})[-=]/g;
const SEPARATOR = /^-*$/;
const UNNUMBERED = /^((?:[A-Za-z]:[\\/])?[^\s:]+):/;
/** A line of `-1-1-1-1` is not looked through to its end. */
const MAX_NUMBERS = 50;
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[mK]`, "g");
const CONTEXT: MatchLine = { kind: "context" };
const NOTE: MatchLine = { kind: "note" };
/** `rg --stats` prints eight lines of notes. */
const MAX_NOTES = 12;
const MAX_NOTE_SHARE = 0.05;

export interface ParseOptions {
  /** The file that was searched, where the matches do not name it. */
  readonly onlyPath?: string;
}

/** Returns undefined if the text is not a list of matches. */
export function parseMatchLines(text: string, { onlyPath = "" }: ParseOptions = {}): MatchLines | undefined {
  const table = splitLines(text);
  const heads = Array.from({ length: table.count }, (_, index) => headOf(lineAt(table, index)));
  const entries = readEntries(heads, onlyPath);
  const count = (kind: MatchLine["kind"]) => entries.filter((entry) => entry.kind === kind).length;
  if (count("match") === 0 || count("note") > Math.max(MAX_NOTES, heads.length * MAX_NOTE_SHARE)) return undefined;
  return { table, entries, unit: "matches" };
}

/** Reads the output of `-l` and `-c`: every line is a file. */
export function parseFileLines(text: string): MatchLines {
  const table = splitLines(text);
  const entries = Array.from({ length: table.count }, (_, index): MatchLine => {
    const path = lineAt(table, index);
    return path === "" ? CONTEXT : { kind: "match", path, line: undefined };
  });
  return { table, entries, unit: "files" };
}

function headOf(line: string): string {
  const head = line.slice(0, HEAD_CHARS);
  return head.includes("\u001b") ? head.replace(COLOUR, "") : head;
}

function readEntries(heads: readonly string[], onlyPath: string): MatchLine[] {
  let pathed = 0;
  let numbered = 0;
  for (const head of heads) {
    if (PATHED.test(head)) pathed++;
    else if (/^\d{1,9}:/.test(head)) numbered++;
  }
  if (numbered > pathed) return readNumbered(heads, onlyPath);
  return pathed > 0 ? readPathed(heads) : readUnnumbered(heads);
}

interface Place {
  readonly path: string;
  readonly line: number;
}

function readPathed(heads: readonly string[]): MatchLine[] {
  const places = heads.map((head): Place | undefined => {
    const found = PATHED.exec(head);
    return found === null ? undefined : { path: found[1] ?? "", line: Number(found[2]) };
  });
  const paths = new Set(places.map((place) => place?.path));
  let before: Place | undefined;
  return heads.map((head, index) => {
    const place = places[index];
    const context = contextPlace(head, { paths, before, next: heads[index + 1] ?? "", isMatch: place !== undefined });
    before = context ?? place;
    if (context !== undefined) return CONTEXT;
    if (place !== undefined) return { kind: "match", ...place };
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
  for (const found of head.matchAll(AFTER_PATH)) {
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

function readNumbered(heads: readonly string[], onlyPath: string): MatchLine[] {
  let path = onlyPath;
  return heads.map((head, index) => {
    const found = NUMBERED.exec(head);
    if (found !== null) return found[2] === ":" ? { kind: "match", path, line: Number(found[1]) } : CONTEXT;
    if (SEPARATOR.test(head)) return CONTEXT;
    const isFirst = index === 0 || heads[index - 1] === "";
    if (!isFirst || !NUMBERED.test(heads[index + 1] ?? "")) return NOTE;
    path = head.trimEnd();
    return { kind: "heading" };
  });
}

/** Keys and addresses look like `path:text` as well: only prefixes with a directory are taken for paths. */
function readUnnumbered(heads: readonly string[]): MatchLine[] {
  return heads.map((head) => {
    const path = UNNUMBERED.exec(head)?.[1];
    if (path !== undefined && /[\\/]/.test(path)) return { kind: "match", path, line: undefined };
    return SEPARATOR.test(head) ? CONTEXT : NOTE;
  });
}
