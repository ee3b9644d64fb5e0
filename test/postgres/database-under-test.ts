// A schema of its own for one test: nothing that another test does is seen in it.
import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { type Database, openDatabase } from "../../packages/state/src/index.ts";

/** The address of a schema that goes with the test. */
export async function freshUrl(base: string = inject("databaseUrl")): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await run(base, `CREATE SCHEMA ${name}`);
  onTestFinished(async () => {
    await run(base, `DROP SCHEMA ${name} CASCADE`);
  });
  const url = new URL(base);
  url.searchParams.set("options", `-c search_path=${name}`);
  return url.href.replaceAll("+", "%20");
}

/** A database that is closed with the test. */
export function openForTest(url: string, options: Parameters<typeof openDatabase>[1] = {}): Database {
  const database = openDatabase(url, options);
  onTestFinished(() => database.close());
  return database;
}

/** One statement as the server's own user. */
export async function run(url: string, text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(text, [...values]);
  } finally {
    await client.end();
  }
}
