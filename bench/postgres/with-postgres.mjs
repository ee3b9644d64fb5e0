// A real PostgreSQL for a benchmark, on this machine: what a network adds is its round trips, which are counted. Commits
// do not wait for the disk, here and in what is compared.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, root } from "../../scripts/setup.mjs";
import { importBundled } from "../bundle.mjs";

/** The sources that benchmarks of the shared stores need, as they ship. */
export async function loadStores() {
  return importBundled("bench-postgres", {
    start: "test/postgres/start-postgres.ts",
    rudder: "packages/rudder/src/index.ts",
    change: "packages/rudder/src/tasks/change-task.ts",
    leases: "packages/rudder/src/tasks/leases/leases.ts",
    state: "packages/state/src/index.ts",
    sweep: "packages/state/src/shared/recovery-sweep.ts",
  });
}

/** Runs `work` with the address of a database; it goes with the benchmark. */
export async function withPostgres(stores, work) {
  const named = process.env.JEEVES_TEST_DATABASE_URL;
  if (named) return work(withoutSync(named));
  const dir = join(root, "test", "postgres");
  ensureInstalled(dir);
  const server = await stores.start.startPostgres({}, pathToFileURL(join(dir, "package.json")).href);
  try {
    return await work(withoutSync(server.url));
  } finally {
    await server.remove();
  }
}

function withoutSync(url) {
  const text = new URL(url);
  text.searchParams.set("options", "-c synchronous_commit=off");
  return text.href.replaceAll("+", "%20");
}

/** Milliseconds for each of `count` calls, `clients` of them at a time. */
export async function perCall(count, clients, call) {
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (next < count) await call(next++, client);
    }),
  );
  return (performance.now() - started) / count;
}
