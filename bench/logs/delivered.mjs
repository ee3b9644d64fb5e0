#!/usr/bin/env node
// What reaches Claude Code of ten failing runs when a command that prints them ends in failure under `jeeves-exec`:
// tokens (o200k), and the planted facts that are missing.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { createTempDir } from "../temp-dir.mjs";

const EXEC = fileURLToPath(new URL("../../packages/cli/bin/jeeves-exec", import.meta.url));
const OUTPUTS = fileURLToPath(new URL("./outputs-seen.jsonl.gz", import.meta.url));
/** One of each tool, with its failure in the middle. */
const NAMES = "pytest unittest node-test vitest jest-many mocha cargo-test go-test maven-test tsc"
  .split(" ")
  .map((tool) => `${tool}-middle`);

const dir = createTempDir();
const env = { PATH: process.env.PATH, HOME: dir, JEEVES_STATE_DIR: join(dir, "state"), JEEVES_NODE: process.execPath };
const outputs = gunzipSync(readFileSync(OUTPUTS))
  .toString("utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line))
  .filter(({ name }) => NAMES.includes(name));
const rows = outputs.map(({ name, must, text }) => {
  writeFileSync(join(dir, "run.out"), text);
  const args = ["--client=claude-code", `--session=${name}`, "cat run.out; exit 1"];
  const shown = spawnSync(EXEC, args, { cwd: dir, env, maxBuffer: 1 << 26 }).stdout.toString("utf8");
  const missed = must.filter((words) => !shown.includes(words)).length;
  return { output: name, tokens: countTokens(text), delivered: countTokens(shown), missed };
});
const sum = (field) => rows.reduce((total, row) => total + row[field], 0);
console.table([...rows, { output: "all", tokens: sum("tokens"), delivered: sum("delivered"), missed: sum("missed") }]);
