// `npm run soak`: the storms that are too long for `npm test`. Every fault at every door, and a
// flood of sessions without proof; arguments go to vitest.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const storms = ["test/faults.test.ts", "test/flood.test.ts"];
const done = spawnSync(process.execPath, [vitest, "run", ...storms, ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, JEEVES_SOAK: "1" },
  stdio: "inherit",
});
process.exit(done.status ?? 1);
