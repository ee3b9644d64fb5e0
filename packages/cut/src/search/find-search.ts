// Whether a text is the output of a search, whole or in part. The look of the lines decides; the call, the command
// that printed them and the name of a file are hints.
import { findMatches, type LineTable, type MatchLines, parseMatchLines, parseTextLines } from "@jeeves/prune";
import type { CutRequest } from "../cut-request.ts";
import { asksForAll } from "./asks-for-all.ts";
import { isMixed, readSearch, type Search } from "./read-search.ts";
import { parseSearchCommand, printedFile } from "./search-command.ts";

type SearchHints = Pick<CutRequest, "search" | "command" | "policy" | "kind" | "what">;

/** The matches in a text; undefined where it is not the output of a search. */
export function findSearch(table: LineTable, hints: SearchHints, focus: string): Search | undefined {
  const { search, command, policy, kind, what = "" } = hints;
  if (search !== undefined) return search(focus);
  if (command !== undefined) return findInCommand(table, command, focus);
  // A person who names the kind gets the text cut as that kind.
  if (policy.isOrder && kind !== undefined) return undefined;
  const lines = findMatches(table);
  // A page or a source may show a few matches.
  return lines === undefined || isMixed(lines) ? undefined : toSearch(lines, focus, what);
}

/** Whether a call does nothing but search, so that the order of its lines may vary. */
export function isSearch({ search, command }: Pick<CutRequest, "search" | "command">): boolean {
  if (search !== undefined || command === undefined) return search !== undefined;
  const searched = parseSearchCommand(command);
  return searched !== undefined && searched.isAmong !== true;
}

function findInCommand(table: LineTable, command: string, focus: string): Search | undefined {
  const searched = parseSearchCommand(command);
  if (searched !== undefined && searched.isAmong !== true)
    return readSearch(table.text, { ...searched, focus, searched: command });
  const known = searched === undefined ? undefined : parseMatchLines(table.text);
  const lines = known ?? findMatches(table, { isSearch: searched !== undefined });
  if (lines !== undefined)
    return isMixed(lines) && printedFile(command) !== undefined ? undefined : toSearch(lines, focus, command);
  return searched?.isUnnamed === true ? { lines: parseTextLines(table.text), asksForAll: true } : undefined;
}

function toSearch(lines: MatchLines, focus: string, searched: string): Search {
  return { lines, asksForAll: asksForAll(focus, searched), isMixed: isMixed(lines) };
}
