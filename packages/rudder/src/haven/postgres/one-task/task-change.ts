// A change of one task in two round trips, or in one where the server knows the task: the first reads it with everything
// that a claim looks at, the other writes on condition that the row is still the one that was judged. In between nothing
// is locked, so a client that stops there keeps no one waiting.
import type { Row } from "@jeeves/state";
import { kindOf } from "../../../ids.ts";
import { formatLogLine } from "../../../memory/log-line.ts";
import { TASK_STATUSES } from "../../../statuses.ts";
import type { HavenReader, Operation, Ruling, Settled, TaskAtHand, TaskEffects } from "../../store.ts";
import { createPostgresReader, pageKeyOf, type Reading, toFound } from "../postgres-reader.ts";
import { keyOf, toAssignment, toColumns, toFields, toLease, toLost, toTextColumns } from "../rows.ts";
import { leaseColumns } from "../write-rows.ts";
import type { ChangeRow, ChangeWriter } from "./change-writer.ts";
import type { DatabaseClock } from "./database-clock.ts";
import { type KnownTask, type KnownTasks, type TaskReader, toKnown } from "./known-tasks.ts";

/** The rule has asked for more than rows near its task: it needs the haven for itself. */
export class NeedsHaven extends Error {}

/** Another change of the task came first. */
export class StaleTask extends Error {}

/** What decides about a task. */
export type TaskRule<T> = (task: TaskAtHand, view: HavenReader) => Ruling<T> | Promise<Ruling<T>>;

/** How a store reads and writes tasks. */
export interface TaskAccess {
  readonly reading: Reading;
  readonly clock: DatabaseClock;
  readonly read: TaskReader;
  readonly write: ChangeWriter;
  /** Absent for a command, which changes one task and ends. */
  readonly known?: KnownTasks | undefined;
}

/** One attempt of a change. */
interface TaskAttempt<T> {
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

/** Throws `NeedsHaven` and `StaleTask`; everything else is the rule's, or the database's. */
export async function tryTaskChange<T>(access: TaskAccess, attempt: TaskAttempt<T>): Promise<Settled<T>> {
  const { reading, known } = access;
  const { taskId, operation } = attempt;
  const judged = await judgeKnown(access, attempt);
  if (judged !== undefined) return writeJudged(access, attempt, judged);
  const { row, isAlone } = await access.read({ key: keyOf(taskId), operation: operation?.id ?? null });
  if (operation !== undefined && typeof row?.op_call === "string") return attempt.toRecorded(row, operation);
  const nowMs = Math.floor(Number(row?.now_ms)) + reading.aheadMs;
  const found = toKnown(row ?? {});
  const task = toTask(reading, { taskId, row, nowMs });
  known?.put(found);
  if (isAlone) known?.readAhead(found);
  const ruling = await attempt.rule(task, nearView(reading, { taskId, found, task }));
  if (ruling.kind === "refused") return { ...ruling, nowMs };
  const settled: Settled<T> = { kind: "done", value: ruling.value };
  if (isEmpty(ruling.effects, task.stored.text)) return settled;
  return writeJudged(access, attempt, { found, task, effects: ruling.effects, settled, judgedMs: undefined });
}

/** A verdict that changes something. */
interface Judged<T> {
  readonly found: KnownTask;
  readonly task: TaskAtHand;
  readonly effects: TaskEffects;
  readonly settled: Settled<T>;
  /** Set where the database has to check that the moment and the rows are still those. */
  readonly judgedMs: number | undefined;
}

/** The verdict on what is known; a refusal, an error or a verdict that writes nothing needs the task as it is now. */
async function judgeKnown<T>(
  { reading, clock, known }: TaskAccess,
  { taskId, rule }: TaskAttempt<T>,
): Promise<Judged<T> | undefined> {
  const found = known?.get(keyOf(taskId));
  const clockMs = clock.now();
  if (found === undefined || clockMs === undefined) return undefined;
  try {
    const judgedMs = Math.floor(clockMs);
    const task = toTask(reading, { taskId, row: found.row, nowMs: judgedMs + reading.aheadMs });
    const ruling = await rule(task, nearView(reading, { taskId, found, task }));
    if (ruling.kind === "refused" || isEmpty(ruling.effects, task.stored.text)) return undefined;
    return { found, task, effects: ruling.effects, settled: { kind: "done", value: ruling.value }, judgedMs };
  } catch {
    return undefined;
  }
}

async function writeJudged<T>(
  { clock, known, write }: TaskAccess,
  { operation, mark, onWrite, onMade }: TaskAttempt<T>,
  { found, task, effects, settled, judgedMs }: Judged<T>,
): Promise<Settled<T>> {
  const { stored } = task;
  const change: ChangeRow = {
    key: keyOf(stored.id),
    version: Number(found.row.version),
    mark,
    ...(judgedMs === undefined ? {} : { judged_ms: judgedMs, near: versionsOf(found) }),
    ...columnsOf(effects, { row: found.row, task }),
    ...(operation === undefined
      ? {}
      : { operation: operation.id, call: operation.call, value: JSON.stringify(settled) }),
  };
  known?.drop(change.key);
  onWrite(settled);
  const seq = await write(change);
  if (seq > 0) {
    onMade(seq);
    if (change.blockers === undefined) known?.put(afterwards(found, change));
    return settled;
  }
  if (judgedMs !== undefined) clock.forget();
  throw new StaleTask();
}

function versionsOf({ near }: KnownTask): Record<string, number> {
  return Object.fromEntries([...near].map(([key, { version }]) => [key, version]));
}

/** The row as the change has left it. */
function afterwards({ row, near }: KnownTask, change: ChangeRow): KnownTask {
  const { body, assignment } = change;
  const isChanged = change.has_state || typeof body === "string" || assignment !== undefined;
  const next: Row = {
    ...row,
    version: change.version + (isChanged ? 1 : 0),
    ...(typeof body === "string" ? { body, raw: null } : {}),
    ...(change.has_state ? { lease: change.lease ?? null, last_token: change.last_token, lost: change.lost } : {}),
    ...(assignment === undefined ? {} : { assignment }),
  };
  return { row: next, near };
}

function toTask(
  { haven, digits }: Reading,
  { taskId, row, nowMs }: { readonly taskId: string; readonly row: Row | undefined; readonly nowMs: number },
): TaskAtHand {
  const stored = toFound(row, { id: taskId, kind: kindOf(taskId) ?? "task", haven, digits });
  const lease = row === undefined ? undefined : toLease(row, taskId);
  const status = TASK_STATUSES.find((one) => one === stored.artefact.status) ?? "Not Started";
  const fence = { lastToken: Number(row?.last_token ?? 0), lost: toLost(row?.lost) };
  return { stored, nowMs, state: { taskId, status, ...fence, ...(lease === undefined ? {} : { lease }) } };
}

/** A rule may allow a write of nothing: then there is no change, and no line of the feed. */
function isEmpty({ state, text, lines = [], assignment, memory }: TaskEffects, before: string): boolean {
  const isSame = text === undefined || text === before;
  return isSame && lines.length === 0 && [state, assignment, memory].every((one) => one === undefined);
}

function columnsOf(
  { state, text, lines = [], assignment, memory, parents = [], audit }: TaskEffects,
  { row, task }: { readonly row: Row; readonly task: TaskAtHand },
) {
  const { stored } = task;
  const isChanged = text !== undefined && text !== stored.text;
  const body = isChanged ? toTextColumns(text).body : undefined;
  if (parents.length > 0) throw new NeedsHaven();
  // Bytes that a column of text cannot hold.
  if (body === null) throw new NeedsHaven();
  const columns = isChanged ? toColumns(keyOf(stored.id), stored.path, text) : undefined;
  const before = new Set(stored.artefact.blockedBy.map(keyOf));
  const isSame = columns?.blockers.length === before.size && columns.blockers.every((id) => before.has(id));
  const [lease, holder, expiresAt] = leaseColumns(state?.lease, row.lease);
  return {
    ...(columns === undefined ? {} : { body, fields: columns.fields, epic: columns.epic }),
    ...(columns === undefined || isSame ? {} : { blockers: columns.blockers }),
    has_state: state !== undefined,
    ...(state === undefined
      ? {}
      : {
          lease,
          holder,
          expires_ms: expiresAt?.getTime(),
          last_token: state.lastToken,
          lost: JSON.stringify(state.lost),
        }),
    ...(assignment === undefined ? {} : { assignment: JSON.stringify(assignment) }),
    ...(lines.length === 0 ? {} : { lines: lines.map(({ taskId: _own, ...line }) => formatLogLine(line)) }),
    ...(memory === undefined ? {} : { page: pageKeyOf(memory.id), page_body: memory.text }),
    event: audit.event,
    by_name: audit.by ?? "",
    detail: JSON.stringify({ ...audit, taskId: stored.id }),
  };
}

/** What a rule can ask without the haven for itself: its own row, those near it, and pages. */
function nearView(
  reading: Reading,
  own: { readonly taskId: string; readonly found: KnownTask; readonly task: TaskAtHand },
): HavenReader {
  const reader = createPostgresReader(reading);
  const { row, near } = own.found;
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
        return one?.state === "live" ? [[id, toFields({ fields: one.fields }, reading.digits)] as const] : [];
      });
      return new Map(found);
    },
    lease: async (taskId) => (taskId === own.taskId ? own.task.state.lease : reader.lease(taskId)),
    assignment: async (taskId) =>
      taskId === own.taskId ? toAssignment(row.assignment, taskId) : reader.assignment(taskId),
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
