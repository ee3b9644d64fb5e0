// What a search found, for programs and in words.
import type { SearchResult } from "../../tasks/search.ts";
import type { Answer } from "../answer.ts";
import { type TableOptions, toTable } from "../table.ts";

const MAX_TEXT = 400;

/** One row per place. */
export function searchAnswer({ hits, total }: SearchResult, options: TableOptions): Answer {
  const rows = hits.map((hit) => [
    hit.id,
    `${hit.place}:${hit.line}${hit.isArchived ? " (archived)" : ""}`,
    hit.text.slice(0, MAX_TEXT),
  ]);
  const table = toTable(["ID", "PLACE", "TEXT"], rows, options) || "nothing has all of these words";
  const rest = total - hits.length;
  return {
    json: hits.map(({ id, place, line, text, isArchived }) => ({ id, place, line, text, archived: isArchived })),
    text: rest > 0 ? `${table}\n… ${rest} more: --limit ${total}` : table,
  };
}
