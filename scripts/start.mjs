// `npm start -- ARGS` is `jeeves ARGS`; without arguments, `jeeves up`. Sets up what is missing first.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

const PARENT_POLL_MS = 500;

ensureInstalled();
ensureBuilt();
const args = process.argv.slice(2);
const bin = join(root, "packages", "cli", "dist", "jeeves.js");
// npm goes to our own directory; what is asked for is about the one that the caller is in (npm --prefix … start).
const cwd = process.env.INIT_CWD ?? process.cwd();
const child = spawn(process.execPath, [bin, ...(args.length > 0 ? args : ["up"])], { cwd, stdio: "inherit" });
// Whoever ends us means the program: a signal that reached us alone must not leave it running.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// npm hands a signal to its shell alone, which dies of it without a word to us: then we have another parent.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) child.kill("SIGTERM");
}, PARENT_POLL_MS).unref();
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
