// One connection pool for every store of a process, with a time limit on each operation. `pg` is loaded with the first
// connection, so that a program without JEEVES_DATABASE_URL never loads it.
import type { Pool, PoolClient } from "pg";
import { DatabaseError, databaseError, isTransient, toDatabaseError } from "./database-error.ts";
import { requireDatabaseUrl, shownDatabase, withoutSecrets } from "./database-url.ts";

/** Time limit for a new connection. */
const CONNECT_MS = 4_000;
/** Time limit of the server for one statement; the client gives up a little later. */
const STATEMENT_MS = 20_000;
const QUERY_MS = STATEMENT_MS + 2_000;
/** A transaction whose client does nothing (it hangs, its machine is gone) is ended by the server, and its locks with it. */
const IDLE_IN_TRANSACTION_MS = 10_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/** A statement with a name is parsed and planned once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** One row of a result, by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** One connection, or a transaction on it. */
export interface Connection {
  query(statement: Statement | string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** How long a caller waits. */
interface WaitOptions {
  readonly waitMs: number;
  /** Since when, by `performance.now()`; from now on where it is absent. */
  readonly sinceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A database that several stores of this process use. */
export interface Database extends Connection {
  /** Its address without the password and the options. */
  readonly shown: string;
  /** Number of queries sent so far. */
  readonly roundTrips: number;
  /** Runs `work` on one connection, which is closed instead of reused after a DatabaseError. */
  withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** The same inside BEGIN and COMMIT; rolled back where it throws. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /**
   * Calls `onNotice` for each notification until the returned function is called. Rejects where the server has no
   * LISTEN.
   */
  listen(channel: string, onNotice: (payload: string) => void, onEnd: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/**
 * Limits of a database: connections (default 8), and milliseconds for a new connection (4,000) and a statement (20,000).
 */
export interface DatabaseOptions {
  readonly maxConnections?: number;
  readonly connectMs?: number;
  readonly statementMs?: number;
}

/** Opens a database; the first query connects. Throws a DatabaseError `invalid_url` for a wrong address. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  requireDatabaseUrl(url, "JEEVES_DATABASE_URL");
  const shown = shownDatabase(url);
  const toError = (error: unknown): DatabaseError =>
    toDatabaseError(error, { shown, clean: (message) => withoutSecrets(message, url) });
  let pool: Promise<Pool> | undefined;
  let roundTrips = 0;

  const poolOf = (): Promise<Pool> => {
    pool ??= createPool(url, options);
    return pool;
  };
  const on = (client: PoolClient): Connection => ({
    async query(statement, values = []) {
      roundTrips += 1;
      const config = typeof statement === "string" ? { text: statement } : statement;
      try {
        return (await client.query({ ...config, values: [...values] })).rows;
      } catch (error) {
        throw toError(error);
      }
    },
  });
  const withConnection = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    let client: PoolClient;
    try {
      client = await (await poolOf()).connect();
    } catch (error) {
      throw toError(error);
    }
    let isBroken = false;
    try {
      return await work(on(client));
    } catch (error) {
      // A query that failed may still be running on this connection, so it is not reused.
      isBroken = error instanceof DatabaseError;
      throw error;
    } finally {
      client.release(isBroken);
    }
  };

  return {
    shown,
    get roundTrips() {
      return roundTrips;
    },
    query: (statement, values) => withConnection((connection) => connection.query(statement, values)),
    withConnection,
    transaction: (work) =>
      withConnection(async (connection) => {
        await connection.query("BEGIN");
        try {
          const value = await work(connection);
          await connection.query("COMMIT");
          return value;
        } catch (error) {
          if (!(error instanceof DatabaseError)) await connection.query("ROLLBACK");
          throw error;
        }
      }),
    async listen(channel, onNotice, onEnd) {
      const { default: pg } = await import("pg");
      const client = new pg.Client({ ...limitsOf(url, options), query_timeout: QUERY_MS });
      client.on("error", onEnd);
      client.on("end", onEnd);
      client.on("notification", ({ payload }) => onNotice(payload ?? ""));
      try {
        await client.connect();
        await client.query(`LISTEN ${channel}`);
      } catch (error) {
        client.removeListener("end", onEnd);
        await client.end().catch(() => {});
        throw toError(error);
      }
      return async () => {
        client.removeListener("end", onEnd);
        await client.end().catch(() => {});
      };
    },
    async close() {
      const opened = await pool?.catch(() => undefined);
      pool = undefined;
      await opened?.end().catch(() => {});
    },
  };
}

/**
 * The result of `attempt`, repeated after transient errors until `waitMs` is over; then rejects with the last error. Any
 * other error rejects at once.
 */
export async function retrying<T>(
  attempt: () => Promise<T>,
  { waitMs, signal, sinceMs = performance.now() }: WaitOptions,
): Promise<T> {
  const latest = sinceMs + waitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!isTransient(error)) throw error;
      const leftMs = latest - performance.now();
      if (leftMs <= 0) throw databaseErrorAfter(error, performance.now() - sinceMs);
      await pause(Math.min(leftMs, pauseMs * (0.5 + Math.random())), signal);
    }
  }
}

function databaseErrorAfter(error: DatabaseError, waitedMs: number): DatabaseError {
  return databaseError(error.code, `${error.message} (waited ${Math.round(waitedMs / 100) / 10} s)`);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}

function limitsOf(url: string, { connectMs = CONNECT_MS, statementMs = STATEMENT_MS }: DatabaseOptions) {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    application_name: "jeeves",
  };
}

async function createPool(url: string, options: DatabaseOptions): Promise<Pool> {
  const { default: pg } = await import("pg");
  const statementMs = options.statementMs ?? STATEMENT_MS;
  const pool = new pg.Pool({
    ...limitsOf(url, options),
    query_timeout: statementMs + (QUERY_MS - STATEMENT_MS),
    max: options.maxConnections ?? 8,
    idleTimeoutMillis: 30_000,
    // Idle connections never keep a process alive.
    allowExitOnIdle: true,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // The query on a broken connection fails by itself; without a listener this event would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    // Every statement here looks rows up by their keys: one plan will do. Engines without the setting plan each time.
    client.query("SET plan_cache_mode = force_generic_plan").catch(() => {});
  });
  return pool;
}

/** Counts and sizes, none of which comes near 2^53. */
const INT8 = 20;
