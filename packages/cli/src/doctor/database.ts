// The database that machines share: can it be reached, may tables be made and written, and is it of our version.
import { DatabaseError, databaseUrlOf, openDatabase, shownDatabase, tryDatabase } from "@jeeves/state";
import { bad, type Check, good } from "./check.ts";

const NAME = "database";
const LIMITS = { connectMs: 4_000, statementMs: 4_000, maxConnections: 1 };

/** Nothing where no database is named. */
export async function checkDatabase(env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  let url: string | undefined;
  try {
    url = databaseUrlOf(env);
    if (url === undefined) return [];
    const database = openDatabase(url, LIMITS);
    try {
      const { version, ms } = await tryDatabase(database);
      return [good(NAME, `${shownDatabase(url)}: PostgreSQL ${version}, ${ms} ms a round trip`)];
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return [bad(NAME, error.message, error.hint)];
  }
}
