// Tasks as a server has last read or written them, so that a change of one is a single round trip: the rule decides on
// what is known, and the database writes on condition that it is still so. Nothing is ever answered from here alone.
import type { Row } from "@jeeves/state";
import { prefixed, type Reading } from "../postgres-reader.ts";
import { createBatches } from "./batches.ts";
import type { DatabaseClock } from "./database-clock.ts";

/** An artefact near a task: its epic, or something that one of the two waits for. */
interface NearRow {
  readonly state: string;
  readonly version: number;
  /** Its fields, as the column has them. */
  readonly fields: string;
}

/** A task's row with what a claim looks at besides. */
export interface KnownTask {
  readonly row: Row;
  readonly near: ReadonlyMap<string, NearRow>;
}

const MAX_TASKS = 2_000;
const MAX_BODY = 64 * 1024;
/** So many open tasks of an epic are read with the first one. */
const MAX_AHEAD = 100;
const AHEAD_AGAIN_MS = 10_000;

/** The rows near row `a`, as one JSON value. */
const NEAR = `LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('key', n.key, 'state', n.state, 'version', n.version, 'fields', n.fields)) AS rows
    FROM jeeves_artefacts n WHERE n.haven = $1 AND n.key = ANY (ARRAY(
      SELECT a.epic UNION
      SELECT w.blocker FROM jeeves_waits w WHERE w.haven = $1 AND w.waiter = ANY (ARRAY[a.key, a.epic])
    ))
  ) near ON true`;

const READ = `SELECT h.id, a.epic, ${prefixed("a")}, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms,
    o.call AS op_call, o.value AS op_value, near.rows AS near
  FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS wanted (key, operation, place)
  JOIN jeeves_havens h ON h.id = $1 AND h.moved IS NULL
  LEFT JOIN jeeves_artefacts a ON a.haven = $1 AND a.key = wanted.key
  LEFT JOIN jeeves_operations o
    ON o.haven = $1 AND o.id = wanted.operation AND o.at > clock_timestamp() - interval '1 day'
  ${NEAR} ORDER BY wanted.place`;

const AHEAD = `SELECT a.epic, ${prefixed("a")} FROM jeeves_artefacts a
  WHERE a.haven = $1 AND a.epic = $2 AND a.state = 'live' AND a.lease IS NULL ORDER BY a.number LIMIT ${MAX_AHEAD}`;
/** Everything near them, and which of them waits for it; null for what is near all of them. */
const AHEAD_NEAR = `SELECT w.waiter, n.key, n.state, n.version, n.fields
  FROM jeeves_waits w JOIN jeeves_artefacts n ON n.haven = $1 AND n.key = w.blocker
  WHERE w.haven = $1 AND w.waiter = ANY ($3::text[] || $2::text)
  UNION ALL SELECT NULL, key, state, version, fields FROM jeeves_artefacts WHERE haven = $1 AND key = $2`;

/** A row of a task that was read together with `NEAR`. */
export function toKnown(row: Row): KnownTask {
  const rows = Array.isArray(row.near) ? (row.near as readonly Row[]) : [];
  return { row, near: new Map(rows.map((one) => [String(one.key), toNear(one)])) };
}

function toNear({ state, version, fields }: Row): NearRow {
  return { state: String(state), version: Number(version), fields: String(fields) };
}

/** What the database has of a task. */
interface TaskRead {
  /** Its row with those near it, and the outcome of the operation; undefined where the haven is gone. */
  readonly row: Row | undefined;
  /** Nothing else is being read. */
  readonly isAlone: boolean;
}

/** Reads a task and the outcome of an operation. */
export type TaskReader = (wanted: { readonly key: string; readonly operation: string | null }) => Promise<TaskRead>;

/** Reads tasks that are asked for at the same time together. */
export function createTaskReader({ connection, haven }: Reading, clock: DatabaseClock): TaskReader {
  let asked = 0;
  const read = createBatches<Parameters<TaskReader>[0], Row | undefined>({
    async send(wanted) {
      const sentMs = performance.now();
      const values = [haven, wanted.map(({ key }) => key), wanted.map(({ operation }) => operation)];
      const rows = await connection.query({ name: "jeeves_read_tasks", text: READ }, values);
      clock.learn(Number(rows.at(-1)?.now_ms), sentMs);
      return wanted.map((_, at) => rows[at]);
    },
  });
  return async (wanted) => {
    asked += 1;
    try {
      const isAlone = asked === 1;
      return { row: await read(wanted), isAlone: isAlone && asked === 1 };
    } finally {
      asked -= 1;
    }
  };
}

/** What a server knows. */
export interface KnownTasks {
  get(key: string): KnownTask | undefined;
  put(task: KnownTask): void;
  drop(key: string): void;
  /** Reads the open tasks of a task's epic: agents take one after the other. Not while many ask, who share their reads. */
  readAhead(task: KnownTask): void;
}

/** A bounded memory of tasks; the one that was not used for longest goes first. */
export function createKnownTasks(reading: Reading): KnownTasks {
  const { connection, haven } = reading;
  const known = new Map<string, KnownTask>();
  const ahead = new Map<string, number>();

  const versionOf = (task: KnownTask | undefined): number => Number(task?.row.version ?? -1);
  const put = (task: KnownTask): void => {
    const { key, body } = task.row;
    if (typeof key !== "string" || typeof body !== "string" || body.length > MAX_BODY) return;
    if (versionOf(known.get(key)) > versionOf(task)) return;
    known.delete(key);
    known.set(key, task);
    if (known.size > MAX_TASKS) known.delete(known.keys().next().value ?? "");
  };
  /**
   * What is near a task is read after it: what changed in between has another version, and the database refuses to
   * write on it.
   */
  async function readEpic(epic: string): Promise<void> {
    const rows = await connection.query({ name: "jeeves_ahead", text: AHEAD }, [haven, epic]);
    const keys = rows.map(({ key }) => key);
    const all = await connection.query({ name: "jeeves_ahead_near", text: AHEAD_NEAR }, [haven, epic, keys]);
    const forAll = all.filter(({ waiter }) => waiter === null || waiter === epic);
    const own = new Map<unknown, Row[]>(keys.map((key) => [key, [...forAll]]));
    for (const one of all) own.get(one.waiter)?.push(one);
    for (const row of rows) put(toKnown({ ...row, near: own.get(row.key) }));
  }

  return {
    get(key) {
      const task = known.get(key);
      if (task !== undefined) {
        known.delete(key);
        known.set(key, task);
      }
      return task;
    },
    put,
    drop: (key) => void known.delete(key),
    readAhead({ row }) {
      const { epic } = row;
      const nowMs = performance.now();
      if (typeof epic !== "string" || nowMs - (ahead.get(epic) ?? -AHEAD_AGAIN_MS) < AHEAD_AGAIN_MS) return;
      ahead.delete(epic);
      ahead.set(epic, nowMs);
      if (ahead.size > MAX_TASKS) ahead.delete(ahead.keys().next().value ?? "");
      void readEpic(epic).catch(() => {});
    },
  };
}
