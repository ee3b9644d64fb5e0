// Outlines of search results, path:line:column:text: the lines of one file are one group. A group has no header line; every
// line names its file.
import { finishOutline, type Outline, type Scope } from "../outline/outline.ts";
import { type LineTable, lineAt } from "../text/lines.ts";

const MATCH_LINE = /^(?:[A-Za-z]:)?[^\s:][^:\n]*[:-]\d+[:-](?:\d+[:-])?/;

/** The outline of a match list. */
export function segmentMatches(table: LineTable): Outline {
  const scopes: Omit<Scope, "parent">[] = [];
  let from = 0;
  let path: string | undefined;
  for (let i = 0; i <= table.count; i++) {
    const own = i < table.count ? pathOf(lineAt(table, i)) : undefined;
    if (i < table.count && own === path) continue;
    if (path !== undefined)
      scopes.push({ kind: "group", name: path, lead: from, start: from, headerEnd: from - 1, end: i - 1, closer: i });
    from = i;
    path = own;
  }
  return finishOutline(table, scopes, []);
}

function pathOf(line: string): string | undefined {
  const head = MATCH_LINE.exec(line.slice(0, 1000))?.[0];
  return head?.replace(/[:-]\d+[:-](?:\d+[:-])?$/, "");
}
