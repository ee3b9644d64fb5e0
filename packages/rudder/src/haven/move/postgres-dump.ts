// A haven in the database as a dump, and back. Both in a transaction that holds the haven's row.
import { hostname } from "node:os";
import type { Connection, Row } from "@jeeves/state";
import type { KINDS } from "../../ids.ts";
import { toIso } from "../../iso-time.ts";
import { toLease, toRun } from "../files/run-file.ts";
import type { Instant } from "../instant.ts";
import { insertAgent, toAgent } from "../postgres/agents.ts";
import { bytesOf, readLease, toAssignment, toLost, toTextColumns } from "../postgres/rows.ts";
import { insertArtefacts, leaseColumns } from "../postgres/write-rows.ts";
import type { StoredAgent } from "../store.ts";
import type { DumpedTask, HavenDump } from "./haven-dump.ts";

const BATCH = 1_000;

/** Reads everything; leases as runs of this machine's clock. */
export async function readPostgresDump(connection: Connection, id: string, now: Instant): Promise<HavenDump> {
  const all = (text: string): Promise<readonly Row[]> => connection.query(text, [id]);
  const [haven] = await all(
    "SELECT *, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms FROM jeeves_havens WHERE id = $1",
  );
  const skewMs = now.wallMs - Math.floor(Number(haven?.now_ms));
  const rows = await all("SELECT * FROM jeeves_artefacts WHERE haven = $1 ORDER BY kind, number");
  const pages = await all("SELECT key, body, raw FROM jeeves_pages WHERE haven = $1 ORDER BY key");
  const lines = await all(
    `SELECT task, epic, line FROM jeeves_log WHERE haven = $1
     ORDER BY epic IS NULL, coalesce(epic_position, position), position`,
  );
  const changes = await all("SELECT seq, at, detail FROM jeeves_changes WHERE haven = $1 ORDER BY seq");
  const operations = await all("SELECT id, call, at, value FROM jeeves_operations WHERE haven = $1 ORDER BY at");
  const agents = await all("SELECT task, host, record FROM jeeves_agents WHERE haven = $1");
  const highest = (kind: (typeof KINDS)[number]): number =>
    rows.reduce(
      (most, row) => (row.kind === kind ? Math.max(most, Number(row.number)) : most),
      Number(haven?.[kind] ?? 0),
    );
  return {
    artefacts: rows
      .filter(({ state }) => state !== "removed")
      .map((row) => ({ key: String(row.key), path: String(row.path), bytes: bytesOf(row) })),
    tasks: rows.filter(({ kind }) => kind === "task").flatMap((row) => toTask(row, { now, skewMs })),
    pages: pages.map((row) => ({ key: String(row.key), bytes: bytesOf(row) })),
    lines: lines.map(({ task, epic, line }) => ({ task: textOr(task), epic: textOr(epic), line: String(line) })),
    counters: { prd: highest("prd"), epic: highest("epic"), task: highest("task"), story: highest("story") },
    changes: changes.map(({ seq, at, detail }) => ({
      seq: Number(seq),
      at: toIso((at as Date).getTime()),
      detail: JSON.parse(String(detail)) as Readonly<Record<string, unknown>>,
    })),
    operations: operations.map(({ id: operation, call, at, value }) => ({
      id: String(operation),
      call: String(call),
      atMs: (at as Date).getTime() + skewMs,
      value: JSON.parse(String(value)) as unknown,
    })),
    agents: agents.map((row) => withoutOwnHost(toAgent(row, String))),
  };
}

function withoutOwnHost(agent: StoredAgent): StoredAgent {
  return agent.host === hostname() ? { ...agent, host: "" } : agent;
}

function textOr(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function toTask(row: Row, { now, skewMs }: { readonly now: Instant; readonly skewMs: number }): DumpedTask[] {
  const key = String(row.key);
  const fence = { lastToken: Number(row.last_token), lost: toLost(row.lost) };
  const kept = readLease(row.lease);
  const assignment = toAssignment(row.assignment, key);
  if (fence.lastToken === 0 && fence.lost.length === 0 && kept === undefined && assignment === undefined) return [];
  if (kept === undefined) return [{ key, fence, run: undefined, assignment }];
  const { process, isLeft, host: _host, ...lease } = kept;
  const here = { ...lease, taskId: key, expiresAtMs: lease.expiresAtMs + skewMs, isHolderGone: isLeft };
  return [{ key, fence, run: toRun(here, now, process), assignment }];
}

/** Writes everything into a haven that has nothing; leases end as far from now as they did where they were. */
export async function writePostgresDump(
  connection: Connection,
  id: string,
  dump: HavenDump,
  now: Instant,
): Promise<void> {
  const [clock] = await connection.query(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms FROM jeeves_havens WHERE id = $1",
    [id],
  );
  const skewMs = Math.floor(Number(clock?.now_ms)) - now.wallMs;
  for (const rows of inBatches(dump.artefacts)) {
    await insertArtefacts(
      connection,
      id,
      rows.map(({ key, path, bytes }) => ({ key, path, data: bytes })),
    );
  }
  for (const { key, bytes } of dump.pages) {
    const { body, raw } = toTextColumns(bytes);
    const text = "INSERT INTO jeeves_pages (haven, key, body, raw) VALUES ($1, $2, $3, $4)";
    await connection.query(text, [id, key, body, raw]);
  }
  for (const lines of inBatches(dump.lines)) {
    await connection.query(
      "INSERT INTO jeeves_log (haven, task, epic, line) SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[])",
      [
        id,
        lines.map(({ task }) => task),
        lines.map(({ epic }) => epic),
        lines.map(({ line }) => line.replaceAll("\0", "")),
      ],
    );
  }
  for (const task of dump.tasks) await writeTask(connection, id, { task, now, skewMs });
  for (const changes of inBatches(dump.changes)) {
    await connection.query(
      `INSERT INTO jeeves_changes (haven, seq, at, mark, event, task, by_name, detail, keys)
       SELECT $1, seq, at, 'moved ' || seq, event, task, by_name, detail, '{}'
       FROM unnest($2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[])
         AS moved (seq, at, event, task, by_name, detail)`,
      [
        id,
        changes.map(({ seq }) => seq),
        changes.map(({ at }) => at),
        changes.map(({ detail }) => String(detail.event ?? "")),
        changes.map(({ detail }) => String(detail.taskId ?? "")),
        changes.map(({ detail }) => String(detail.by ?? "")),
        changes.map(({ detail }) => JSON.stringify(detail)),
      ],
    );
  }
  for (const { id: operation, call, atMs, value } of dump.operations) {
    await connection.query(
      `INSERT INTO jeeves_operations (haven, id, call, at, value) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (haven, id) DO UPDATE SET call = $3, at = $4, value = $5`,
      [id, operation, call, new Date(atMs + skewMs), JSON.stringify(value)],
    );
  }
  for (const agent of dump.agents) {
    await insertAgent(connection, id, agent.host === "" ? { ...agent, host: hostname() } : agent);
  }
  const last = dump.changes.reduce((most, { seq }) => Math.max(most, seq), 0);
  const { prd, epic, task, story } = dump.counters;
  await connection.query(
    "UPDATE jeeves_havens SET seq = $2, prd = $3, epic = $4, task = $5, story = $6 WHERE id = $1",
    [id, last, prd, epic, task, story],
  );
}

async function writeTask(
  connection: Connection,
  id: string,
  { task, now, skewMs }: { readonly task: DumpedTask; readonly now: Instant; readonly skewMs: number },
): Promise<void> {
  const { key, fence, run, assignment } = task;
  const there = run === undefined ? undefined : toLease(run, now, run.isLeft);
  const lease = there === undefined ? undefined : { ...there, expiresAtMs: there.expiresAtMs + skewMs };
  const [column, holder, expiresAt] = leaseColumns(lease, undefined);
  await connection.query(
    // A task that is gone keeps its fence and its number.
    `INSERT INTO jeeves_artefacts AS a (haven, key, kind, number, state, path, body, fields, lease, holder, expires_at,
       last_token, lost, assignment)
     VALUES ($1, $2, 'task', $3, 'removed', '', '', '{}', $4, $5, $6, $7, $8, $9)
     ON CONFLICT (haven, key) DO UPDATE SET lease = $4, holder = $5, expires_at = $6, last_token = $7, lost = $8,
       assignment = $9`,
    [
      ...[id, key, Number(key.slice(1)), column, holder, expiresAt, fence.lastToken, JSON.stringify(fence.lost)],
      assignment === undefined ? null : JSON.stringify(assignment),
    ],
  );
}

/** Removes everything of a haven but its row. */
export async function emptyPostgresHaven(connection: Connection, id: string): Promise<void> {
  for (const table of ["artefacts", "waits", "pages", "log", "changes", "operations", "agents"]) {
    await connection.query(`DELETE FROM jeeves_${table} WHERE haven = $1`, [id]);
  }
}

function inBatches<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) => all.slice(at * BATCH, (at + 1) * BATCH));
}
