// `npm test`: our own tests on the built bins, from a bare clone. Arguments go to vitest (`npm test -- packages/prune`).
// `npm run test:portable`: the same as on a system without /proc and without Perl (packages/base/src/system).
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
const given = process.argv.slice(2);
const words = given.filter((word) => word !== "--portable");
const env = words.length < given.length ? { ...process.env, JEEVES_TEST_HIDE: "proc,perl" } : process.env;
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const done = spawnSync(process.execPath, [vitest, "run", ...words], { cwd: root, env, stdio: "inherit" });
process.exit(done.status ?? 1);
