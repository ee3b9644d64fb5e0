#!/usr/bin/env node
// Writes what the ranker sees of the lines of every case, and whether a line is gold:
//   node train/dump.mjs --cases FILE… --repos DIR --out DIR [--uses FILE] [--per-class N] [--others 0.3]
// OUT/rows.i16 (row by row), OUT/gold.u8, OUT/line.u32 (its number in its text), OUT/meta.json. --cases are questions about
// files, --uses results of tools with the lines that were used later. The extractor is the one that serves. Of the lines
// that are not gold it takes a share, the same ones every time.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { loadEngine } from "../bench/prune/load-engine.mjs";
import { captureColumns } from "./capture.mjs";
import { openClones, readCases } from "./clones.mjs";
import { readUses } from "./uses.mjs";

const { values: opt } = parseArgs({
  options: {
    cases: { type: "string", multiple: true, default: [] },
    uses: { type: "string" },
    repos: { type: "string", default: "." },
    out: { type: "string" },
    "per-class": { type: "string", default: "400" },
    classes: { type: "string" },
    others: { type: "string", default: "0.3" },
  },
});
if ((opt.cases.length === 0 && !opt.uses) || !opt.out) {
  console.error(
    "node train/dump.mjs --cases FILE… --repos DIR --out DIR [--uses FILE] [--per-class N] [--others SHARE]",
  );
  process.exit(2);
}
const engine = await loadEngine("train/extractor-entry.mjs");
const grammars = engine.createTreeSitterGrammars();
mkdirSync(opt.out, { recursive: true });
const files = Object.fromEntries(
  ["rows.i16", "gold.u8", "line.u32"].map((name) => [name, openSync(join(opt.out, name), "w")]),
);
const meta = { features: [], cases: [] };
/** The same numbers on every run. */
let state = 1;
const draw = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

async function dump(text, { focus, path, kind, gold: ranges }, about) {
  const columns = await captureColumns(engine, text, { focus, path, kind, grammars });
  if (columns === undefined) return;
  const n = columns[0][1].length;
  const gold = new Uint8Array(n);
  for (const [first, last] of ranges) gold.fill(1, first - 1, last);
  const others = Number(opt.others);
  const taken = [];
  for (let i = 0; i < n; i++) if (draw() < others || gold[i] === 1) taken.push(i);
  const rows = new Int16Array(taken.length * columns.length);
  columns.forEach(([, values], f) => {
    taken.forEach((i, r) => {
      rows[r * columns.length + f] = values[i];
    });
  });
  writeSync(files["rows.i16"], new Uint8Array(rows.buffer));
  writeSync(
    files["gold.u8"],
    Uint8Array.from(taken, (i) => gold[i]),
  );
  writeSync(files["line.u32"], new Uint8Array(Uint32Array.from(taken).buffer));
  meta.features = columns.map(([name]) => name);
  meta.cases.push({ ...about, lines: n, rows: taken.length, golds: gold.reduce((a, b) => a + b, 0) });
}

const clones = openClones(opt.repos);
for (const file of opt.cases) {
  for (const one of readCases(file)) {
    if (one.text === undefined && !clones.has(one.repo)) continue;
    const { question: focus, path, gold } = one;
    const about = { set: one.set ?? basename(file, ".jsonl"), repo: one.repo, use: "question" };
    await dump(clones.textOf(one), { focus, path, kind: "code", gold }, about);
  }
  console.error(`${file}: ${meta.cases.length} cases`);
}
if (opt.uses !== undefined) {
  const classes = opt.classes?.split(",");
  for (const one of readUses(opt.uses, { perClass: Number(opt["per-class"]), ...(classes && { classes }) })) {
    const { focus, path, gold, set, repo, use, class: name, id } = one;
    await dump(one.text, { focus, path, gold }, { set, repo, use, class: name, id });
  }
}
for (const file of Object.values(files)) closeSync(file);
writeFileSync(join(opt.out, "meta.json"), JSON.stringify({ ...meta, others: Number(opt.others) }));
console.error(`${meta.cases.length} cases, ${meta.features.length} features`);
