#!/usr/bin/env node
// How many of the lines that matter survive, in how little text: the engine in process, against BM25 and the head of
// the file at the same number of characters.
// Every removed block is charged 28 characters, for all alike. Cases and clones are not part of this project; --help.
import { parseArgs } from "node:util";
import { openClones, readCases } from "../../train/clones.mjs";
import { loadEngine } from "../prune/load-engine.mjs";
import { baselineScores } from "./bm25.mjs";
import { charsOf, fill, MODES } from "./charge.mjs";
import { openFolds } from "./folds.mjs";

const USAGE = `node bench/quality/quality.mjs --cases FILE… --repos DIR [--folds DIR] [--limit N] [--no-grammars] [--no-paths] [--json]

  --cases FILE    JSON lines {repo, commit, path, question, gold: [[first, last]…]}, or with the text itself in place of
                  the commit, as train/make-cases.mjs writes them; may be given several times
  --repos DIR     clones: DIR/<owner>+<name>/repo (bare), DIR/<owner>+<name> or DIR/<name>
  --folds DIR     what train/fit.py wrote: each case is ranked with weights that never saw its repository; without it,
                  with the weights that ship, which were trained on the development sets
  --limit N       N cases of each file, spread evenly
  --no-grammars   scopes by indentation, as in languages without a grammar
  --no-paths      the engine is told neither path nor kind, as over HTTP
  --json          the table as JSON

One row per file and amount: share of the characters kept (28 charged for every removed block), share of the gold lines
kept by the engine, by BM25 and by the head of the file at the same number of characters, the engine's lead over BM25,
share of the cases with 80 % of the gold kept and with none of it, blocks, and milliseconds per 1,000 lines (median).`;
const { values: opt } = parseArgs({
  options: {
    cases: { type: "string", multiple: true },
    repos: { type: "string" },
    folds: { type: "string" },
    limit: { type: "string", default: "0" },
    "no-grammars": { type: "boolean", default: false },
    "no-paths": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (opt.help) {
  console.log(USAGE);
  process.exit(0);
}
if (!opt.cases || !opt.repos) {
  console.error(USAGE);
  process.exit(2);
}

const clones = openClones(opt.repos);
function casesOf(file) {
  const all = readCases(file);
  const found = all.filter((c) => c.text !== undefined || clones.has(c.repo));
  if (found.length < all.length)
    console.error(`${all.length - found.length} cases left out: their repositories are not under --repos`);
  const limit = Number(opt.limit);
  return limit > 0 && limit < found.length
    ? Array.from({ length: limit }, (_, i) => found[Math.floor((i * found.length) / limit)])
    : found;
}

const { prune, createTreeSitterGrammars, extra } = await loadEngine("bench/quality/ranker-entry.mjs");
const foldOf = opt.folds === undefined ? undefined : openFolds(opt.folds, extra);
/** Nothing where the engine's own weights do. */
const rankerOf = (c) => (foldOf === undefined ? {} : { ranker: foldOf(c.repo, undefined, c.question) });
const grammars = opt["no-grammars"] ? {} : { grammars: createTreeSitterGrammars() };
const report = [];
for (const file of opt.cases) {
  const cases = casesOf(file);
  const sums = MODES.map(() => ({ kept: 0, recall: 0, most: 0, none: 0, bm25: 0, head: 0, markers: 0, ms: [] }));
  for (const c of cases) {
    const text = clones.textOf(c);
    const lines = text.split("\n");
    const gold = c.gold.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first - 1 + i));
    const recall = (kept) => gold.filter((i) => kept[i]).length / gold.length;
    const scores = baselineScores(lines, c.question);
    const byScore = lines.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || a - b);
    const byLine = lines.map((_, i) => i);
    for (const [m, { amount }] of MODES.entries()) {
      const start = performance.now();
      const pruned = await prune(text, {
        focus: c.question,
        ...(opt["no-paths"] ? {} : { path: c.path, kind: "code" }),
        amount,
        ...grammars,
        ...rankerOf(c),
      });
      const ms = performance.now() - start;
      const budget = charsOf(pruned.kept, lines);
      const r = recall(pruned.kept);
      const sum = sums[m];
      sum.kept += budget / text.length;
      sum.recall += r;
      sum.most += r >= 0.8 ? 1 : 0;
      sum.none += r === 0 ? 1 : 0;
      sum.bm25 += recall(fill(byScore, lines, budget));
      sum.head += recall(fill(byLine, lines, budget));
      sum.markers += pruned.blocks.length;
      sum.ms.push((ms / lines.length) * 1000);
    }
  }
  sums.forEach((sum, m) => {
    const mean = (x) => Math.round((x / cases.length) * 1000) / 1000;
    report.push({
      cases: `${file.slice(file.lastIndexOf("/") + 1)} (${cases.length})`,
      mode: MODES[m].name,
      kept_chars: mean(sum.kept),
      recall: mean(sum.recall),
      bm25: mean(sum.bm25),
      head: mean(sum.head),
      lead: mean(sum.recall - sum.bm25),
      recall_ge_80: mean(sum.most),
      missed_all: mean(sum.none),
      markers: mean(sum.markers),
      ms_per_1k_lines: Math.round((sum.ms.sort((a, b) => a - b)[sum.ms.length >> 1] ?? 0) * 10) / 10,
    });
  });
}
if (opt.json) console.log(JSON.stringify(report));
else console.table(report);
