// Runs a development tool of ours (`tsc`, `biome`) after making sure that it is installed.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, root } from "./setup.mjs";

const [tool, ...args] = process.argv.slice(2);
if (tool === undefined) {
  process.stderr.write("usage: node scripts/tool.mjs TOOL [ARGS…]\n");
  process.exit(2);
}
ensureInstalled();
const done = spawnSync(join(root, "node_modules", ".bin", tool), args, { cwd: root, stdio: "inherit" });
process.exit(done.status ?? 1);
