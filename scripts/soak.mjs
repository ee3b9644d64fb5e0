// `npm run soak`: the storms that are too long for `npm test`. Every fault at every door, a flood of sessions
// without proof, directories that are swapped for links, a busy machine, SIGKILL of commands and their
// launcher at any moment, and the engine's properties with other cases each time; arguments go to vitest.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const storms = [
  "test/faults.test.ts",
  "test/flood.test.ts",
  "test/busy-machine.test.ts",
  "packages/workspace/test/races.test.ts",
  "packages/cli/test/jeeves-exec-killed.test.ts",
  "packages/prune/test/properties.test.ts",
  "packages/pruner-service/test/properties.test.ts",
];
const done = spawnSync(process.execPath, [vitest, "run", ...storms, ...process.argv.slice(2)], {
  cwd: root,
  env: { JEEVES_SEED: "random", ...process.env, JEEVES_SOAK: "1" },
  stdio: "inherit",
});
process.exit(done.status ?? 1);
