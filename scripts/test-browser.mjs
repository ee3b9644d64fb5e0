// `npm run test:browser`: the page in a real Chromium, which is installed from the system's packages where that is
// possible and named loudly where it is not. Arguments go to vitest (`npm run test:browser -- axe`).
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
const config = join(root, "test", "browser", "vitest.config.ts");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const args = ["run", "--config", config, ...process.argv.slice(2)];
const done = spawnSync(process.execPath, [vitest, ...args], { cwd: root, stdio: "inherit" });
process.exit(done.status ?? 1);
