// One suite of `.ci/run`: `node scripts/ci-suite.mjs SCRIPT REPORT` runs `npm run SCRIPT` and writes vitest's JSON report.
// Test files that failed are run once more by themselves. What passes then lets the change land, and is named at the end:
// a test that needs a quiet machine is a defect of the test, but not of the change.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { root } from "./setup.mjs";

/** With more failed files than this, nothing is run again. */
const MOST_FILES = 3;

const [script, file] = process.argv.slice(2);
const report = resolve(file);
const status = run(report, []);
if (status === 0) process.exit(0);

const first = read(report);
const failed = first === undefined ? [] : first.testResults.filter((result) => result.status === "failed");
if (failed.length === 0 || failed.length > MOST_FILES) process.exit(status);

const names = failed.map(({ name }) => relative(root, name));
process.stdout.write(`\nFailed, and run once more by themselves: ${names.join(", ")}\n`);
const again = resolve(file.replace(/\.json$/, ".again.json"));
const statusAgain = run(again, names);
const second = read(again);
if (statusAgain !== 0 || second === undefined) process.exit(statusAgain || 1);

const passed = first.testResults.filter((result) => result.status !== "failed");
writeFileSync(report, JSON.stringify({ testResults: [...passed, ...second.testResults], ranTwice: names }));

function run(to, words) {
  rmSync(to, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${to}`];
  const args = ["run", "--silent", script, "--", ...words, ...reporters];
  return spawnSync("npm", args, { cwd: root, stdio: "inherit" }).status ?? 1;
}

function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}
