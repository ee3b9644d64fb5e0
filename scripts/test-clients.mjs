// `npm run test:clients`: real coding agents against the built servers, offline, with a scripted model. Their packages
// are large (several hundred MB) and live outside the workspaces, so they are installed here and only here.
// Arguments go to vitest (`npm run test:clients -- codex`).
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensurePackaged } from "./package/ensure-packaged.mjs";
import { ensureBuilt, ensureInstalled, root, say } from "./setup.mjs";

const dir = join(root, "test", "clients");
const bin = (...parts) => join(root, "node_modules", ...parts);

await ensureInstalled();
await ensureBuilt();
await ensurePackaged();
await ensureInstalled(dir);

say("checking the types of test/clients");
step(bin("typescript", "bin", "tsc"), ["-p", dir]);
say("running Codex and Claude against the built servers");
step(bin("vitest", "vitest.mjs"), ["run", "--config", join(dir, "vitest.config.ts"), ...process.argv.slice(2)]);

function step(script, args) {
  const done = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
