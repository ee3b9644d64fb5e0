// Makes room in the shared recovery store: what has expired, and the oldest where there is too much. In small
// transactions, so that no writer waits long, and by one process of all machines at a time.
import { type Database, retrying } from "../database/database.ts";
import { SWEEP_SLOT } from "./recovery-schema.ts";
import {
  BATCH,
  LOCK_ORPHANS,
  REMOVE_EXPIRED,
  REMOVE_ORPHANS,
  removeOldest,
  TAKE_TURN,
  USED,
} from "./recovery-statements.ts";

const SMALL_BATCH = 20;
const TURN_S = 300;
const WAIT_MS = 5_000;

/** Removes every expired entry, if a sweep is due; returns how many. */
export async function sweepIfDue(database: Database): Promise<number> {
  const [turn] = await database.query(TAKE_TURN, [TURN_S]);
  return turn === undefined ? 0 : sweepExpired(database);
}

/** Removes every entry that has expired by the database's clock, or by `now` in tests; returns how many. */
export async function sweepExpired(database: Database, now: Date | null = null): Promise<number> {
  for (let count = 0; ; ) {
    const removed = await removeBatch(database, REMOVE_EXPIRED, [now]);
    count += removed;
    if (removed < BATCH) return count;
  }
}

/** Removes expired entries, then the oldest until the texts are within the limit; never `keep`. */
export async function makeRoom(
  database: Database,
  limits: { readonly maxBytes: number; readonly keep: string; readonly now: Date | null },
): Promise<void> {
  await sweepExpired(database, limits.now);
  for (;;) {
    const [used] = await database.query(USED);
    const over = Number(used?.bytes ?? 0) - limits.maxBytes;
    if (over <= 0) return;
    // One by one near the limit, so that no more is removed than needed.
    const batch = over > limits.maxBytes / 10 ? SMALL_BATCH : 1;
    if ((await removeBatch(database, removeOldest(batch), [limits.keep])) === 0) return;
  }
}

async function removeBatch(
  database: Database,
  statement: typeof REMOVE_EXPIRED,
  values: readonly unknown[],
): Promise<number> {
  return retrying(
    () =>
      database.transaction(async (connection) => {
        const removed = await connection.query(statement, values);
        const digests = [...new Map(removed.map(({ sha256 }) => [String(sha256), sha256])).values()];
        if (digests.length === 0) return removed.length;
        const orphans = await connection.query(LOCK_ORPHANS, [digests]);
        if (orphans.length === 0) return removed.length;
        await connection.query(REMOVE_ORPHANS, [orphans.map(({ sha256 }) => sha256), SWEEP_SLOT]);
        return removed.length;
      }),
    { waitMs: WAIT_MS },
  );
}
