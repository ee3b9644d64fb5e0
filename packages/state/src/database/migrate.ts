// Tables by numbered migrations. Any server may apply them; of two that begin at the same moment one waits for the
// other and finds nothing left to do. A database that a newer version has changed is refused.
import { type Connection, type Database, retrying } from "./database.ts";
import { DatabaseError, databaseError } from "./database-error.ts";

/** The tables of one part: its migrations in order as SQL, each applied once. */
export interface Schema {
  readonly part: string;
  readonly migrations: readonly string[];
}

const TABLE = "CREATE TABLE IF NOT EXISTS jeeves_schema (part text PRIMARY KEY, version integer NOT NULL)";
const LOCK_ROW = "INSERT INTO jeeves_schema (part, version) VALUES ('lock', 0) ON CONFLICT (part) DO NOTHING";
/** Any number that no other program uses: "jeeves" in hexadecimal. */
const LOCK = "SELECT pg_advisory_xact_lock(117049298841971)";
const WAIT_MS = 30_000;
/** Another process is making the same table right now; both codes occur. */
const TAKEN = new Set(["23505", "42P07"]);
const NO_TABLE = "42P01";
/** The codes of engines like PostgreSQL that have no advisory locks. */
const NO_ADVISORY_LOCK = new Set(["42883", "0A000"]);

/** How concurrent migrations exclude each other. */
export interface MigrateOptions {
  /** False: lock a row, for engines without advisory locks. Default: true. */
  readonly hasAdvisoryLocks?: boolean;
}

/**
 * Brings the tables up to date; one query where they are. Rejects with a DatabaseError `newer_schema` where a newer version
 * has changed them.
 */
export async function migrate(database: Database, schema: Schema, options: MigrateOptions = {}): Promise<void> {
  const wanted = schema.migrations.length;
  const there = await readVersion(database, schema.part).catch((error: unknown) => {
    if (error instanceof DatabaseError && error.sqlState === NO_TABLE) return 0;
    throw error;
  });
  if (there === wanted) return;
  if (there > wanted) throw newer(database, schema, there);
  await retrying(() => apply(database, schema, options), { waitMs: WAIT_MS });
}

async function apply(database: Database, schema: Schema, options: MigrateOptions): Promise<void> {
  try {
    await database.transaction(async (connection) => {
      const isLocked = options.hasAdvisoryLocks !== false && (await lockByNumber(connection));
      await connection.query(TABLE);
      if (!isLocked) {
        await connection.query(LOCK_ROW);
        await connection.query("SELECT version FROM jeeves_schema WHERE part = 'lock' FOR UPDATE");
      }
      const there = await readVersion(connection, schema.part);
      if (there > schema.migrations.length) throw newer(database, schema, there);
      for (const text of schema.migrations.slice(there)) await connection.query(text);
      if (there === schema.migrations.length) return;
      await connection.query(
        "INSERT INTO jeeves_schema (part, version) VALUES ($1, $2) ON CONFLICT (part) DO UPDATE SET version = $2",
        [schema.part, schema.migrations.length],
      );
    });
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    if (TAKEN.has(error.sqlState)) throw databaseError("conflict", error.message);
    if (NO_ADVISORY_LOCK.has(error.sqlState) && options.hasAdvisoryLocks !== false) {
      return apply(database, schema, { hasAdvisoryLocks: false });
    }
    throw error;
  }
}

async function lockByNumber(connection: Connection): Promise<boolean> {
  await connection.query(LOCK);
  return true;
}

async function readVersion(connection: Connection, part: string): Promise<number> {
  const [row] = await connection.query("SELECT version FROM jeeves_schema WHERE part = $1", [part]);
  return Number(row?.version ?? 0);
}

function newer(database: Database, { part, migrations }: Schema, there: number): DatabaseError {
  return databaseError(
    "newer_schema",
    `${database.shown} has the ${part} tables of a newer Jeeves: version ${there}, and this one knows ${migrations.length}`,
  );
}
