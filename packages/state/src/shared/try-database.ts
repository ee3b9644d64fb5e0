// Whether a database can be used: it answers, its tables are of our version or can be made, and it takes writes.
import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { RECOVERY_SCHEMA } from "./recovery-schema.ts";

/** What answered, and how fast. */
export interface TriedDatabase {
  readonly version: string;
  /** Of one round trip. */
  readonly ms: number;
}

/** Migrates, writes and reads once. Rejects with a DatabaseError where the database cannot be used. */
export async function tryDatabase(database: Database): Promise<TriedDatabase> {
  await migrate(database, RECOVERY_SCHEMA);
  await database.query("UPDATE jeeves_usage SET bytes = bytes WHERE slot = 0");
  const started = performance.now();
  const [row] = await database.query("SELECT current_setting('server_version') AS version");
  return { version: String(row?.version), ms: Math.round((performance.now() - started) * 10) / 10 };
}
