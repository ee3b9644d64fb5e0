// The queries of a haven in PostgreSQL. The same ones serve readers and a transaction that looks at its own writes: what
// differs is the connection.
import type { Connection, Row } from "@jeeves/state";
import type { Artefact } from "../../artefact/artefact.ts";
import { type Digits, KINDS, type Kind, kindOf, normaliseId } from "../../ids.ts";
import type { Lease } from "../../lease/lease.ts";
import { type LogLine, parseLogLine } from "../../memory/log-line.ts";
import { RudderError } from "../../rudder-error.ts";
import { byKindAndNumber, inArchive, notFound } from "../file-reader.ts";
import { byTaskAndHost } from "../files/agent-file.ts";
import { toSnapshot } from "../index/artefact-index.ts";
import type { HavenReader } from "../store.ts";
import { toAgent } from "./agents.ts";
import { bytesOf, keyOf, type RowArtefact, toAssignment, toFields, toLease, toStored } from "./rows.ts";

/** What the queries work with. */
export interface Reading {
  readonly haven: string;
  readonly digits: Digits;
  /** For tests: so much later than the database's clock. */
  readonly aheadMs: number;
  readonly connection: Connection;
  /** Called before each query: a transaction writes what it has put aside. */
  readonly before?: () => Promise<void>;
}

const STORED = "key, state, path, body, raw, version, lease, last_token, lost, assignment";
const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms";

/** The queries of one haven. */
export function createPostgresReader(reading: Reading): HavenReader {
  const { haven, digits, aheadMs } = reading;
  const ask = async (name: string, text: string, ...values: readonly unknown[]): Promise<readonly Row[]> => {
    await reading.before?.();
    return reading.connection.query({ name: `jeeves_${name}`, text }, [haven, ...values]);
  };
  const toId = (key: unknown): string => normaliseId(String(key), digits) ?? String(key);

  return {
    digits,
    async now() {
      await reading.before?.();
      const [row] = await reading.connection.query({ name: "jeeves_now", text: `SELECT ${NOW}` });
      return Math.floor(Number(row?.now_ms)) + aheadMs;
    },
    async snapshot() {
      const rows = await ask(
        "snapshot",
        `SELECT h.id, a.key, a.fields FROM jeeves_havens h
         LEFT JOIN jeeves_artefacts a ON a.haven = h.id AND a.state = 'live' WHERE h.id = $1 AND h.moved IS NULL`,
      );
      if (rows.length === 0) throw noHaven(haven);
      return toSnapshot(
        rows.filter(({ key }) => key !== null).map((row) => toFields(row, digits)),
        [],
      );
    },
    async artefact(id) {
      const kind = requireKind(id);
      const rows = await ask(
        "artefact",
        `SELECT h.id, ${prefixed("a")} FROM jeeves_havens h
         LEFT JOIN jeeves_artefacts a ON a.haven = h.id AND a.key = $2 WHERE h.id = $1 AND h.moved IS NULL`,
        keyOf(id),
      );
      return toFound(rows[0], { id, kind, haven, digits });
    },
    async find(ids) {
      const keys = [...new Set(ids.filter((id) => kindOf(id) !== undefined).map(keyOf))];
      if (keys.length === 0) return new Map();
      const rows = await ask(
        "find",
        "SELECT key, fields FROM jeeves_artefacts WHERE haven = $1 AND key = ANY($2) AND state = 'live'",
        keys,
      );
      const byKey = new Map(rows.map((row) => [String(row.key), toFields(row, digits)]));
      const found = new Map<string, Artefact>();
      for (const id of ids) {
        const artefact = byKey.get(keyOf(id));
        if (artefact !== undefined) found.set(id, artefact);
      }
      return found;
    },
    async tasksOf(epicId) {
      const rows = await ask(
        "tasks_of",
        `SELECT key, fields FROM jeeves_artefacts
         WHERE haven = $1 AND epic = $2 AND state = 'live' ORDER BY number`,
        keyOf(epicId),
      );
      return rows.map((row) => toFields(row, digits));
    },
    async dependentsOf(id) {
      const rows = await ask(
        "dependents",
        `SELECT a.key FROM jeeves_waits w JOIN jeeves_artefacts a ON a.haven = w.haven AND a.key = w.waiter
         WHERE w.haven = $1 AND w.blocker = $2 AND a.state = 'live' ORDER BY a.number`,
        keyOf(id),
      );
      return rows.map(({ key }) => toId(key));
    },
    async lease(taskId) {
      const [row] = await ask(
        "lease",
        "SELECT lease FROM jeeves_artefacts WHERE haven = $1 AND key = $2",
        keyOf(taskId),
      );
      return row === undefined ? undefined : toLease(row, taskId);
    },
    async leases() {
      const rows = await ask(
        "leases",
        `SELECT a.key, a.lease, ${NOW} FROM jeeves_havens h
         LEFT JOIN jeeves_artefacts a ON a.haven = h.id AND a.lease IS NOT NULL WHERE h.id = $1 AND h.moved IS NULL ORDER BY a.number`,
      );
      const leases = rows
        .map((row) => toLease(row, toId(row.key)))
        .filter((lease): lease is Lease => lease !== undefined);
      return { leases, broken: [], nowMs: Math.floor(Number(rows[0]?.now_ms)) + aheadMs };
    },
    async assignment(taskId) {
      const text = "SELECT assignment FROM jeeves_artefacts WHERE haven = $1 AND key = $2";
      const [row] = await ask("assignment", text, keyOf(taskId));
      return toAssignment(row?.assignment, taskId);
    },
    async agents(taskId) {
      const rows = await ask(
        taskId === undefined ? "agents" : "agents_of",
        `SELECT a.task, a.host, a.record FROM jeeves_havens h
         LEFT JOIN jeeves_agents a ON a.haven = h.id${taskId === undefined ? "" : " AND a.task = $2"}
         WHERE h.id = $1 AND h.moved IS NULL`,
        ...(taskId === undefined ? [] : [keyOf(taskId)]),
      );
      if (rows.length === 0) throw noHaven(haven);
      const agents = rows.filter(({ task }) => task !== null).map((row) => toAgent(row, toId));
      return { agents: agents.sort(byTaskAndHost), broken: [] };
    },
    async log(id) {
      const isTask = kindOf(id) === "task";
      const rows = isTask
        ? await ask(
            "task_log",
            `SELECT task, line FROM jeeves_log WHERE haven = $1 AND task = $2
             ORDER BY epic IS NULL, coalesce(epic_position, position), position`,
            keyOf(id),
          )
        : await ask(
            "epic_log",
            `SELECT task, line FROM jeeves_log WHERE haven = $1 AND epic = $2
             ORDER BY coalesce(epic_position, position), position`,
            keyOf(id),
          );
      return rows.map((row) => toLine(row, digits));
    },
    async unsyncedLog(taskIds) {
      if (taskIds.length === 0) return [];
      const rows = await ask(
        "unsynced",
        "SELECT task, line FROM jeeves_log WHERE haven = $1 AND task = ANY($2) AND epic IS NULL ORDER BY position",
        taskIds.map(keyOf),
      );
      const byKey = new Map<string, LogLine[]>();
      for (const row of rows) {
        const lines = byKey.get(String(row.task)) ?? [];
        lines.push(toLine(row, digits));
        byKey.set(String(row.task), lines);
      }
      return taskIds.flatMap((id) => byKey.get(keyOf(id)) ?? []);
    },
    async memory(id) {
      const text = "SELECT body, raw FROM jeeves_pages WHERE haven = $1 AND key = $2";
      const [row] = await ask("page", text, pageKeyOf(id));
      return row === undefined ? undefined : bytesOf(row).toString("utf8");
    },
    async notedIds() {
      const rows = await ask(
        "noted",
        `SELECT key FROM jeeves_pages WHERE haven = $1
         UNION SELECT task FROM jeeves_log WHERE haven = $1 AND epic IS NULL AND task IS NOT NULL
         UNION SELECT epic FROM jeeves_log WHERE haven = $1 AND epic IS NOT NULL`,
      );
      const keys = rows.map(({ key }) => String(key));
      const ids = keys.filter((key) => kindOf(key) !== undefined).map(toId);
      return [...(keys.includes("project") ? ["project"] : []), ...ids.sort(byKindAndNumber)];
    },
    async archivedIds() {
      const text = "SELECT key FROM jeeves_artefacts WHERE haven = $1 AND state = 'archived'";
      return (await ask("archived_ids", text)).map(({ key }) => toId(key)).sort(byKindAndNumber);
    },
    async archived(id) {
      if (kindOf(id) === undefined) return undefined;
      const text = `SELECT ${STORED} FROM jeeves_artefacts WHERE haven = $1 AND key = $2 AND state = 'archived'`;
      const [row] = await ask("archived", text, keyOf(id));
      return row === undefined ? undefined : toStored(row, digits);
    },
    async counters() {
      // Removed ones count, too: an id is not given again.
      const highest = (kind: Kind): string =>
        `greatest(h.${kind}, (SELECT coalesce(max(number), 0) FROM jeeves_artefacts WHERE haven = h.id AND kind = '${kind}')) AS ${kind}`;
      const [row] = await ask(
        "counters",
        `SELECT ${KINDS.map(highest).join(", ")} FROM jeeves_havens h WHERE h.id = $1 AND h.moved IS NULL`,
      );
      if (row === undefined) throw noHaven(haven);
      const of = (kind: Kind): number => Number(row[kind]);
      return { prd: of("prd"), epic: of("epic"), task: of("task"), story: of("story") };
    },
  };
}

/** The columns of an artefact with its text and its lease, of a table that was given another name. */
export function prefixed(table: string): string {
  return STORED.split(", ")
    .map((column) => `${table}.${column}`)
    .join(", ");
}

/** A line with its task. */
function toLine(row: Row, digits: Digits): LogLine {
  const { at, level, message, taskId: _written, ...more } = parseLogLine(String(row.line));
  const taskId = row.task === null ? undefined : normaliseId(String(row.task), digits);
  return { at, level, message, ...(taskId === undefined ? {} : { taskId }), ...more };
}

/** The page of an id, or of the project. */
export function pageKeyOf(id: string): string {
  return id === "project" ? id : keyOf(id);
}

interface Wanted {
  readonly id: string;
  readonly kind: Kind;
  readonly haven: string;
  readonly digits: Digits;
}

/** The artefact of a row that was joined to its haven's; throws where there is none. */
export function toFound(row: Row | undefined, { id, kind, haven, digits }: Wanted): RowArtefact {
  if (row === undefined) throw noHaven(haven);
  const stored = row.key === null ? undefined : toStored(row, digits);
  if (stored?.state === "live") return stored;
  if (stored?.state === "archived") throw inArchive(id);
  throw notFound(id, kind);
}

/** An id's kind; refuses what is no id. */
function requireKind(id: string): Kind {
  const kind = kindOf(id);
  if (kind !== undefined) return kind;
  throw new RudderError("invalid_argument", `${id} is no id`, { hint: "like T042 or E001" });
}

/** The refusal of a haven that the database does not have. */
export function noHaven(haven: string): RudderError {
  return new RudderError("no_haven", `there is no haven ${haven} in the database`, {
    hint: "run: rudder init; a haven that is in files on this machine goes there by: rudder haven move --to postgres",
    details: { haven },
  });
}

/** The refusal of a haven that was moved out of the database, with the place where it went. */
export function movedAway(id: string, where: string): RudderError {
  return new RudderError("no_haven", `the haven ${id} was moved out of the database: ${where}`, {
    hint: "work on that machine, or move it into the database again there: rudder haven move --to postgres",
    details: { haven: id, moved: where },
  });
}
