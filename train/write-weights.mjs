#!/usr/bin/env node
// Turns what train/fit.py wrote into the modules that ship, one for each use, and one for issues:
//   node train/write-weights.mjs --weights DIR [--use question,issue,read,search,run]
// A module is data: arrays as base64, nothing to read. What it was made of stands in train/README.md.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: opt } = parseArgs({
  options: { weights: { type: "string" }, use: { type: "string", default: "question,issue,read,search,run" } },
});
if (!opt.weights) {
  console.error("node train/write-weights.mjs --weights DIR [--use question,issue,read,search,run]");
  process.exit(2);
}
for (const use of opt.use.split(",")) {
  const data = JSON.parse(readFileSync(join(opt.weights, `all-${use}.json`), "utf8"));
  const fields = ["root", "feature", "threshold", "left", "right"].map((name) => `  ${name}:\n    "${data[name]}",\n`);
  const names = data.features.map((name) => `    "${name}",\n`).join("");
  const out = fileURLToPath(new URL(`../packages/prune/src/rank/learned/weights/${use}.ts`, import.meta.url));
  writeFileSync(
    out,
    `// Made by train/write-weights.mjs, not by hand: ${data.trees} boosted trees, ${data.nodes} nodes. What they were trained on, and how to
// make them again: train/README.md. Read only by load-ranker.ts, and lazily.
import type { TreeData } from "../trees.ts";

export const WEIGHTS: TreeData = {
  features: [
${names}  ],
${fields.join("")}};
`,
  );
}
