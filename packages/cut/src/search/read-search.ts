// The output of a search, read once for all that is decided about it.
import {
  findMatches,
  type MatchLine,
  type MatchLines,
  parseFileLines,
  parseJsonMatches,
  parseMatchLines,
  parseTextLines,
  splitLines,
  withoutColours,
} from "@jeeves/prune";
import { asksForAll } from "./asks-for-all.ts";
import type { SearchCommand } from "./search-command.ts";

/** A search's output as it was read, and how it is to be shown. */
export interface Search {
  readonly lines: MatchLines;
  /** Nothing is ranked: the first matches are kept, and the others listed. */
  readonly asksForAll: boolean;
  /** Other programs printed some of the lines. */
  readonly isMixed?: boolean;
}

/** A search: what its lines look like, as far as the call tells, and what it was for. */
export interface SearchCall extends Partial<SearchCommand> {
  /** What the reader wants to know. */
  readonly focus: string;
  /** The pattern, or the command. */
  readonly searched: string;
  /** The call itself asks for all matches. */
  readonly asksForAll?: boolean;
}

/** Share of lines that begin with a searched path before all of them are taken to begin with one. */
const MIN_PATHED_SHARE = 0.5;
const MAX_LOOKED_AT = 2_000;
const MAX_PATH_CHARS = 4_200;
/** Separators, and messages of the search program. */
const NO_MATCH = /^(?:-*$|(?:[ef]?grep|rg): |Binary file )/;

/**
 * Reads the output of a search. Where its lines have no known form they count as plain lines, of which the first ones are
 * shown where the client has less room.
 */
export function readSearch(text: string, call: SearchCall): Search {
  if (call.prints === "files" || call.prints === "paths")
    return { lines: parseFileLines(text, call.prints, { isBare: call.isBare === true }), asksForAll: true };
  // A pipe may have changed the lines: those that still name their places are matches.
  const lines = (call.prints === "text" ? undefined : parseMatches(text, call)) ?? findList(text);
  if (lines === undefined) return { lines: parseTextLines(text), asksForAll: true };
  return { lines, asksForAll: call.asksForAll === true || asksForAll(call.focus, call.searched) };
}

function findList(text: string): MatchLines | undefined {
  const lines = findMatches(splitLines(text), { isSearch: true });
  return lines === undefined || isMixed(lines) ? undefined : lines;
}

/** Whether other programs printed some of the lines. */
export function isMixed({ entries }: MatchLines): boolean {
  return entries.some(({ kind }) => kind === "other");
}

/** A search whose lines are already known: `entries` has one for each line of the text. */
export function toSearch(
  text: string,
  entries: readonly MatchLine[],
  { focus, searched }: Pick<SearchCall, "focus" | "searched">,
): Search {
  return { lines: { table: splitLines(text), entries, unit: "matches" }, asksForAll: asksForAll(focus, searched) };
}

function parseMatches(text: string, call: SearchCall): MatchLines | undefined {
  const { numbers, paths = "guess", onlyPath, targets = [], extras, repeats } = call;
  if (call.isJson === true) return parseJsonMatches(text);
  const only = onlyPath === undefined ? {} : { onlyPath };
  if (numbers === undefined || (paths === "guess" && targets.length === 0)) return parseMatchLines(text, only);
  const hasPaths = paths === "guess" ? beginsWith(text, targets) : paths;
  const more = { ...(extras === undefined ? {} : { extras }), ...(repeats === undefined ? {} : { repeats }) };
  return parseMatchLines(text, { ...(hasPaths ? {} : only), form: { paths: hasPaths, numbers, ...more } });
}

/** Whether the lines begin with the files and directories that were searched: of a single file they do not. */
function beginsWith(text: string, targets: readonly string[]): boolean {
  const start = new RegExp(`^(?:${targets.map(toPattern).join("|")})[/:=-]`);
  const lines = text
    .split("\n", MAX_LOOKED_AT)
    .map((line) => withoutColours(line.slice(0, MAX_PATH_CHARS)))
    .filter((line) => !NO_MATCH.test(line));
  return lines.filter((line) => start.test(line)).length >= lines.length * MIN_PATHED_SHARE;
}

/** A pattern for a path; a glob stands for anything from its first wildcard to its last. */
function toPattern(target: string): string {
  const [, before = "", glob, after = ""] =
    /^([^*?[{]*)(?:([*?[{].*[*?\]}]|[*?[{])(.*))?$/s.exec(target.replace(/\/+$/, "")) ?? [];
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return `${literal(before)}${glob === undefined ? "" : "[^:]*"}${literal(after)}`;
}
