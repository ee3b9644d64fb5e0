#!/usr/bin/env node
// Turns what train/fit.py wrote into the module that ships:
//   node train/write-weights.mjs --weights DIR/all.json
// The module is data: arrays as base64, nothing to read. What it was made of stands in train/README.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: opt } = parseArgs({ options: { weights: { type: "string" } } });
if (!opt.weights) {
  console.error("node train/write-weights.mjs --weights FILE");
  process.exit(2);
}
const data = JSON.parse(readFileSync(opt.weights, "utf8"));
const fields = ["root", "feature", "threshold", "left", "right"].map((name) => `  ${name}:\n    "${data[name]}",\n`);
const out = fileURLToPath(new URL("../packages/prune/src/rank/learned/weights.ts", import.meta.url));
writeFileSync(
  out,
  `// Made by train/write-weights.mjs, not by hand: ${data.trees} boosted trees, ${data.nodes} nodes. What they were trained on, and how to
// make them again: train/README.md. Read only by load-ranker.ts, and lazily.
import type { TreeData } from "./trees.ts";

export const WEIGHTS: TreeData = {
  features: ${JSON.stringify(data.features)},
${fields.join("")}};
`,
);
