#!/usr/bin/env node
// Fits the coefficients of the policy (packages/cut/src/policy/coefficients.ts) on recorded results of agents' tools:
//   node train/fit-policy.mjs --cases FILE.jsonl [--write]
// FILE.jsonl has a result per line, with the lines that the agent used later; FILE.runs.jsonl what each run paid. Their
// fields are in train/README.md. Prints the figures of projects that were left out of the fit.
import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { importBundled } from "../bench/bundle.mjs";
import { fitLogistic } from "./logistic.mjs";
import { judge } from "./replayed-cut.mjs";

const CLASSES = ["read", "read-range", "search", "test", "run", "git", "other"];
const WAYS = ["engine", "outline"];
const LOGS = new Set(["test", "run"]);
const TARGET = new URL("../packages/cut/src/policy/coefficients.ts", import.meta.url);
/** What a cut saves at most counts for in the fit, in units of 500 tokens: no result decides alone. */
const MAX_WEIGHT = 4;
const MAX_FOCUS_CHARS = 1_000;

const { values } = parseArgs({
  options: { cases: { type: "string" }, write: { type: "boolean", default: false }, help: { type: "boolean" } },
});
if (values.help || values.cases === undefined) {
  process.stderr.write("usage: node train/fit-policy.mjs --cases FILE.jsonl [--write]\n");
  process.exit(values.help ? 0 : 2);
}

const { index, grammars, policy, outlines } = await importBundled("train-policy", {
  index: "packages/prune/src/index.ts",
  grammars: "packages/prune/src/outline/grammars.ts",
  policy: "packages/cut/src/policy/priced.ts",
  outlines: "packages/cut/src/policy/outline-for.ts",
});
const runs = await readRuns(values.cases);
const projects = [...new Set(runs.map(projectOf))];
const leftOut = new Map(projects.map((name) => [name, fitOn(runs.filter((run) => projectOf(run) !== name))]));
for (const level of ["careful", "balanced", "keen"]) report(level);
const all = fitOn(runs);
process.stdout.write(`${JSON.stringify(all, null, 1)}\n`);
if (values.write) writeCoefficients(all);

/** Every run with its results, and what each way to cut them would have been worth. */
async function readRuns(file) {
  const runsFile = file.replace(/\.jsonl$/, ".runs.jsonl");
  const rows = readFileSync(runsFile, "utf8").trim().split("\n");
  const byName = new Map(rows.map((row) => JSON.parse(row)).map((run) => [run.run, { ...run, results: [] }]));
  const parsers = grammars.createTreeSitterGrammars();
  let done = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === "") continue;
    const one = JSON.parse(line);
    const run = byName.get(one.run);
    if (run !== undefined) run.results.push(await cutInEachWay(one, run, parsers));
    if (++done % 2_000 === 0) process.stderr.write(`${done} results\n`);
  }
  return [...byName.values()].filter(({ results }) => results.length > 0);
}

async function cutInEachWay(one, run, parsers) {
  const outline = outlines.outlineFor(one.class);
  const options = { focus: focusOf(one), grammars: parsers, ...(one.path ? { path: one.path } : {}) };
  const sniffed = await index.prune(one.text, { ...options, outline });
  const kind = LOGS.has(one.class) ? "logs" : one.class === "search" ? "matches" : undefined;
  const engine = kind === undefined ? sniffed : await index.prune(one.text, { ...options, kind });
  const isDiff = /^diff --git|^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(one.text);
  const ways = isDiff ? {} : { engine, outline: sniffed.asOutline };
  const cuts = {};
  for (const [way, pruned] of Object.entries(ways)) {
    const cut = pruned?.status === "pruned" ? judge(one, pruned.kept, run) : undefined;
    if (cut !== undefined) cuts[way] = cut;
  }
  return { class: one.class, ctx: one.ctx, repeated: one.repeated ?? 0, tokens: one.raw_tokens, V: one.V, cuts };
}

/** As the hooks make it: the call's own words, what the user asked, what the assistant said. */
function focusOf({ focus, tool }) {
  const { asked = "", user = "", thought = "" } = focus;
  return [tool === "Read" ? "" : asked, user, thought].map((text) => text.trim().slice(0, MAX_FOCUS_CHARS)).join("\n");
}

/** mini-swe-agent's runs are of many small projects: by their first letter. */
function projectOf({ set, run, repo }) {
  return set === "mini-swe" ? `mini-swe ${run.split("/")[1]?.[0] ?? ""}` : repo;
}

function fitOn(chosen) {
  const found = {};
  for (const way of WAYS) {
    const rows = chosen.flatMap(({ results }) => results.filter(({ cuts }) => cuts[way] !== undefined));
    const weights = fitLogistic(
      rows.map((row) => [...CLASSES.map((name) => (row.class === name ? 1 : 0)), row.repeated]),
      rows.map(({ cuts }) => (cuts[way].isAsked ? 1 : 0)),
      rows.map(({ cuts }) => Math.min(MAX_WEIGHT, cuts[way].saved / 500)),
    );
    const classes = Object.fromEntries(
      CLASSES.map((name, k) => [name, { odds: round(weights[k]), back: round(backOf(rows, name, way)) }]),
    );
    found[way] = { classes, repeated: round(weights[CLASSES.length]) };
  }
  return found;
}

/** Of what was asked for again: the share of the saved tokens whose price was paid once more, the turn itself aside. */
function backOf(rows, name, way) {
  const asked = rows.filter((row) => row.class === name && row.cuts[way].isAsked);
  const saved = asked.reduce((sum, { cuts }) => sum + cuts[way].saved, 0);
  const again = ({ cuts, ctx, V }) => Math.max(0, (cuts[way].paid - 0.115 * ctx - 600) / (0.9 * V) - 120);
  return saved === 0 ? 0 : Math.min(1, asked.reduce((sum, row) => sum + again(row), 0) / saved);
}

/** What the policy saves with coefficients that have not seen the project, by set. */
function report(level) {
  const sets = {};
  for (const run of runs) {
    const coefficients = leftOut.get(projectOf(run));
    let net = 0;
    sets[run.set] ??= { runs: 0, saved: 0, lose: 0, cuts: 0, asked: 0 };
    const row = sets[run.set];
    for (const result of run.results) {
      const way = chosenWay(result, coefficients, level);
      if (way === undefined) continue;
      net += result.cuts[way].net;
      row.cuts++;
      row.asked += result.cuts[way].isAsked ? 1 : 0;
    }
    row.runs++;
    row.saved += (100 * net) / run.bill;
    row.lose += net < 0 ? 1 : 0;
  }
  process.stdout.write(`${level}: % of the bill, projects left out of the fit\n`);
  for (const [set, { runs: count, saved, lose, cuts, asked }] of Object.entries(sets)) {
    const figures = [round(saved / count), `${round((100 * lose) / count)} % lose`, `${cuts} cuts`];
    process.stdout.write(`  ${set.padEnd(12)} ${figures.join(", ")}, ${round((100 * asked) / cuts)} % asked again\n`);
  }
}

function chosenWay({ cuts, tokens, ctx, repeated, class: name }, coefficients, level) {
  const candidates = WAYS.filter((way) => cuts[way] !== undefined).map((way) => ({
    way,
    tokens: tokens - cuts[way].saved,
  }));
  const situation = { class: name, contextTokens: ctx, repeated };
  return policy.pricedPolicy(situation, level, coefficients).choose(tokens, candidates)?.way;
}

function writeCoefficients(found) {
  const source = readFileSync(TARGET, "utf8");
  const at = source.indexOf("export const COEFFICIENTS");
  const type = 'Readonly<Record<"engine" | "outline", WayCoefficients>>';
  writeFileSync(
    TARGET,
    `${source.slice(0, at)}export const COEFFICIENTS: ${type} = ${JSON.stringify(found, null, 2)};\n`,
  );
  process.stderr.write("written; npm run format puts it into the house's form\n");
}

function round(number) {
  return Number((number ?? 0).toFixed(2));
}
