// One transaction of the PostgreSQL store that may touch anything in its haven. It holds the haven's row, so that it has
// the haven for itself; what it writes goes to the database at once, new rows in batches.
import { requireUtf8 } from "../../artefact/require-utf8.ts";
import { formatId, type Kind, kindOf, MAX_NUMBER, normaliseId } from "../../ids.ts";
import { formatLogLine } from "../../memory/log-line.ts";
import { RudderError } from "../../rudder-error.ts";
import { TASK_STATUSES } from "../../statuses.ts";
import { toArchivePath, toLivePath } from "../archive.ts";
import type { AuditEntry, HavenStep } from "../store.ts";
import { insertAgent } from "./agents.ts";
import { createPostgresReader, pageKeyOf, type Reading, toFound } from "./postgres-reader.ts";
import { keyOf, toColumns, toLease, toLost, toTextColumns } from "./rows.ts";
import { insertArtefacts, insertLines, leaseColumns, type NewLine, type NewRow, putBlockers } from "./write-rows.ts";

/** So many new rows go to the server together. */
const BATCH = 500;

/** The step, and the text of its line in the feed. */
interface PostgresStep {
  readonly step: HavenStep;
  /** Writes what was put aside. */
  flush(): Promise<void>;
  readonly audit: AuditEntry;
  readonly hasWritten: boolean;
  /** Artefacts that were touched. */
  readonly keys: ReadonlySet<string>;
}

/** A step in a transaction that holds the haven's row. */
export function createPostgresStep(reading: Reading, nowMs: number): PostgresStep {
  const { connection, haven, digits } = reading;
  const keys = new Set<string>();
  const newRows: NewRow[] = [];
  const newLines: NewLine[] = [];
  /** Numbers that this step has given or raised; written at the end. */
  const given = new Map<Kind, number>();
  let audit: AuditEntry = { event: "changed", taskId: "" };
  let hasWritten = false;

  const write = async (name: string, text: string, ...values: readonly unknown[]): Promise<void> => {
    hasWritten = true;
    await flushRows();
    await connection.query({ name: `jeeves_w_${name}`, text }, [haven, ...values]);
  };
  const flushRows = async (): Promise<void> => {
    const rows = newRows.splice(0);
    if (rows.length > 0) await insertArtefacts(connection, haven, rows);
    const lines = newLines.splice(0);
    if (lines.length > 0) await insertLines(connection, haven, lines);
  };
  const reader = createPostgresReader({ ...reading, before: flushRows });
  const highestOf = async (kind: Kind): Promise<number> => given.get(kind) ?? (await reader.counters())[kind];
  const endLease = "lease = NULL, holder = NULL, expires_at = NULL";

  const step: HavenStep = {
    ...reader,
    now: async () => nowMs,
    nowMs,
    async task(taskId) {
      await flushRows();
      const rows = await connection.query(
        {
          name: "jeeves_task",
          text: `SELECT h.id, a.key, a.state, a.path, a.body, a.raw, a.version, a.lease, a.last_token, a.lost
                 FROM jeeves_havens h LEFT JOIN jeeves_artefacts a ON a.haven = h.id AND a.key = $2
                 WHERE h.id = $1`,
        },
        [haven, keyOf(taskId)],
      );
      const [row] = rows;
      const stored = toFound(row, { id: taskId, kind: kindOf(taskId) ?? "task", haven, digits });
      const lease = row === undefined ? undefined : toLease(row, taskId);
      const status = TASK_STATUSES.find((one) => one === stored.artefact.status) ?? "Not Started";
      const fence = { lastToken: Number(row?.last_token ?? 0), lost: toLost(row?.lost) };
      return { stored, nowMs, state: { taskId, status, ...fence, ...(lease === undefined ? {} : { lease }) } };
    },
    async putTask({ taskId, lease, lastToken, lost }) {
      const key = keyOf(taskId);
      const [row] = await connection.query(
        { name: "jeeves_lease_now", text: "SELECT lease FROM jeeves_artefacts WHERE haven = $1 AND key = $2" },
        [haven, key],
      );
      const [column, holder, expiresAt] = leaseColumns(lease, row?.lease);
      await write(
        "lease",
        `UPDATE jeeves_artefacts SET version = version + 1, lease = $3, holder = $4, expires_at = $5, last_token = $6,
         lost = $7 WHERE haven = $1 AND key = $2`,
        ...[key, column, holder, expiresAt, lastToken, JSON.stringify(lost)],
      );
      keys.add(key);
    },
    async nextId(kind) {
      const number = (await highestOf(kind)) + 1;
      if (number > MAX_NUMBER) throw usedUp(kind);
      given.set(kind, number);
      hasWritten = true;
      return formatId({ kind, number }, digits);
    },
    async createArtefact({ id, path, text }) {
      hasWritten = true;
      keys.add(keyOf(id));
      newRows.push({ key: keyOf(id), path, data: text });
      if (newRows.length >= BATCH) await flushRows();
    },
    async writeArtefact(stored, text) {
      requireUtf8(stored.bytes, stored.path);
      const key = keyOf(stored.id);
      const { fields, epic, blockers } = toColumns(key, stored.path, text);
      const { body, raw } = toTextColumns(text);
      await write(
        "text",
        `UPDATE jeeves_artefacts SET version = version + 1, body = $3, raw = $4, fields = $5, epic = $6
         WHERE haven = $1 AND key = $2`,
        ...[key, body, raw, fields, epic],
      );
      await putBlockers(connection, haven, [{ key, blockers }]);
      keys.add(key);
    },
    async removeArtefact(stored) {
      const key = keyOf(stored.id);
      await write(
        "remove",
        `UPDATE jeeves_artefacts SET version = version + 1, state = 'removed', body = '', raw = NULL, ${endLease}
         WHERE haven = $1 AND key = $2`,
        key,
      );
      keys.add(key);
    },
    async moveArtefact(stored, to) {
      const path = to === "archive" ? toArchivePath(stored.path) : toLivePath(stored.path);
      if (path === stored.path) return;
      const key = keyOf(stored.id);
      const { fields } = toColumns(key, path, stored.text);
      await write(
        "move",
        `UPDATE jeeves_artefacts SET version = version + 1, state = $3, path = $4, fields = $5, ${endLease}
         WHERE haven = $1 AND key = $2`,
        ...[key, to === "archive" ? "archived" : "live", path, fields],
      );
      keys.add(key);
    },
    async raiseCounter(kind, number) {
      const highest = await highestOf(kind);
      given.set(kind, Math.max(highest, number));
      hasWritten = true;
    },
    async putAssignment(assignment) {
      await write(
        "assignment",
        "UPDATE jeeves_artefacts SET version = version + 1, assignment = $3 WHERE haven = $1 AND key = $2",
        ...[keyOf(assignment.taskId), JSON.stringify(assignment)],
      );
    },
    async putAgent(agent) {
      hasWritten = true;
      await insertAgent(connection, haven, agent);
    },
    async appendLog(id, line) {
      const { taskId, ...plain } = line;
      const isTask = kindOf(id) === "task";
      const named = taskId === undefined ? null : keyOf(taskId);
      hasWritten = true;
      newLines.push({ task: isTask ? keyOf(id) : named, epic: isTask ? null : keyOf(id), line: formatLogLine(plain) });
      if (newLines.length >= BATCH) await flushRows();
    },
    async syncLog(taskId, epicId) {
      await flushRows();
      const moved = await connection.query(
        {
          name: "jeeves_sync",
          text: `WITH place AS (SELECT nextval('jeeves_log_position') AS at)
                 UPDATE jeeves_log SET epic = $3, epic_position = place.at FROM place
                 WHERE haven = $1 AND task = $2 AND epic IS NULL RETURNING position`,
        },
        [haven, keyOf(taskId), keyOf(epicId)],
      );
      if (moved.length > 0) hasWritten = true;
      return moved.length;
    },
    async pendingLogs() {
      await flushRows();
      const text = "SELECT DISTINCT task FROM jeeves_log WHERE haven = $1 AND epic IS NULL AND task IS NOT NULL";
      const rows = await connection.query(text, [haven]);
      return rows.map(({ task }) => normaliseId(String(task), digits) ?? String(task)).sort();
    },
    async writeMemory(id, text) {
      requireUtf8(Buffer.from((await reader.memory(id)) ?? ""), pageKeyOf(id));
      const { body, raw } = toTextColumns(text);
      await write(
        "page",
        `INSERT INTO jeeves_pages (haven, key, body, raw) VALUES ($1, $2, $3, $4)
         ON CONFLICT (haven, key) DO UPDATE SET body = $3, raw = $4`,
        ...[pageKeyOf(id), body, raw],
      );
    },
    audit(entry) {
      audit = entry;
    },
    // A transaction that was killed left nothing.
    sweep: async () => 0,
  };
  return {
    step,
    async flush() {
      await flushRows();
      for (const [kind, number] of given) {
        const text = `UPDATE jeeves_havens SET ${kind} = greatest(${kind}, $2) WHERE id = $1`;
        await connection.query({ name: `jeeves_counter_${kind}`, text }, [haven, number]);
      }
    },
    get audit() {
      return audit;
    },
    get hasWritten() {
      return hasWritten;
    },
    keys,
  };
}

function usedUp(kind: Kind): RudderError {
  return new RudderError("broken_state", `there is no ${kind} id after ${MAX_NUMBER}`, {
    hint: "a haven has a number that nobody can have counted up to: mend it",
    details: { kind },
  });
}
