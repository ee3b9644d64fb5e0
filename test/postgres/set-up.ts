// One server for all test files, or the one of JEEVES_TEST_DATABASE_URL.
import type { TestProject } from "vitest/node";
import { startPostgres } from "./start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly databaseUrl: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env.JEEVES_TEST_DATABASE_URL;
  if (named !== undefined && named !== "") {
    project.provide("databaseUrl", named);
    return async () => {};
  }
  const server = await startPostgres();
  project.provide("databaseUrl", server.url);
  return () => server.remove();
}
