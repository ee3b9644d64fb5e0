// Parses the output of system grep (J-47). The path ends in NUL, because `a:1:b:2:text` and `path-12-text` are ambiguous;
// where grep has no such option, `path:line:text` is split at the first two colons.

import type { Match } from "./match.ts";
import { countCodePoints, type Finding, toShownPath } from "./rg-events.ts";

interface GrepPattern {
  readonly pattern: string;
  readonly fixedString: boolean;
  readonly caseSensitive: boolean;
}

/**
 * Takes a line as Latin-1, one character for each byte, because names and texts may not be UTF-8. Undefined for lines that
 * are no match: "Binary file … matches", the `--` between groups.
 */
export function parseGrepLine(
  line: string,
  options: GrepPattern & { readonly nulAfterPath?: false },
): Finding | undefined {
  const parts = (options.nulAfterPath === false ? /^([^:]+):(\d+)(:)(.*)$/s : /^([^\0]+)\0(\d+)([:-])(.*)$/s).exec(
    line,
  );
  if (parts === null) return undefined;
  const [, rawPath = "", number = "", separator = "", rawText = ""] = parts;
  const [pathBytes, bytes] = [Buffer.from(rawPath, "latin1"), Buffer.from(rawText, "latin1")];
  const [path, text] = [toShownPath(pathBytes.toString("utf8")), bytes.toString("utf8")];
  const found = { path: pathBytes, shownPath: path, bytes, line: Number(number) };
  const match = { path, line: Number(number), text };
  return separator === "-"
    ? { match: { ...match, column: null, context: true }, found }
    : { match: { ...match, column: columnOf(text, options) }, found };
}

function columnOf(text: string, { pattern, fixedString, caseSensitive }: GrepPattern): number | null {
  if (!fixedString) return null;
  const [haystack, needle] = caseSensitive ? [text, pattern] : [text.toLowerCase(), pattern.toLowerCase()];
  const index = haystack.indexOf(needle);
  return index < 0 ? null : countCodePoints(haystack.slice(0, index)) + 1;
}

/** Sorts by path, in UTF-16 order, then by line. */
export function compareMatches(a: Match, b: Match): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line;
}
