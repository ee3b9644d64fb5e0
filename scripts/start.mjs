// `npm start -- ARGS` is `jeeves ARGS`; without arguments, `jeeves demo`. Sets up what is missing first.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
const args = process.argv.slice(2);
const bin = join(root, "packages", "cli", "dist", "jeeves.js");
const done = spawnSync(process.execPath, [bin, ...(args.length > 0 ? args : ["demo"])], { stdio: "inherit" });
process.exit(done.status ?? 1);
