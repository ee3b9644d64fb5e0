// `npm run test:sandbox`: rudder's agents in the real sandbox. srt (with its packages 19 MB) is installed here and only
// here, bwrap by apt-get where that is ours to do. Where this machine lets no one make a user namespace, that is said,
// and the tests run that do without. Arguments go to vitest.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ensureBuilt, ensureInstalled, root, say } from "./setup.mjs";
import { BWRAP, findSystemProgram, SOCAT } from "./system-program.mjs";

const dir = join(root, "test", "sandbox");
const INSIDE = "packages/rudder/test/agent/sandbox/real-sandbox.test.ts";
const STORM = "packages/rudder/test/agent/bridge-storm.test.ts";

ensureInstalled();
ensureBuilt();
ensureInstalled(dir);
for (const program of [BWRAP, SOCAT]) findSystemProgram(program, { canInstall: true });

// ripgrep comes with our own packages, under a path of its own.
const { rgPath } = await import("@vscode/ripgrep");
const bin = join(root, ".cache", "sandbox-bin");
mkdirSync(bin, { recursive: true });
rmSync(join(bin, "rg"), { force: true });
symlinkSync(rgPath, join(bin, "rg"));
const PATH = [join(dir, "node_modules", ".bin"), bin, process.env.PATH ?? ""].join(delimiter);

const env = { ...process.env, PATH };
const rudder = join(root, "packages", "rudder", "dist", "rudder.js");
const check = spawnSync(process.execPath, [rudder, "sandbox", "check", "--json"], { env, encoding: "utf8" });
const said = JSON.parse(check.stdout);
const missing = (said.error ?? said).parts.filter((part) => !part.there);
const isReal = missing.length === 0;
if (missing.some(({ name }) => name !== "user namespaces")) {
  process.stderr.write(`test:sandbox: there is no ${missing.map(({ name }) => name).join(", no ")}\n`);
  process.exit(1);
}
if (isReal) say("running agents in the real sandbox");
else say(`NOT TRIED in the real sandbox: ${missing[0].found}. What needs none is run with a stand-in.`);

const files = isReal ? [INSIDE, STORM] : [STORM];
const { status } = spawnSync(
  process.execPath,
  [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...files, ...process.argv.slice(2)],
  { cwd: root, stdio: "inherit", env: { ...env, ...(isReal ? { JEEVES_REAL_SANDBOX: "1" } : {}) } },
);
process.exit(status ?? 1);
