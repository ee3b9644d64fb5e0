// Matches as lines, and lines back as matches (J-59, J-62, X-11): `path:line:column:text`, the column left out where
// there is none.
import { shownName } from "@jeeves/base";
import type { MatchLine } from "@jeeves/cut";
import type { Match } from "@jeeves/workspace";

const ELISION = /^\s*(?:\(filtered \d+ lines?\)|⟦.*⟧)\s*$/;
const WITH_COLUMN = /^(.+?):(\d+):(\d+):(.*)$/s;
const WITHOUT_COLUMN = /^(.+?):(\d+):(.*)$/s;

/** One line: a path that could break it, or steer a terminal, is escaped. */
export function renderMatch(match: Match): string {
  const column = match.column === null ? "" : `${match.column}:`;
  return `${shownName(match.path)}:${match.line}:${column}${match.text}`;
}

/** What each line of the rendered matches stands for. */
export function toEntries(matches: readonly Match[]): MatchLine[] {
  return matches.map(({ path, line, context }) =>
    context === true ? { kind: "context" } : { kind: "match", path, line },
  );
}

/** Lines that are one of the originals are that original; then the line rules; undefined where a line is neither. */
export function parseMatches(text: string, originals: readonly Match[]): Match[] | undefined {
  const known = new Map(originals.map((match) => [renderMatch(match), match]));
  const matches: Match[] = [];
  for (const line of text.split("\n")) {
    const original = known.get(line);
    if (original === undefined && (line === "" || ELISION.test(line))) continue;
    const match = original ?? parseLine(line);
    if (match === undefined) return undefined;
    matches.push(match);
  }
  return matches;
}

function parseLine(line: string): Match | undefined {
  const full = WITH_COLUMN.exec(line);
  if (full !== null) {
    const [, path = "", number = "", column = "", text = ""] = full;
    return { path, line: Number(number), column: Number(column), text };
  }
  const short = WITHOUT_COLUMN.exec(line);
  if (short === null) return undefined;
  const [, path = "", number = "", text = ""] = short;
  return { path, line: Number(number), column: null, text };
}
