// `npm test`: our own tests on the built bins, from a bare clone. Arguments go to vitest (`npm test -- packages/prune`).
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const done = spawnSync(process.execPath, [vitest, "run", ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
process.exit(done.status ?? 1);
