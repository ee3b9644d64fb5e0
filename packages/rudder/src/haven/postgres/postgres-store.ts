// A haven in PostgreSQL, for any number of servers on any number of machines. The database tells the time and
// decides who comes first; the rules are the same (lease/decide.ts). A change whose outcome is unknown, because the
// connection ended while it was being made, is looked for by its mark before it is made again.
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Database, DatabaseError, databaseError, isConnectionFault, migrate, type Row } from "@jeeves/state";
import { DEFAULT_DIGITS, type Digits } from "../../ids.ts";
import { RudderError, toRudderError } from "../../rudder-error.ts";
import { changeTaskInStep } from "../change-in-step.ts";
import type { ChangeOptions, HavenStep, HavenStore, Operation, Settled } from "../store.ts";
import { adoptAgentFiles } from "./agents.ts";
import { noteLeft, readChanges, trimFeed } from "./feed.ts";
import { HAVEN_SCHEMA } from "./haven-schema.ts";
import { createChangeWriter } from "./one-task/change-writer.ts";
import { createDatabaseClock } from "./one-task/database-clock.ts";
import { createKnownTasks, createTaskReader } from "./one-task/known-tasks.ts";
import { NeedsHaven, StaleTask, type TaskAccess, type TaskRule, tryTaskChange } from "./one-task/task-change.ts";
import { createPostgresReader, movedAway, noHaven, type Reading } from "./postgres-reader.ts";
import { createPostgresStep } from "./postgres-step.ts";
import { createSnapshots } from "./snapshots.ts";
import { createWaitLimit } from "./wait-limit.ts";

/** How long a call waits for a database that is down or restarts. */
const WAIT_MS = 20_000;
/** So often another change of the task may come first; then this one takes the haven for itself. */
const MAX_STALE = 5;
const UNIQUE = "23505";

/** Where in a change a test lets the process die. */
export type PostgresCrashPoint = "before-commit" | "committing" | "committed";

/** A haven of a database, and how its store is used. */
export interface PostgresStoreOptions {
  readonly database: Database;
  /** The haven's id. */
  readonly id: string;
  /** Where this machine keeps what belongs to it alone: sockets, agents' files. */
  readonly haven: string;
  readonly digits?: Digits;
  /** For a server: what was read is kept, and only what has changed is read again. */
  readonly isLive?: boolean | undefined;
  /** How long a call waits for a database that is down; default: 20 s. */
  readonly waitMs?: number | undefined;
  /** For tests: so much later than the database's clock. */
  readonly aheadMs?: number | undefined;
  readonly crash?: ((at: PostgresCrashPoint) => void) | undefined;
}

/** What became of a change, as far as this process knows. */
interface Attempted<T> {
  /** Set once the write was sent and until it is answered: it may have been made. */
  unknown: { readonly value: T } | undefined;
}

/**
 * Opens a haven of the database; its tables are made with the first call that needs them. Calls throw `no_haven` where
 * the database does not have it, `no_database` where it stays down.
 */
export function openPostgresStore(options: PostgresStoreOptions): HavenStore {
  const { database, id, digits = DEFAULT_DIGITS, aheadMs = 0, crash = () => {}, waitMs = WAIT_MS } = options;
  let ready: Promise<void> | undefined;
  const start = (): Promise<void> => {
    ready ??= migrate(database, HAVEN_SCHEMA)
      .then(() => adoptAgentFiles(database, { id, haven: options.haven, host: hostname() }))
      .catch((error: unknown) => {
        ready = undefined;
        throw error;
      });
    return ready;
  };
  const reading: Reading = { haven: id, digits, aheadMs, connection: database };
  const limit = createWaitLimit(waitMs);

  /** Within the call's limit; errors in rudder's words. */
  async function guarded<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await limit(() => start().then(attempt), signal);
    } catch (error) {
      if (error instanceof RudderError && error.code === "no_haven") await refuseMoved();
      throw toRudderError(error, database.shown);
    }
  }

  /** Names the place that the haven went to, where that is known. */
  async function refuseMoved(): Promise<void> {
    const text = "SELECT moved FROM jeeves_havens WHERE id = $1 AND moved IS NOT NULL";
    const [row] = await database.query(text, [id]).catch(() => []);
    if (row !== undefined) throw movedAway(id, String(row.moved));
  }

  const toRecorded = (row: Row, operation: Operation): unknown => {
    if (row.op_call === operation.call) return JSON.parse(String(row.op_value));
    throw new RudderError("invalid_argument", `the operation id ${operation.id} was used for another call`, {
      hint: "each call needs an id of its own; the same id is for sending the same call again",
      details: { operation: operation.id },
    });
  };

  /** Makes a change until it is known to have been made once, or not at all. */
  async function once<T>(
    { signal }: ChangeOptions,
    attempt: (mark: string, attempted: Attempted<T>) => Promise<T>,
  ): Promise<T> {
    const mark = randomUUID();
    const attempted: Attempted<T> = { unknown: undefined };
    signal?.throwIfAborted();
    return guarded(async () => {
      const before = attempted.unknown;
      if (before !== undefined && (await isMade(mark))) return before.value;
      try {
        return await attempt(mark, attempted);
      } catch (error) {
        // What was answered was not made; what was sent before and not answered may come in late, under the same mark.
        if (isConnectionFault(error)) throw error;
        attempted.unknown = before;
        if (before === undefined) throw error;
        if (await isMade(mark)) return before.value;
        throw isUnique(error) ? databaseError("conflict", error.message) : error;
      }
    }, signal).catch((error: unknown) => {
      throw attempted.unknown === undefined ? error : notKnown(error);
    });
  }

  /** After every change that is still under way: the haven's row is held by none of them. */
  async function isMade(mark: string): Promise<boolean> {
    return database.transaction(async (connection) => {
      await connection.query("SELECT seq FROM jeeves_havens WHERE id = $1 FOR UPDATE", [id]);
      const text = "SELECT seq FROM jeeves_changes WHERE haven = $1 AND mark = $2";
      return (await connection.query(text, [id, mark])).length > 0;
    });
  }

  /** With the haven's row held: everything else of the haven waits. */
  async function wholeChange<T>(
    run: (step: HavenStep) => Promise<T>,
    { operation, signal }: ChangeOptions,
    made: { readonly mark: string; readonly attempted: Attempted<T> },
  ): Promise<T> {
    return database.withConnection(async (connection) => {
      await connection.query("BEGIN");
      try {
        const [row] = await connection.query({ name: "jeeves_hold", text: HOLD }, [id]);
        if (row === undefined) throw noHaven(id);
        if (operation !== undefined) {
          const [known] = await connection.query({ name: "jeeves_operation", text: OPERATION }, [id, operation.id]);
          if (known !== undefined) {
            await connection.query("ROLLBACK");
            return toRecorded(known, operation) as T;
          }
        }
        const part = createPostgresStep({ ...reading, connection }, Math.floor(Number(row.now_ms)) + aheadMs);
        const value = await run(part.step);
        signal?.throwIfAborted();
        if (!part.hasWritten) {
          await connection.query("ROLLBACK");
          return value;
        }
        await part.flush();
        const { audit, keys } = part;
        await connection.query({ name: "jeeves_finish", text: FINISH }, [
          ...[id, row.seq, made.mark, audit.event, audit.taskId, audit.by ?? "", JSON.stringify(audit), [...keys]],
          ...[operation?.id ?? null, operation?.call ?? null, JSON.stringify(value ?? null)],
        ]);
        crash("before-commit");
        made.attempted.unknown = { value };
        const committed = connection.query("COMMIT");
        crash("committing");
        await committed;
        crash("committed");
        made.attempted.unknown = undefined;
        trimFeed(database, id, Number(row.seq));
        return value;
      } catch (error) {
        // The connection is kept where the database only waits for the end of the transaction.
        if (!(error instanceof DatabaseError)) await connection.query("ROLLBACK");
        throw error;
      }
    });
  }

  const clock = createDatabaseClock();
  const access: TaskAccess = {
    reading,
    clock,
    read: createTaskReader(reading, clock),
    write: createChangeWriter(database, { haven: id, clock }),
    known: options.isLive === true ? createKnownTasks(reading) : undefined,
  };
  const reader = createPostgresReader(reading);
  const snapshots = createSnapshots(reading);
  const reads = Object.fromEntries(
    Object.entries(reader).map(([name, query]) => [
      name,
      typeof query === "function"
        ? (...values: readonly unknown[]) =>
            guarded(() => (query as (...all: readonly unknown[]) => Promise<unknown>)(...values))
        : query,
    ]),
  ) as unknown as typeof reader;

  const store: HavenStore = {
    ...reads,
    haven: options.haven,
    ...(options.isLive === true ? { snapshot: () => guarded(snapshots) } : {}),
    change: (run, changeOptions = {}) =>
      once(changeOptions, (mark, attempted) => wholeChange(run, changeOptions, { mark, attempted })),
    changeTask: <T>(...[taskId, rule, changeOptions = {}]: Parameters<HavenStore["changeTask"]>) => {
      let stale = 0;
      let needsHaven = false;
      return once<Settled<T>>(changeOptions, async (mark, attempted) => {
        const before = attempted.unknown;
        while (!needsHaven && stale < MAX_STALE) {
          try {
            const settled = await tryTaskChange<T>(access, {
              taskId,
              rule: rule as TaskRule<T>,
              operation: changeOptions.operation,
              mark,
              onWrite(value) {
                changeOptions.signal?.throwIfAborted();
                crash("before-commit");
                attempted.unknown = { value };
              },
              onMade: (seq) => trimFeed(database, id, seq),
              toRecorded: (row, operation) => toRecorded(row, operation) as Settled<T>,
            });
            crash("committed");
            attempted.unknown = undefined;
            return settled;
          } catch (error) {
            if (error instanceof NeedsHaven) needsHaven = true;
            else if (error instanceof StaleTask) stale += 1;
            // The same operation, made by another process at this moment.
            else if (isUnique(error) && changeOptions.operation !== undefined) stale += 1;
            else throw error;
            attempted.unknown = before;
          }
        }
        return wholeChange((step) => changeTaskInStep(step, taskId, rule as TaskRule<T>), changeOptions, {
          mark,
          attempted,
        });
      });
    },
    changesSince: (seq) => guarded(() => readChanges(database, { id, seq })),
    async leave(caller) {
      if (caller.kind !== "connection") return;
      await guarded(() => noteLeft(database, { id, name: caller.name }));
    },
    async close() {
      await ready?.catch(() => {});
    },
  };
  return store;
}

const HOLD = `SELECT seq, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms
  FROM jeeves_havens WHERE id = $1 AND moved IS NULL FOR UPDATE`;
const OPERATION = `SELECT call AS op_call, value AS op_value FROM jeeves_operations
  WHERE haven = $1 AND id = $2 AND at > clock_timestamp() - interval '1 day'`;
const FINISH = `SELECT jeeves_finish_change(${Array.from({ length: 11 }, (_, at) => `$${at + 1}`).join(", ")})`;
function isUnique(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.sqlState === UNIQUE;
}

function notKnown(error: unknown): unknown {
  if (!(error instanceof RudderError)) return error;
  return new RudderError(error.code, `${error.message}; it is not known whether the change was made`, {
    hint: "look first (rudder task show), then run the command again where it was not",
    details: error.details,
    cause: error,
  });
}
