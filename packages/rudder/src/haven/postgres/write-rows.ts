// How rows of a haven are written, many at a time; the statements hold for a change and for a move.
import type { Connection } from "@jeeves/state";
import type { Lease } from "../../lease/lease.ts";
import { RudderError } from "../../rudder-error.ts";
import { isArchivePath } from "../archive.ts";
import { toColumns, toLeaseColumn, toTextColumns } from "./rows.ts";

/** An artefact that is made. */
export interface NewRow {
  readonly key: string;
  readonly path: string;
  readonly data: string | Uint8Array;
}

/** A line that is appended. */
export interface NewLine {
  readonly task: string | null;
  readonly epic: string | null;
  readonly line: string;
}

/** The three columns of a lease. */
export function leaseColumns(
  lease: Lease | undefined,
  before: unknown,
): readonly [string | null, string | null, Date | null] {
  if (lease === undefined) return [null, null, null];
  return [toLeaseColumn(lease, before), lease.holder.name.replaceAll("\0", ""), new Date(lease.expiresAtMs)];
}

/** Takes the place of a removed one; an id that is there live or archived is refused. */
export async function insertArtefacts(connection: Connection, haven: string, rows: readonly NewRow[]): Promise<void> {
  const all = rows.map(({ key, path, data }) => {
    const { body, raw } = toTextColumns(data);
    const columns = toColumns(key, path, Buffer.from(data).toString("utf8"));
    return { key, path, body, raw, state: isArchivePath(path) ? "archived" : "live", ...columns };
  });
  const column = (name: keyof (typeof all)[number]): unknown[] => all.map((row) => row[name]);
  const made = await connection.query(
    {
      name: "jeeves_insert",
      text: `INSERT INTO jeeves_artefacts AS a (haven, key, path, body, raw, state, kind, number, fields, epic)
        SELECT $1, * FROM unnest(
          $2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[], $7::text[], $8::int[], $9::text[], $10::text[])
        ON CONFLICT (haven, key) DO UPDATE SET path = excluded.path, body = excluded.body, raw = excluded.raw,
          state = excluded.state, fields = excluded.fields, epic = excluded.epic, version = a.version + 1
        WHERE a.state = 'removed' RETURNING key`,
    },
    [haven, ...(["key", "path", "body", "raw", "state", "kind", "number", "fields", "epic"] as const).map(column)],
  );
  const there = new Set(made.map(({ key }) => key));
  const double = all.find(({ key }) => !there.has(key));
  if (double !== undefined) {
    throw new RudderError("duplicate_id", `${double.key} is there already`, {
      hint: "give one of them another id",
      details: { id: double.key, path: double.path },
    });
  }
  await putBlockers(connection, haven, all);
}

/** Appends lines, in their order. */
export async function insertLines(connection: Connection, haven: string, lines: readonly NewLine[]): Promise<void> {
  await connection.query(
    {
      name: "jeeves_lines",
      text: `INSERT INTO jeeves_log (haven, task, epic, line)
             SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[])`,
    },
    [haven, lines.map(({ task }) => task), lines.map(({ epic }) => epic), lines.map(({ line }) => line)],
  );
}

/** Who waits for whom, for queries that ask the other way round. */
export async function putBlockers(
  connection: Connection,
  haven: string,
  rows: readonly { readonly key: string; readonly blockers: readonly string[] }[],
): Promise<void> {
  const pairs = rows.flatMap(({ key, blockers }) => blockers.map((blocker) => ({ key, blocker })));
  await connection.query(
    { name: "jeeves_unwait", text: "DELETE FROM jeeves_waits WHERE haven = $1 AND waiter = ANY($2)" },
    [haven, rows.map(({ key }) => key)],
  );
  if (pairs.length === 0) return;
  await connection.query(
    {
      name: "jeeves_wait",
      text: `INSERT INTO jeeves_waits (haven, blocker, waiter) SELECT $1, * FROM unnest($2::text[], $3::text[])
             ON CONFLICT DO NOTHING`,
    },
    [haven, pairs.map(({ blocker }) => blocker), pairs.map(({ key }) => key)],
  );
}
