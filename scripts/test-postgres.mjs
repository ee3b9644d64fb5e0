// `npm run test:postgres`: the shared stores against a real PostgreSQL, whose binaries (some 60 MB) are installed here and
// only here; or against the one that JEEVES_TEST_DATABASE_URL names. Arguments go to vitest.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root, say } from "./setup.mjs";

const dir = join(root, "test", "postgres");
const bin = (...parts) => join(root, "node_modules", ...parts);

await ensureInstalled();
await ensureBuilt();
await ensureInstalled(dir);

say("checking the types of test/postgres");
step(bin("typescript", "bin", "tsc"), ["-p", dir]);
say("running the shared stores on PostgreSQL");
step(bin("vitest", "vitest.mjs"), ["run", "--config", join(dir, "vitest.config.ts"), ...process.argv.slice(2)]);

function step(script, args) {
  const done = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
