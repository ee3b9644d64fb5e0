// The feed of a haven in the database, bounded; and what ends with a bare connection, which is in no feed.
import type { Database } from "@jeeves/state";
import { toIso } from "../../iso-time.ts";
import type { Change } from "../store.ts";
import { noHaven } from "./postgres-reader.ts";
import { toLeftColumn } from "./rows.ts";

/** More at once would be more than any reader wants. */
const MAX_CHANGES = 10_000;
/** Lines of the feed that are kept. */
const KEPT_CHANGES = 200_000;
const TRIM_EVERY = 1_000;

const FEED = `SELECT h.seq AS last, c.seq, c.at, c.event, c.task, c.by_name FROM jeeves_havens h
  LEFT JOIN LATERAL (
    SELECT * FROM jeeves_changes WHERE haven = h.id AND seq > $2 ORDER BY seq DESC LIMIT $3
  ) c ON true WHERE h.id = $1 AND h.moved IS NULL ORDER BY c.seq DESC`;

/** Changes after a number, in their order. */
export async function readChanges(
  database: Database,
  { id, seq }: { readonly id: string; readonly seq: number },
): Promise<{ readonly changes: readonly Change[]; readonly last: number; readonly isComplete: boolean }> {
  const rows = await database.query({ name: "jeeves_feed", text: FEED }, [id, seq, MAX_CHANGES]);
  if (rows.length === 0) throw noHaven(id);
  const last = Number(rows[0]?.last);
  const changes: Change[] = rows
    .filter((row) => row.seq !== null)
    .map((row) => ({
      seq: Number(row.seq),
      at: toIso((row.at as Date).getTime()),
      event: String(row.event),
      id: String(row.task),
      by: String(row.by_name),
    }))
    .reverse();
  return { changes, last, isComplete: seq >= last || changes[0]?.seq === seq + 1 };
}

/** Removes old lines and outcomes now and then: best effort, and after the change that it follows. */
export function trimFeed(database: Database, id: string, seq: number): void {
  if (seq % TRIM_EVERY !== 0) return;
  void database
    .query("DELETE FROM jeeves_changes WHERE haven = $1 AND seq < $2", [id, seq - KEPT_CHANGES])
    .then(() => database.query("DELETE FROM jeeves_operations WHERE at < clock_timestamp() - interval '2 days'"))
    .catch(() => {});
}

/** What a bare connection holds is open to all from now on. */
export async function noteLeft(
  database: Database,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  await database.transaction(async (connection) => {
    const own = await connection.query(
      `SELECT key, lease FROM jeeves_artefacts WHERE haven = $1 AND lease IS NOT NULL AND holder = $2
       ORDER BY key FOR UPDATE`,
      [id, name],
    );
    for (const { key, lease } of own) {
      const text = "UPDATE jeeves_artefacts SET version = version + 1, lease = $3 WHERE haven = $1 AND key = $2";
      await connection.query(text, [id, key, toLeftColumn(lease)]);
    }
  });
}
