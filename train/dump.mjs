#!/usr/bin/env node
// Writes what the ranker sees of every line of every case, and whether the line is gold:
//   node train/dump.mjs --cases FILE… --repos DIR --out DIR
// OUT/rows.i16 (row by row), OUT/gold.u8, OUT/meta.json. The extractor is the one that serves.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { loadEngine } from "../bench/prune/load-engine.mjs";
import { openClones, readCases } from "./clones.mjs";

const { values: opt } = parseArgs({
  options: { cases: { type: "string", multiple: true }, repos: { type: "string" }, out: { type: "string" } },
});
if (!opt.cases || !opt.repos || !opt.out) {
  console.error("node train/dump.mjs --cases FILE… --repos DIR --out DIR");
  process.exit(2);
}
const { createTreeSitterGrammars, extra } = await loadEngine("train/extractor-entry.mjs");
const grammars = createTreeSitterGrammars();
const clones = openClones(opt.repos);
mkdirSync(opt.out, { recursive: true });
const rowsFile = openSync(join(opt.out, "rows.i16"), "w");
const goldFile = openSync(join(opt.out, "gold.u8"), "w");
const meta = { features: [], cases: [] };
for (const file of opt.cases) {
  for (const one of readCases(file)) {
    if (!clones.has(one.repo)) continue;
    const table = extra.splitLines(clones.textOf(one));
    const n = table.count;
    const outline = await extra.segment(table, { kind: "code", path: one.path, grammars, shouldStop: () => false });
    const { columns } = extra.extractColumns({ table, focus: extra.parseFocus(one.question), outline });
    const rows = new Int16Array(n * columns.length);
    columns.forEach(([, values], f) => {
      for (let i = 0; i < n; i++) rows[i * columns.length + f] = values[i];
    });
    const gold = new Uint8Array(n);
    for (const [first, last] of one.gold) gold.fill(1, first - 1, last);
    writeSync(rowsFile, new Uint8Array(rows.buffer));
    writeSync(goldFile, gold);
    meta.features = columns.map(([name]) => name);
    meta.cases.push({ set: one.set ?? basename(file, ".jsonl"), repo: one.repo, lines: n });
  }
}
closeSync(rowsFile);
closeSync(goldFile);
writeFileSync(join(opt.out, "meta.json"), JSON.stringify(meta));
console.error(`${meta.cases.length} cases, ${meta.features.length} features`);
