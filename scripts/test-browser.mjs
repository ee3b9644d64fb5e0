// `npm run test:browser`: the page in a real browser against the built bins. Installs Chromium where it can. Arguments go
// to vitest; JEEVES_SCREENSHOTS=1 makes the pictures in docs/ anew.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findChromium } from "./find-chromium.mjs";
import { ensureBuilt, ensureInstalled, root, say } from "./setup.mjs";

const dir = join(root, "test", "browser");
const bin = (...parts) => join(root, "node_modules", ...parts);

ensureInstalled();
ensureBuilt();
try {
  findChromium({ canInstall: true });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
say("checking the types of test/browser");
step(bin("typescript", "bin", "tsc"), ["-p", dir]);
say("opening the page in Chromium");
step(bin("vitest", "vitest.mjs"), ["run", "--config", join(dir, "vitest.config.ts"), ...process.argv.slice(2)]);

function step(script, args) {
  const done = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
