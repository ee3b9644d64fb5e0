#!/usr/bin/env node
// Fits the coefficients of the policy (packages/cut/src/policy/coefficients.ts) on recorded results of agents' tools:
//   node train/fit-policy.mjs --cases FILE.jsonl [--folds DIR] [--write]
// FILE.jsonl has a result per line, with the lines that the agent used later; FILE.runs.jsonl what each run paid. Their
// fields are in train/README.md. --folds DIR is what train/fit.py wrote: each result is ranked with weights that never saw
// its project, as any other project's will be. Prints the figures of projects that were left out of the fit.
import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { importBundled } from "../bench/bundle.mjs";
import { openFolds } from "../bench/quality/folds.mjs";
import { fitLogistic } from "./logistic.mjs";
import { judge } from "./replayed-cut.mjs";

const WAYS = ["engine", "outline", "short"];
const TARGET = new URL("../packages/cut/src/policy/coefficients.ts", import.meta.url);
/** What a cut saves at most counts for in the fit, in units of 500 tokens: no result decides alone. */
const MAX_WEIGHT = 4;
const MAX_FOCUS_CHARS = 1_000;
const NEVER = new AbortController().signal;

const { values } = parseArgs({
  options: {
    cases: { type: "string" },
    folds: { type: "string" },
    write: { type: "boolean", default: false },
    help: { type: "boolean" },
  },
});
if (values.help || values.cases === undefined) {
  process.stderr.write("usage: node train/fit-policy.mjs --cases FILE.jsonl [--folds DIR] [--write]\n");
  process.exit(values.help ? 0 : 2);
}

const { cut, priced, extra } = await importBundled("train-policy", {
  cut: "packages/cut/src/index.ts",
  priced: "packages/cut/src/policy/priced.ts",
  extra: "bench/quality/ranker-entry.mjs",
});
const CLASSES = cut.OUTPUT_CLASSES;
const foldOf = values.folds === undefined ? undefined : openFolds(values.folds, extra);
const engine = cut.createInProcessEngine();
/** Whose result is cut. */
let repoNow = "";
const folded = {
  prune: (table, options) =>
    engine.prune(
      table,
      foldOf && options.use && options.use !== "question"
        ? { ...options, ranker: foldOf(repoNow, options.use) }
        : options,
    ),
};
const cutter = cut.createCutter({ engine: folded, env: { JEEVES_MODE: "on" } });
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
  let done = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === "") continue;
    const one = JSON.parse(line);
    const run = byName.get(one.run);
    if (run !== undefined) run.results.push(await cutInEachWay(one, run));
    if (++done % 2_000 === 0) process.stderr.write(`${done} results\n`);
  }
  return [...byName.values()].filter(({ results }) => results.length > 0);
}

/** The candidates that the pipeline gives its policy for this result, each with what it would have been worth. */
async function cutInEachWay(one, run) {
  const { text, path, class: name, ctx, raw_tokens: tokens } = one;
  repoNow = run.repo;
  const situation = { class: name, contextTokens: ctx, repeated: one.repeated ?? 0 };
  const cuts = {};
  const add = (way, pruned, shown) => {
    const judged = judge(one, pruned.kept, run);
    if (judged !== undefined) cuts[way] = { ...judged, tokens: shown };
  };
  let listTokens;
  const policy = {
    isOrder: false,
    gate: priced.pricedPolicy(situation, "keen").gate,
    choose(_shownTokens, candidates) {
      for (const { way, pruned, tokens } of candidates) {
        // A list of matches is weighed by its length alone, and has no other candidate beside it.
        if (pruned === undefined) listTokens = tokens;
        else add(way, pruned, tokens);
      }
      return candidates[0];
    },
  };
  const result = await cutter.cut({
    text,
    focus: focusOf(one),
    policy,
    situation,
    outline: cut.outlineFor(name, text),
    ...(path ? { path } : {}),
    shownTokens: tokens,
    caller: { session: "", client: "", tool: one.tool, dir: "" },
    args: undefined,
    source: { tool: one.tool },
    idOptions: () => ({}),
    signal: NEVER,
  });
  if (result.kind === "cut" && listTokens !== undefined) add("engine", result.pruned, listTokens);
  const used = one.used.reduce((lines, [from, to]) => lines + to - from + 1, 0);
  return { ...situation, ctx, tokens, V: one.V, used, cuts };
}

/** As the hooks make it: the call's own words, what the user asked, what the assistant said. */
function focusOf({ focus, tool }) {
  const { asked = "", user = "", thought = "" } = focus;
  const parts = [tool === "Read" ? "" : asked, user, thought].map((text) => text.trim().slice(0, MAX_FOCUS_CHARS));
  return parts
    .filter((part) => part !== "")
    .join("\n")
    .slice(0, 2 * MAX_FOCUS_CHARS);
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
    sets[run.set] ??= { runs: 0, saved: 0, traced: 0, lose: 0, cuts: 0, asked: 0, used: 0, lost: 0 };
    const row = sets[run.set];
    for (const result of run.results) {
      row.used += result.used;
      const way = chosenWay(result, coefficients, level);
      if (way === undefined) continue;
      const { net: worth, isAsked, lost } = result.cuts[way];
      net += worth;
      if (result.used > 0) row.traced += (100 * worth) / run.bill;
      row.cuts++;
      row.asked += isAsked ? 1 : 0;
      row.lost += lost;
    }
    row.runs++;
    row.saved += (100 * net) / run.bill;
    row.lose += net < 0 ? 1 : 0;
  }
  process.stdout.write(`${level}: % of the bill [only results with a trace of use], projects left out of the fit\n`);
  for (const [set, row] of Object.entries(sets)) process.stdout.write(`  ${set.padEnd(12)} ${toFigures(row)}\n`);
}

function toFigures({ runs: count, saved, traced, lose, cuts, asked, used, lost }) {
  return [
    `${round(saved / count)} [${round(traced / count)}]`,
    `${round((100 * lose) / count)} % lose`,
    `${round(100 - (100 * lost) / used)} % of the used lines kept`,
    `${cuts} cuts`,
    `${round((100 * asked) / cuts)} % asked again`,
  ].join(", ");
}

function chosenWay({ cuts, tokens, ...situation }, coefficients, level) {
  const candidates = Object.entries(cuts).map(([way, cut]) => ({ way, tokens: cut.tokens }));
  return priced.pricedPolicy(situation, level, coefficients).choose(tokens, candidates)?.way;
}

function writeCoefficients(found) {
  const source = readFileSync(TARGET, "utf8");
  const at = source.indexOf("export const COEFFICIENTS");
  const type = 'Readonly<Record<"engine" | "outline" | "short", WayCoefficients>>';
  writeFileSync(
    TARGET,
    `${source.slice(0, at)}export const COEFFICIENTS: ${type} = ${JSON.stringify(found, null, 2)};\n`,
  );
  process.stderr.write("written; npm run format puts it into the house's form\n");
}

function round(number) {
  return Number((number ?? 0).toFixed(2));
}
