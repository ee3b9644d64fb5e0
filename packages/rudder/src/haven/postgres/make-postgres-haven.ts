// A haven in the database: its row and the pages that people keep. Doing it again changes nothing.
import { type Database, migrate } from "@jeeves/state";
import { PROJECT_MEMORY, toMemoryText } from "../../memory/memory-file.ts";
import { HAVEN_SCHEMA } from "./haven-schema.ts";

/** The pages of a new haven, by their keys. */
const PAGES: readonly (readonly [string, string])[] = [
  ["roadmap", "# Roadmap\n"],
  ["postit", "# Post-it\n"],
  ["project", toMemoryText(PROJECT_MEMORY, "Project memory")],
];

/**
 * Makes the haven `id`, and the tables where there are none. False where it was there already. `origin`: the git remote
 * of its project.
 */
export async function makePostgresHaven(
  database: Database,
  id: string,
  options: { readonly origin?: string | undefined } = {},
): Promise<boolean> {
  await migrate(database, HAVEN_SCHEMA);
  const origins = options.origin === undefined ? [] : [options.origin];
  return database.transaction(async (connection) => {
    const text = "INSERT INTO jeeves_havens (id, origins) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING id";
    const made = await connection.query(text, [id, origins]);
    if (made.length === 0) return false;
    for (const [key, body] of PAGES) {
      await connection.query("INSERT INTO jeeves_pages (haven, key, body) VALUES ($1, $2, $3)", [id, key, body]);
    }
    return true;
  });
}
