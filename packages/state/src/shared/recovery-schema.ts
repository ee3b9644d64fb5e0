// The tables of the shared recovery store. A text is kept once, whatever it was cut for: `jeeves_texts` by its digest,
// `jeeves_cuts` by the id that is shown.
import type { Schema } from "../database/migrate.ts";

/** The store's size is the sum of so many rows: with a single row all writers would wait for each other. */
const USAGE_SLOTS = 32;
/** Sweeps count in the last row, so that no writer waits for them; the first one holds the time of the last sweep. */
export const SWEEP_SLOT = USAGE_SLOTS - 1;

/** The number of a row for a writer to count in. */
export function anyUsageSlot(): number {
  return 1 + Math.floor(Math.random() * (USAGE_SLOTS - 2));
}

/** The tables of the shared recovery store. */
export const RECOVERY_SCHEMA: Schema = {
  part: "recovery",
  migrations: [
    `CREATE TABLE jeeves_texts (
       sha256 bytea PRIMARY KEY,
       encoding text NOT NULL,
       compression text NOT NULL,
       bytes bigint NOT NULL,
       data bytea NOT NULL
     );
     CREATE TABLE jeeves_cuts (
       prune_id text PRIMARY KEY,
       sha256 bytea NOT NULL REFERENCES jeeves_texts (sha256),
       stored_at timestamptz NOT NULL,
       put_at timestamptz NOT NULL,
       expires_at timestamptz NOT NULL,
       is_open boolean NOT NULL,
       source text,
       projects text[] NOT NULL,
       cut text
     );
     CREATE INDEX jeeves_cuts_text ON jeeves_cuts (sha256);
     CREATE INDEX jeeves_cuts_expiry ON jeeves_cuts (expires_at);
     CREATE INDEX jeeves_cuts_age ON jeeves_cuts (is_open DESC, put_at);
     CREATE TABLE jeeves_usage (
       slot integer PRIMARY KEY,
       bytes bigint NOT NULL,
       swept_at timestamptz NOT NULL
     );
     INSERT INTO jeeves_usage (slot, bytes, swept_at)
       SELECT slot, 0, clock_timestamp() FROM generate_series(0, ${USAGE_SLOTS - 1}) AS slot`,
  ],
};
