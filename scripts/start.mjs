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
// npm changes to our own directory; the command is about the directory of the caller (npm --prefix … start).
const cwd = process.env.INIT_CWD ?? process.cwd();
const child = spawn(process.execPath, [bin, ...(args.length > 0 ? args : ["up"])], { cwd, stdio: "inherit" });
// A signal to this process is meant for the program, which must not be left running.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// npm passes a signal to its shell alone, which ends without passing it on: then we have another parent.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) child.kill("SIGTERM");
}, PARENT_POLL_MS).unref();
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
