// The output of a search, read once for all that is decided about it.
import { type MatchLines, parseFileLines, parseMatchLines } from "@jeeves/prune";
import { asksForAll } from "./asks-for-all.ts";

/** A search's output as it was read, and how it is to be shown. */
export interface Search {
  readonly lines: MatchLines;
  /** Nothing is ranked: the first matches are kept, and the others listed. */
  readonly asksForAll: boolean;
}

export interface SearchCall {
  /** What the reader wants to know. */
  readonly focus: string;
  /** The pattern, or the command. */
  readonly searched: string;
  /** The call itself asks for all matches. */
  readonly asksForAll?: boolean;
  /** The call asks for the names of files (`-l`, `-c`). */
  readonly listsFiles?: boolean;
  /** The one file that was searched, where matches do not name it. */
  readonly onlyPath?: string | undefined;
}

/** Returns undefined for a text that cannot be read as matches. */
export function readSearch(text: string, call: SearchCall): Search | undefined {
  if (call.listsFiles === true) return { lines: parseFileLines(text), asksForAll: true };
  const lines = parseMatchLines(text, call.onlyPath === undefined ? {} : { onlyPath: call.onlyPath });
  if (lines === undefined) return undefined;
  return { lines, asksForAll: call.asksForAll === true || asksForAll(call.focus, call.searched) };
}
