// What was archived or brought back, for programs and in words.
import type { Archived } from "../../tasks/archive/archive.ts";
import type { Restored } from "../../tasks/archive/restore.ts";
import type { Answer } from "../answer.ts";
import { type TableOptions, toTable } from "../table.ts";

/** What goes, and what stays. */
export function archivedAnswer({ isApplied, archived, kept }: Archived, options: TableOptions): Answer {
  const rows = archived.map((one) => [one.id, one.status, one.title]);
  const table = toTable(["ID", "STATUS", "TITLE"], rows, options);
  const end = isApplied
    ? `${archived.length} archived`
    : `${archived.length} to archive; nothing was moved: --apply moves them`;
  return {
    json: { applied: isApplied, archived, kept },
    text: archived.length === 0 ? "nothing to archive" : `${table}\n\n${end}`,
    notes: kept.map(({ id, reason }) => `${id} stays: ${reason}`),
  };
}

/** What came back. */
export function restoredAnswer({ id, restored }: Restored): Answer {
  return { json: { id, restored }, text: `${restored.join(", ")}  restored` };
}
