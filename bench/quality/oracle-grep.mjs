#!/usr/bin/env node
// Against the best that grep could do: for each case `grep -n -C3` with one word of the question, chosen by an oracle
// that looks at the gold. Two oracles: the word with the best recall, and the word with the best F1 of characters. And
// what a reader without the gold could take: the rarest word that the text has at all, or any of them (the mean).
//   node bench/quality/oracle-grep.mjs --cases FILE… --repos DIR [--folds DIR] [--limit N] [--json]
// grep pays for its line numbers and for `--` between groups, as a reader would; ours for its markers. Ours is measured
// where the engine decides, and cut to the number of characters that each oracle took.
import { parseArgs } from "node:util";
import { openClones, readCases } from "../../train/clones.mjs";
import { loadEngine } from "../prune/load-engine.mjs";
import { charsOf } from "./charge.mjs";
import { openFolds } from "./folds.mjs";

const USAGE = "node bench/quality/oracle-grep.mjs --cases FILE… --repos DIR [--folds DIR] [--limit N] [--json]";
const { values: opt } = parseArgs({
  options: {
    cases: { type: "string", multiple: true },
    repos: { type: "string" },
    folds: { type: "string" },
    limit: { type: "string", default: "0" },
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
const CONTEXT = 3;

/** What `grep -n -i -C3 WORD` prints: the lines, and what they cost. */
function grep(word, lines, lower) {
  const kept = new Uint8Array(lines.length);
  lower.forEach((line, i) => {
    if (line.includes(word)) kept.fill(1, Math.max(0, i - CONTEXT), Math.min(lines.length, i + CONTEXT + 1));
  });
  let chars = 0;
  for (let i = 0; i < lines.length; i++) {
    if (!kept[i]) continue;
    chars += lines[i].length + 1 + String(i + 1).length + 1;
    if (i > 0 && !kept[i - 1] && chars > 0) chars += 3;
  }
  return { word, kept, chars };
}
/** Every word of the question as it stands, and its stem: grep finds a part of a word too. */
function wordsOf(question) {
  const words = new Set();
  for (const [word] of question.toLowerCase().matchAll(/[a-z_][a-z0-9_]{2,}/g)) {
    words.add(word);
    const stem = word.replace(/(?:ations?|ization|ing|ers?|ed|es|s)$/, "");
    if (stem.length > 3) words.add(stem);
  }
  return [...words];
}

const { prune, createTreeSitterGrammars, extra } = await loadEngine("bench/quality/ranker-entry.mjs");
const foldOf = opt.folds === undefined ? undefined : openFolds(opt.folds, extra);
/** Nothing where the engine's own weights do. */
const rankerOf = (c) => (foldOf === undefined ? {} : { ranker: foldOf(c.repo, undefined, c.question) });
const grammars = createTreeSitterGrammars();
const clones = openClones(opt.repos);
const report = [];
for (const file of opt.cases) {
  let cases = readCases(file).filter((one) => clones.has(one.repo));
  const limit = Number(opt.limit);
  if (limit > 0 && limit < cases.length)
    cases = Array.from({ length: limit }, (_, i) => cases[Math.floor((i * cases.length) / limit)]);
  const rows = [
    "grep, best recall (oracle)",
    "ours at its size",
    "grep, best F1 (oracle)",
    "ours at its size ",
    "grep, rarest word",
    "ours at its size  ",
    "grep, any word",
    "ours, adaptive",
  ];
  const sums = new Map(rows.map((name) => [name, { recall: 0, chars: 0, most: 0, none: 0, precision: 0 }]));
  for (const one of cases) {
    const text = clones.textOf(one);
    const lines = text.split("\n");
    const lower = lines.map((line) => line.toLowerCase());
    const gold = one.gold.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first - 1 + i));
    const goldChars = gold.reduce((sum, i) => sum + (lines[i]?.length ?? 0) + 1, 0);
    const recall = (kept) => gold.filter((i) => kept[i]).length / gold.length;
    const precision = (kept, chars) =>
      gold.reduce((sum, i) => sum + (kept[i] ? lines[i].length + 1 : 0), 0) / Math.max(1, chars);
    const f1 = ({ kept, chars }) => {
      const p = precision(kept, chars);
      const r = (p * chars) / Math.max(1, goldChars);
      return p + r === 0 ? 0 : (2 * p * r) / (p + r);
    };
    const tries = wordsOf(one.question).map((word) => grep(word, lines, lower));
    const none = { word: "", kept: new Uint8Array(lines.length), chars: 0 };
    // The better one; of two as good, the shorter.
    const best = (measure) =>
      tries.reduce(
        (a, b) => (measure(b) > measure(a) || (measure(b) === measure(a) && b.chars < a.chars) ? b : a),
        none,
      );
    const add = (name, kept, chars, weight = 1) => {
      const sum = sums.get(name);
      const r = recall(kept);
      sum.recall += r * weight;
      sum.chars += (chars / text.length) * weight;
      sum.precision += precision(kept, chars) * weight;
      sum.most += r >= 0.8 ? weight : 0;
      sum.none += r === 0 ? weight : 0;
    };
    const ours = async (name, amount) => {
      const how = { focus: one.question, path: one.path, kind: "code", amount, grammars, ...rankerOf(one) };
      const { kept } = await prune(text, how);
      add(name, kept, charsOf(kept, lines));
    };
    const seen = tries.filter(({ chars }) => chars > 0);
    const rarest = seen.reduce((a, b) => (a.chars > 0 && a.chars <= b.chars ? a : b), none);
    const chosen = [best(({ kept }) => recall(kept)), best(f1), rarest];
    for (const [k, { kept, chars }] of chosen.entries()) {
      add(rows[2 * k], kept, chars);
      await ours(rows[2 * k + 1], { mode: "share", keep: chars / text.length });
    }
    for (const { kept, chars } of seen) add(rows[6], kept, chars, 1 / seen.length);
    await ours(rows[7], { mode: "auto" });
  }
  for (const [name, sum] of sums) {
    const mean = (x) => Math.round((x / cases.length) * 1000) / 1000;
    report.push({
      cases: `${file.slice(file.lastIndexOf("/") + 1)} (${cases.length})`,
      what: name.trim(),
      kept_chars: mean(sum.chars),
      recall: mean(sum.recall),
      precision: mean(sum.precision),
      recall_ge_80: mean(sum.most),
      missed_all: mean(sum.none),
    });
  }
}
if (opt.json) console.log(JSON.stringify(report));
else console.table(report);
