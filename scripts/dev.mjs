// `npm run dev`: watches the packages and the tests. After a change it builds the bins, checks the types and runs the
// tests that import what changed (vitest's `related`), one after the other; a change meanwhile starts the round again.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled, root } from "./setup.mjs";
import { watchTree } from "./watch-tree.mjs";

const HELP = `npm run dev [-- --no-build] [--no-types] [--no-tests]

Watches packages/*/src, packages/*/test and test/. When files change:
  1. builds the bins, if a source changed     (npm run build)
  2. checks the types                         (npm run typecheck)
  3. runs the tests that import what changed  (vitest related)
Much imports packages/base, so a change there runs most tests. Tests that start a bin do not import its sources: name them yourself (npm test -- packages/cli).

  --no-build, --no-types, --no-tests   leave a step out
  --help                               this text
Ctrl-C ends it and what it started; a second one kills.
`;
const WATCHED = /^(?:packages\/[^/]+\/(?:src|test)|test)\/.*\.(?:ts|tsx|css)$/;
/** Editors write a file in several steps, and a checkout many files. */
const SETTLE_MS = 200;

/** The options given, or the exit code of a call that ends here. */
function readOptions() {
  const flag = { type: "boolean", default: false };
  try {
    const { values } = parseArgs({ options: { "no-build": flag, "no-types": flag, "no-tests": flag, help: flag } });
    if (!values.help) return values;
    process.stdout.write(HELP);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`dev: ${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}

const options = readOptions();
/** Files that changed since the last green round. */
const unchecked = new Set();
let hasNews = false;
let isRunning = false;
let isEnding = false;
let child;
let timer;

const say = (text) => process.stdout.write(`dev: ${text}\n`);

/** Runs a step in a process group of its own; whether it succeeded. */
function step(name, args) {
  return new Promise((done) => {
    say(name);
    child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], detached: true });
    child.once("error", (error) => say(`${name}: ${error.message}`));
    child.once("close", (code, signal) => {
      child = undefined;
      if (code !== 0 && !isEnding) say(`${name} failed (${signal ?? `exit code ${code}`})`);
      done(code === 0);
    });
  });
}

/** The steps that follow a change of these files. */
function stepsFor(files) {
  const there = files.filter((file) => existsSync(join(root, file)));
  const steps = [];
  if (!options["no-build"] && files.some((file) => /^packages\/[^/]+\/src\//.test(file)))
    steps.push(["build", [join("scripts", "build.mjs")]]);
  if (!options["no-types"]) steps.push(["typecheck", [join("scripts", "tool.mjs"), "tsc", "-b"]]);
  if (!options["no-tests"] && there.length > 0) {
    const vitest = join("node_modules", "vitest", "vitest.mjs");
    steps.push(["tests", [vitest, "related", "--run", "--passWithNoTests", ...there]]);
  }
  return steps;
}

/** Runs rounds until no file changed during the last one. A step that fails ends its round. */
async function work() {
  if (isRunning) return;
  isRunning = true;
  while (hasNews && !isEnding) {
    hasNews = false;
    const files = [...unchecked].sort();
    say(`changed: ${files.slice(0, 5).join(", ")}${files.length > 5 ? ` and ${files.length - 5} more` : ""}`);
    let isGreen = true;
    for (const [name, args] of stepsFor(files)) {
      isGreen = await step(name, args);
      if (!isGreen || hasNews || isEnding) break;
    }
    if (hasNews || isEnding) continue;
    // After a failure the next round has these files again: some of their tests have not run.
    if (isGreen) unchecked.clear();
    say(isGreen ? "all green; watching" : "watching");
  }
  isRunning = false;
}

/** Ends what runs, its whole group (vitest's workers, their tests' children), then this program. */
function end(signal) {
  if (child?.pid !== undefined) process.kill(-child.pid, isEnding ? "SIGKILL" : signal);
  if (isEnding) return;
  isEnding = true;
  clearTimeout(timer);
  stopWatching();
  if (child === undefined) process.exit(0);
  child.once("close", () => process.exit(0));
}

ensureInstalled();
const stopWatching = watchTree(root, ["packages", "test"], (file) => {
  if (!WATCHED.test(file)) return;
  unchecked.add(file);
  hasNews = true;
  clearTimeout(timer);
  timer = setTimeout(work, SETTLE_MS);
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(signal));
say("watching packages and test; Ctrl-C ends (--help for options)");
