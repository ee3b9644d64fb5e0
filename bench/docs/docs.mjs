#!/usr/bin/env node
// Docs of real projects: a heading is the question, the text under it the answer. The heading's own line is taken out
// of the text first, so that the body has to speak for itself. Against BM25 on lines at the same number of characters.
//   node bench/docs/docs.mjs --repos DIR [--per-repo 40] [--json]
// Every removed block is charged 28 characters, for both alike. Of fences and tables it counts those that were torn.
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { openClones } from "../../train/clones.mjs";
import { loadEngine } from "../prune/load-engine.mjs";
import { baselineScores } from "../quality/bm25.mjs";
import { charsOf, fill, MODES } from "../quality/charge.mjs";
import { fencesOf, sectionsOf, tablesOf } from "./read-docs.mjs";

const USAGE = "node bench/docs/docs.mjs --repos DIR [--per-repo N] [--json]";
const { values: opt } = parseArgs({
  options: {
    repos: { type: "string" },
    "per-repo": { type: "string", default: "40" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (opt.help) {
  console.log(USAGE);
  process.exit(0);
}
if (!opt.repos) {
  console.error(USAGE);
  process.exit(2);
}
const LEAST_LINES = 80;
const LEAST_BODY = 3;
const MOST_SHARE = 0.3;
const SKIP =
  /^(?:changelog|changes|history|authors|license|contributing|installation|install|usage|examples?|notes?)$/i;

function casesOf(text) {
  const lines = text.split("\n");
  const sections = sectionsOf(lines);
  const cases = [];
  if (lines.length < LEAST_LINES || sections.length < 5) return cases;
  for (const { first, last, bodyEnd, title } of sections) {
    const gold = [];
    for (let i = last + 1; i <= bodyEnd; i++) if (lines[i].trim() !== "") gold.push(i);
    const words = stems(title);
    if (SKIP.test(title) || words.length < 2 || gold.length < LEAST_BODY) continue;
    if (gold.reduce((sum, i) => sum + lines[i].length + 1, 0) > text.length * MOST_SHARE) continue;
    const body = new Set(stems(gold.map((i) => lines[i]).join(" ")));
    // A body that has no word of its title cannot be found by words.
    if (!words.some((word) => body.has(word))) continue;
    const shown = lines.map((line, i) => (i === first ? line.replace(title, "Part") : line));
    cases.push({ lines: shown, question: `how does it deal with ${title}?`, gold });
  }
  return cases;
}
function stems(text) {
  return [...text.toLowerCase().matchAll(/[a-z][a-z0-9]{2,}/g)].map(([word]) => word.replace(/(?:ing|ed|es|s)$/, ""));
}

const { prune } = await loadEngine();
const clones = openClones(opt.repos);
const all = [];
for (const dir of readdirSync(opt.repos)) {
  const repo = dir.replace("+", "/");
  if (!dir.includes("+") || !clones.has(repo)) continue;
  const paths = clones.git(repo, "ls-tree", "-r", "--name-only", "HEAD").split("\n");
  const docs = paths.filter(
    (path) =>
      /\.(?:md|rst|adoc|asciidoc)$/i.test(path) && !/change|history|release|whats-new|migrations?\//i.test(path),
  );
  const found = docs.flatMap((path) =>
    casesOf(clones.textOf({ repo, commit: "HEAD", path })).map((one) => ({ ...one, path, repo })),
  );
  const most = Math.min(found.length, Number(opt["per-repo"]));
  for (let k = 0; k < most; k++) all.push(found[Math.floor((k * found.length) / most)]);
}
const sums = MODES.map(() => ({
  kept: 0,
  recall: 0,
  none: 0,
  bm25: 0,
  fences: 0,
  torn: 0,
  tables: 0,
  headless: 0,
  ms: 0,
  lines: 0,
}));
for (const { lines, question, gold, path } of all) {
  const text = lines.join("\n");
  const scores = baselineScores(lines, question);
  const order = lines.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || a - b);
  const recall = (kept) => gold.filter((i) => kept[i]).length / gold.length;
  const [fences, tables] = [fencesOf(lines), tablesOf(lines)];
  for (const [m, { amount }] of MODES.entries()) {
    const start = performance.now();
    const { kept } = await prune(text, { focus: question, path, amount });
    const sum = sums[m];
    sum.ms += performance.now() - start;
    sum.lines += lines.length;
    const budget = charsOf(kept, lines);
    sum.kept += budget / text.length;
    sum.recall += recall(kept);
    if (recall(kept) === 0) sum.none++;
    sum.bm25 += recall(fill(order, lines, budget));
    for (const { first, last } of fences) {
      const inside = kept.slice(first, last + 1).filter((why) => why !== 0).length;
      if (inside === 0) continue;
      sum.fences++;
      if (inside < last - first + 1) sum.torn++;
    }
    for (const { first, last, head } of tables) {
      if (kept.slice(first, last + 1).every((why) => why === 0)) continue;
      sum.tables++;
      if (kept.slice(first, head + 1).some((why) => why === 0)) sum.headless++;
    }
  }
}
const report = MODES.map(({ name }, m) => {
  const sum = sums[m];
  const mean = (x) => Math.round((x / all.length) * 1000) / 1000;
  const share = (part, whole) => Math.round((1 - part / Math.max(1, whole)) * 1000) / 1000;
  return {
    cases: all.length,
    mode: name,
    kept_chars: mean(sum.kept),
    recall: mean(sum.recall),
    bm25: mean(sum.bm25),
    lead: mean(sum.recall - sum.bm25),
    missed_all: mean(sum.none),
    fences_whole: `${share(sum.torn, sum.fences)} of ${sum.fences}`,
    tables_with_header: `${share(sum.headless, sum.tables)} of ${sum.tables}`,
    ms_per_1k_lines: Math.round((sum.ms / sum.lines) * 10000) / 10,
  };
});
if (opt.json) console.log(JSON.stringify(report));
else console.table(report);
