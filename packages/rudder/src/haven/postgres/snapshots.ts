// Every artefact of a haven for a server that is asked again and again: read once, then only what has changed since.
import type { Row } from "@jeeves/state";
import type { Artefact } from "../../artefact/artefact.ts";
import { toSnapshot } from "../index/artefact-index.ts";
import type { Snapshot } from "../store.ts";
import { noHaven, type Reading } from "./postgres-reader.ts";
import { toFields } from "./rows.ts";

const ALL = `SELECT h.seq, a.key, a.fields FROM jeeves_havens h
  LEFT JOIN jeeves_artefacts a ON a.haven = h.id AND a.state = 'live' WHERE h.id = $1 AND h.moved IS NULL`;

/** One row for each artefact that changed; one without a key where none did. `has_all`: no line of the feed is missing. */
const SINCE = `WITH fed AS (SELECT seq, keys FROM jeeves_changes WHERE haven = $1 AND seq > $2),
  changed AS (SELECT DISTINCT unnest(keys) AS key FROM fed)
  SELECT h.seq, (SELECT count(*) FROM fed) = h.seq - $2::bigint AS has_all, changed.key,
    CASE WHEN a.state = 'live' THEN a.fields END AS fields
  FROM jeeves_havens h LEFT JOIN changed ON true
  LEFT JOIN jeeves_artefacts a ON a.haven = h.id AND a.key = changed.key WHERE h.id = $1 AND h.moved IS NULL`;

/** A query for the snapshot of this moment. */
export function createSnapshots(reading: Reading): () => Promise<Snapshot> {
  const { connection, haven, digits } = reading;
  let known = new Map<string, Artefact>();
  let seq = -1;
  let last: Snapshot | undefined;
  let running: Promise<Snapshot> | undefined;
  let waiting: Promise<Snapshot> | undefined;

  async function refresh(): Promise<Snapshot> {
    const since = seq < 0 ? undefined : await connection.query({ name: "jeeves_since", text: SINCE }, [haven, seq]);
    const isKnown = since?.[0]?.has_all === true && Number(since[0].seq) >= seq;
    const rows: readonly Row[] = isKnown
      ? (since ?? [])
      : await connection.query({ name: "jeeves_all", text: ALL }, [haven]);
    const [first] = rows;
    if (first === undefined) throw noHaven(haven);
    if (!isKnown) known = new Map();
    let isSame = isKnown;
    for (const row of rows) {
      if (typeof row.key !== "string") continue;
      isSame = false;
      if (typeof row.fields === "string") known.set(row.key, toFields(row, digits));
      else known.delete(row.key);
    }
    seq = Number(first.seq);
    last = isSame && last !== undefined ? last : toSnapshot([...known.values()], []);
    return last;
  }

  // A caller sees what was changed before it asked: it may share the next look, not the one under way.
  return () => {
    if (running === undefined) {
      running = refresh().finally(() => {
        running = undefined;
      });
      return running;
    }
    waiting ??= running
      .catch(() => {})
      .then(() => {
        waiting = undefined;
        running = refresh().finally(() => {
          running = undefined;
        });
        return running;
      });
    return waiting;
  };
}
