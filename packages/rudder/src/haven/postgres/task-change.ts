// A change of one task in two round trips: one reads the task with everything that a claim looks at, the other writes on
// condition that the row is still the one that was read. In between nothing is locked, so a client that stops there
// keeps no one waiting.
import type { Connection, Row } from "@jeeves/state";
import type { Artefact } from "../../artefact/artefact.ts";
import { DEFAULT_DIGITS, type Digits, kindOf } from "../../ids.ts";
import { formatLogLine } from "../../memory/log-line.ts";
import { TASK_STATUSES } from "../../statuses.ts";
import type { HavenReader, Operation, Ruling, Settled, TaskAtHand, TaskEffects } from "../store.ts";
import { createPostgresReader, pageKeyOf, prefixed, type Reading, toFound } from "./postgres-reader.ts";
import { keyOf, toAssignment, toColumns, toFields, toLease, toLost, toTextColumns } from "./rows.ts";
import { leaseColumns } from "./write-rows.ts";

/** The rule has asked for more than rows near its task: it needs the haven for itself. */
export class NeedsHaven extends Error {}

/** Another change of the task came first. */
export class StaleTask extends Error {}

/** What decides about a task. */
export type TaskRule<T> = (task: TaskAtHand, view: HavenReader) => Ruling<T> | Promise<Ruling<T>>;

/** One attempt of a change. */
export interface TaskAttempt<T> {
  readonly reading: Reading;
  readonly taskId: string;
  readonly rule: TaskRule<T>;
  readonly operation: Operation | undefined;
  readonly mark: string;
  /** Called right before the write: from here on the outcome is known only when it is answered. */
  readonly onWrite: (value: Settled<T>) => void;
  /** The number of the change that was made. */
  readonly onMade: (seq: number) => void;
  /** The outcome of an operation that was made before. */
  readonly toRecorded: (row: Row, operation: Operation) => Settled<T>;
}

const READ = `SELECT h.id, ${prefixed("a")}, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms,
    o.call AS op_call, o.value AS op_value, near.rows AS near
  FROM jeeves_havens h
  LEFT JOIN jeeves_artefacts a ON a.haven = h.id AND a.key = $2
  LEFT JOIN jeeves_operations o ON o.haven = h.id AND o.id = $3 AND o.at > clock_timestamp() - interval '1 day'
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('key', n.key, 'state', n.state, 'fields', n.fields)) AS rows
    FROM jeeves_artefacts n WHERE n.haven = $1 AND n.key = ANY (ARRAY(
      SELECT a.epic UNION SELECT w.blocker FROM jeeves_waits w WHERE w.haven = $1 AND w.waiter = ANY (ARRAY[$2, a.epic])
    ))
  ) near ON true
  WHERE h.id = $1 AND h.moved IS NULL`;

const WRITE = `SELECT jeeves_change_task(${Array.from({ length: 24 }, (_, at) => `$${at + 1}`).join(", ")}) AS seq`;

/** Throws `NeedsHaven` and `StaleTask`; everything else is the rule's, or the database's. */
export async function tryTaskChange<T>(attempt: TaskAttempt<T>): Promise<Settled<T>> {
  const { reading, taskId, rule, operation, mark } = attempt;
  const { connection, haven, digits, aheadMs } = reading;
  const key = keyOf(taskId);
  const [row] = await connection.query({ name: "jeeves_read_task", text: READ }, [haven, key, operation?.id ?? null]);
  if (operation !== undefined && typeof row?.op_call === "string") return attempt.toRecorded(row, operation);
  const stored = toFound(row, { id: taskId, kind: kindOf(taskId) ?? "task", haven, digits });
  const nowMs = Math.floor(Number(row?.now_ms)) + aheadMs;
  const lease = row === undefined ? undefined : toLease(row, taskId);
  const status = TASK_STATUSES.find((one) => one === stored.artefact.status) ?? "Not Started";
  const fence = { lastToken: Number(row?.last_token ?? 0), lost: toLost(row?.lost) };
  const task = { stored, nowMs, state: { taskId, status, ...fence, ...(lease === undefined ? {} : { lease }) } };
  const view = nearView(reading, { taskId, row: row ?? {}, task });
  const ruling = await rule(task, view);
  if (ruling.kind === "refused") return { ...ruling, nowMs };
  const settled: Settled<T> = { kind: "done", value: ruling.value };
  if (isEmpty(ruling.effects, stored.text)) return settled;
  attempt.onWrite(settled);
  const values = valuesOf(ruling.effects, { row: row ?? {}, task });
  const [written] = await write(connection, [
    ...[haven, key, stored.version, mark],
    ...values,
    ...[operation?.id ?? null, operation?.call ?? null, JSON.stringify(settled)],
  ]);
  const seq = Number(written?.seq);
  if (seq > 0) {
    attempt.onMade(seq);
    return settled;
  }
  throw new StaleTask();
}

/** A rule may allow a write of nothing: then there is no change, and no line of the feed. */
function isEmpty({ state, text, lines = [], assignment, memory }: TaskEffects, before: string): boolean {
  const isSame = text === undefined || text === before;
  return isSame && lines.length === 0 && [state, assignment, memory].every((one) => one === undefined);
}

function write(connection: Connection, values: readonly unknown[]): Promise<readonly Row[]> {
  return connection.query({ name: "jeeves_change_task", text: WRITE }, values);
}

function valuesOf(
  { state, text, lines = [], assignment, memory, audit }: TaskEffects,
  { row, task }: { readonly row: Row; readonly task: TaskAtHand },
): unknown[] {
  const { stored } = task;
  const isChanged = text !== undefined && text !== stored.text;
  const columns = isChanged ? toColumns(keyOf(stored.id), stored.path, text) : undefined;
  const before = new Set(stored.artefact.blockedBy.map(keyOf));
  const isSame = columns?.blockers.length === before.size && columns.blockers.every((id) => before.has(id));
  const [lease, holder, expiresAt] = leaseColumns(state?.lease, row.lease);
  return [
    isChanged ? toTextColumns(text).body : null,
    columns?.fields ?? null,
    columns?.epic ?? null,
    columns === undefined || isSame ? null : columns.blockers,
    state !== undefined,
    lease,
    holder,
    expiresAt,
    state?.lastToken ?? 0,
    JSON.stringify(state?.lost ?? []),
    assignment === undefined ? null : JSON.stringify(assignment),
    lines.map(({ taskId: _own, ...line }) => formatLogLine(line)),
    memory === undefined ? null : pageKeyOf(memory.id),
    memory?.text ?? null,
    audit.event,
    audit.by ?? "",
    JSON.stringify({ ...audit, taskId: stored.id }),
  ];
}

/** What a rule can ask without the haven for itself: its own row, those near it, and pages. */
function nearView(
  reading: Reading,
  own: { readonly taskId: string; readonly row: Row; readonly task: TaskAtHand },
): HavenReader {
  const { digits } = reading;
  const reader = createPostgresReader(reading);
  const near = readNear(own.row.near, digits);
  const wide = (): never => {
    throw new NeedsHaven();
  };
  return {
    ...reader,
    now: async () => own.task.nowMs,
    find: async (ids) => {
      if (ids.some((id) => !near.has(keyOf(id)))) return reader.find(ids);
      const found = ids.flatMap((id) => {
        const one = near.get(keyOf(id));
        return one?.state === "live" ? [[id, one.artefact] as const] : [];
      });
      return new Map(found);
    },
    lease: async (taskId) => (taskId === own.taskId ? own.task.state.lease : reader.lease(taskId)),
    assignment: async (taskId) =>
      taskId === own.taskId ? toAssignment(own.row.assignment, taskId) : reader.assignment(taskId),
    snapshot: wide,
    tasksOf: wide,
    dependentsOf: wide,
    leases: wide,
    unsyncedLog: wide,
    notedIds: wide,
    archivedIds: wide,
    counters: wide,
  };
}

function readNear(
  value: unknown,
  digits: Digits,
): Map<string, { readonly state: string; readonly artefact: Artefact }> {
  const near = new Map<string, { readonly state: string; readonly artefact: Artefact }>();
  if (
    !Array.isArray(value) ||
    Object.entries(DEFAULT_DIGITS).some(([kind, count]) => digits[kind as "task"] !== count)
  ) {
    return near;
  }
  for (const row of value as readonly Row[]) {
    near.set(String(row.key), { state: String(row.state), artefact: toFields(row, digits) });
  }
  return near;
}
