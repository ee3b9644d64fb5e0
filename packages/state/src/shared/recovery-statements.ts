// The statements of the shared recovery store. `$…::timestamptz` replaces the clock in tests: where it is null
// the database's clock counts, never that of a client machine.
import type { Statement } from "../database/database.ts";

const now = (parameter: string): string => `coalesce(${parameter}::timestamptz, clock_timestamp())`;

/** More names than the checkouts of any project have; beyond it the oldest are dropped. */
const MAX_PROJECTS = 3_000;

/** Moves the expiry of a live entry with this very text, and adds its project; no row where there is none. */
export const REFRESH: Statement = {
  name: "jeeves_refresh",
  text: `UPDATE jeeves_cuts AS c SET
      put_at = ${now("$3")},
      expires_at = greatest(c.expires_at, ${now("$3")} + $4 * interval '1 second'),
      projects = ${joined("c.projects", "$5::text[]")},
      is_open = c.is_open AND cardinality($5::text[]) = 0
    WHERE prune_id = $1 AND sha256 = $2 AND expires_at > ${now("$3")}
    RETURNING prune_id`,
};

/**
 * Puts a text and its entry in one statement. Returns the digest that the id has afterwards: another one than the text's
 * where the id names another text that is still live.
 */
export const PUT: Statement = {
  name: "jeeves_put",
  text: `WITH moment AS (SELECT ${now("$6")} AS at),
    text AS (
      INSERT INTO jeeves_texts (sha256, encoding, compression, bytes, data) VALUES ($2, $10, $11, $12, $13)
      ON CONFLICT (sha256) DO NOTHING RETURNING bytes
    ),
    used AS (
      UPDATE jeeves_usage SET bytes = jeeves_usage.bytes + text.bytes FROM text WHERE slot = $14 RETURNING slot
    )
    INSERT INTO jeeves_cuts AS c (prune_id, sha256, stored_at, put_at, expires_at, is_open, source, projects, cut)
    SELECT $1, $2, at, at, at + $3 * interval '1 second', $4, $5, $7::text[], $8 FROM moment
    ON CONFLICT (prune_id) DO UPDATE SET
      sha256 = CASE WHEN c.expires_at <= excluded.put_at THEN excluded.sha256 ELSE c.sha256 END,
      stored_at = CASE WHEN c.expires_at <= excluded.put_at THEN excluded.stored_at ELSE c.stored_at END,
      put_at = excluded.put_at,
      expires_at = CASE WHEN c.expires_at <= excluded.put_at THEN excluded.expires_at
        ELSE greatest(c.expires_at, excluded.expires_at) END,
      is_open = CASE WHEN c.expires_at <= excluded.put_at THEN excluded.is_open
        ELSE c.is_open AND cardinality(excluded.projects) = 0 END,
      source = CASE WHEN c.expires_at <= excluded.put_at THEN excluded.source ELSE c.source END,
      projects = CASE WHEN c.expires_at <= excluded.put_at THEN excluded.projects
        ELSE ${joined("c.projects", "excluded.projects")} END,
      cut = CASE WHEN c.expires_at <= excluded.put_at THEN excluded.cut ELSE c.cut END
    RETURNING sha256, (SELECT sum(bytes) FROM jeeves_usage) > $9::bigint - $12::bigint AS is_full`,
};

/** One text with everything that is kept beside it. */
export const GET: Statement = {
  name: "jeeves_get",
  text: `SELECT c.stored_at, c.source, c.projects, c.cut, t.sha256, t.encoding, t.compression, t.bytes, t.data
    FROM jeeves_cuts c JOIN jeeves_texts t USING (sha256)
    WHERE c.prune_id = $1 AND c.expires_at > ${now("$2")}`,
};

/** Adds the record of a cut where there is none. */
export const DESCRIBE: Statement = {
  name: "jeeves_describe",
  text: "UPDATE jeeves_cuts SET cut = $2 WHERE prune_id = $1 AND cut IS NULL",
};

/** Claims the next sweep: one process of all machines gets a row, once in so many seconds. */
export const TAKE_TURN: Statement = {
  name: "jeeves_turn",
  text: `UPDATE jeeves_usage SET swept_at = clock_timestamp()
    WHERE slot = 0 AND swept_at < clock_timestamp() - $1 * interval '1 second' RETURNING slot`,
};

/** Entries per transaction. It is part of the statement: for a parameter the planner expects a tenth of all rows. */
export const BATCH = 500;

/** Removes expired entries; rows that a writer has locked are left for the next time. */
export const REMOVE_EXPIRED: Statement = {
  name: "jeeves_expired",
  text: `DELETE FROM jeeves_cuts WHERE prune_id IN (
      SELECT prune_id FROM jeeves_cuts WHERE expires_at <= ${now("$1")}
      ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ) RETURNING sha256`,
};

/** texts of an open door first, then the oldest; never the one that was just put. */
export const removeOldest = (count: number): Statement => ({
  name: `jeeves_oldest_${count}`,
  text: `DELETE FROM jeeves_cuts WHERE prune_id IN (
      SELECT prune_id FROM jeeves_cuts WHERE prune_id <> $1
      ORDER BY is_open DESC, put_at LIMIT ${count} FOR UPDATE SKIP LOCKED
    ) RETURNING sha256`,
});

/** Locks texts that no entry names any more; REMOVE_ORPHANS checks that again, for entries that came meanwhile. */
export const LOCK_ORPHANS: Statement = {
  name: "jeeves_orphans",
  text: `SELECT t.sha256 FROM jeeves_texts t WHERE t.sha256 = ANY($1)
    AND NOT EXISTS (SELECT 1 FROM jeeves_cuts c WHERE c.sha256 = t.sha256)
    ORDER BY t.sha256 FOR UPDATE SKIP LOCKED`,
};

/** Removes texts that still have no entry, and subtracts their size in a row of the usage. */
export const REMOVE_ORPHANS: Statement = {
  name: "jeeves_remove_orphans",
  text: `WITH gone AS (
      DELETE FROM jeeves_texts t WHERE t.sha256 = ANY($1)
      AND NOT EXISTS (SELECT 1 FROM jeeves_cuts c WHERE c.sha256 = t.sha256) RETURNING t.bytes
    )
    UPDATE jeeves_usage SET bytes = bytes - (SELECT coalesce(sum(gone.bytes), 0) FROM gone)
    WHERE slot = $2`,
};

/** How many bytes of text there are. */
export const USED: Statement = {
  name: "jeeves_used",
  text: "SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM jeeves_usage",
};

/** An array with what another one adds to it, in the order of coming, bounded. */
function joined(own: string, more: string): string {
  const all = `(${own} || ARRAY(SELECT one FROM unnest(${more}) AS one WHERE one <> ALL (${own})))`;
  return `${all}[greatest(1, cardinality${all} - ${MAX_PROJECTS - 1}):]`;
}
