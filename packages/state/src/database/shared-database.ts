// The database of a process, by its address: every store shares its pool.
import { type Database, openDatabase } from "./database.ts";
import { databaseUrlOf } from "./database-url.ts";

const opened = new Map<string, Database>();

/** The database that the environment names; undefined where everything is on this machine. Throws for a wrong address. */
export function sharedDatabase(env: NodeJS.ProcessEnv): Database | undefined {
  const url = databaseUrlOf(env);
  return url === undefined ? undefined : databaseAt(url);
}

/** The database at an address: one pool per process, however often it is asked for. */
export function databaseAt(url: string): Database {
  const known = opened.get(url);
  if (known !== undefined) return known;
  const database = openDatabase(url);
  const shared: Database = {
    ...database,
    get roundTrips() {
      return database.roundTrips;
    },
    async close() {
      opened.delete(url);
      await database.close();
    },
  };
  opened.set(url, shared);
  return shared;
}

/** Closes every database connection of this process. */
export async function closeDatabases(): Promise<void> {
  await Promise.all([...opened.values()].map((database) => database.close()));
}
