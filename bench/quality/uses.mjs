#!/usr/bin/env node
// Results of agents' tools: how many of the lines that the agent used later survive, in how little text, beside BM25 at the
// same number of characters; and whether an outline leads to them.
//   node bench/quality/uses.mjs --cases FILE.jsonl [--folds DIR] [--per-class N] [--by set|repo] [--focus PARTS] [--json]
// The cases' fields are in train/README.md. --folds DIR is what train/fit.py wrote: each case is ranked with weights that
// never saw its project. --plain ranks every text as for a question.
import { parseArgs } from "node:util";
import { readUses } from "../../train/uses.mjs";
import { loadEngine } from "../prune/load-engine.mjs";
import { baselineScores } from "./bm25.mjs";
import { charsOf, fill } from "./charge.mjs";
import { openFolds } from "./folds.mjs";

const { values: opt } = parseArgs({
  options: {
    cases: { type: "string" },
    folds: { type: "string" },
    "per-class": { type: "string", default: "100" },
    classes: { type: "string", default: "read,read-range,search,test,run,git,other" },
    by: { type: "string", default: "" },
    focus: { type: "string", default: "asked,user,thought" },
    plain: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
if (!opt.cases) {
  console.error(
    "node bench/quality/uses.mjs --cases FILE.jsonl [--folds DIR] [--per-class N] [--classes LIST] [--by set|repo] [--focus asked,user,thought,thinking] [--plain] [--json]",
  );
  process.exit(2);
}
const SHARES = [0.1, 0.2, 0.45];
const { prune, createTreeSitterGrammars, extra } = await loadEngine("bench/quality/ranker-entry.mjs");
const grammars = createTreeSitterGrammars();
const foldOf = opt.folds === undefined ? undefined : openFolds(opt.folds, extra);
const rows = new Map();
const [classes, parts] = [opt.classes.split(","), opt.focus.split(",")];
const cases = readUses(opt.cases, { perClass: Number(opt["per-class"]), classes, parts });
for (const one of cases) {
  const lines = one.text.split("\n");
  const used = new Set(one.gold.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from - 1 + i)));
  const recall = (kept) => [...used].filter((i) => kept[i]).length / used.size;
  const scores = baselineScores(lines, one.focus);
  const order = lines.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || a - b);
  const use = opt.plain ? undefined : extra.useOf(one.class);
  const options = {
    ...{ focus: one.focus, path: one.path, grammars },
    ...(use === undefined ? {} : { use, ...(foldOf && { ranker: foldOf(one.repo, use) }) }),
  };
  if (one.class === "read") await judgeOutline(one, { lines, used, options });
  for (const keep of SHARES) {
    const pruned = await prune(one.text, { ...options, amount: { mode: "share", keep, isLeast: true } });
    const chars = charsOf(pruned.kept, lines);
    add(one, `${keep * 100} %`, {
      kept_chars: chars / (one.text.length + 1),
      recall: recall(pruned.kept),
      bm25: recall(fill(order, lines, chars)),
    });
  }
}

/** Whether an outline shows the header of the innermost named scope of each used line, and its size. */
async function judgeOutline(one, { lines, used, options }) {
  let scopes = [];
  const inner = options.ranker ?? (await extra.loadLearnedRanker(options.use));
  const ranker = {
    rank(input) {
      scopes = input.outline.scopes;
      return inner.rank(input);
    },
  };
  const amount = { mode: "share", keep: 0.5 };
  const outline = { keep: 0.1, most: 0.2 };
  const { asOutline } = await prune(one.text, { ...options, ranker, amount, outline });
  if (asOutline === undefined) return;
  const { kept } = asOutline;
  const named = scopes.filter(({ kind, name }) => name !== "" && ["class", "function", "section"].includes(kind));
  const led = [...used].filter((i) => {
    const scope = named.findLast(({ lead, end }) => lead <= i && i <= end);
    return scope === undefined ? kept[i] !== 0 || named.length === 0 : kept[scope.start] !== 0;
  });
  const inScopes = [...used].filter((i) => named.some(({ lead, end }) => lead <= i && i <= end));
  const chars = charsOf(kept, lines) / (one.text.length + 1);
  const headers = inScopes.length === 0 ? 1 : inScopes.filter((i) => led.includes(i)).length / inScopes.length;
  const shown = [...used].filter((i) => kept[i]).length / used.size;
  add(one, "outline", { kept_chars: chars, recall: shown, bm25: 0, headers });
}

function add(one, mode, values) {
  const group = opt.by === "" ? "" : `${one[opt.by]} `;
  const key = `${group}${one.class} ${mode}`;
  if (!rows.has(key)) rows.set(key, { cases: 0 });
  const row = rows.get(key);
  row.cases++;
  for (const [name, value] of Object.entries(values)) row[name] = (row[name] ?? 0) + value;
}

const table = {};
for (const [key, { cases: count, ...sums }] of [...rows].sort()) {
  table[key] = { cases: count };
  for (const [name, sum] of Object.entries(sums)) table[key][name] = Math.round((sum / count) * 1000) / 1000;
  table[key].lead = Math.round((table[key].recall - table[key].bm25) * 1000) / 1000;
}
if (opt.json) console.log(JSON.stringify(table));
else console.table(table);
