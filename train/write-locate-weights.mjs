// Puts what fit-locate.py found into packages/research/src/rank: weights.ts and tree-weights.ts.
// usage: node train/write-locate-weights.mjs --weights FILE
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadRanker } from "../bench/locate/load-ranker.mjs";

const { values } = parseArgs({ options: { weights: { type: "string" } } });
if (values.weights === undefined) {
  process.stderr.write("usage: node train/write-locate-weights.mjs --weights FILE\n");
  process.exit(2);
}
const { cases, more, repos, first, rest, trees } = JSON.parse(readFileSync(values.weights, "utf8"));
const { COLUMNS } = await loadRanker();
if (first.length !== COLUMNS.length || rest.length !== COLUMNS.length)
  throw new Error(`${first.length} weights for ${COLUMNS.length} columns: collect the rows again`);
const lines = (weights) => weights.map((weight, i) => `  ${Number(weight.toFixed(4))}, // ${COLUMNS[i]}`).join("\n");
const text = `// How much each number of a row counts. Made by train/fit-locate.py from ${cases} questions and issues (SWE-QA-Bench,
// Apache-2.0; public issues and the files that their fixes changed); not to be edited by hand.

/** For the first file; the columns are those of leaders.ts. */
export const FIRST_WEIGHTS: readonly number[] = [
${lines(first)}
];

/** For the files after it. */
export const REST_WEIGHTS: readonly number[] = [
${lines(rest)}
];
`;
const folder = new URL("../packages/research/src/rank/", import.meta.url);
writeFileSync(fileURLToPath(new URL("weights.ts", folder)), text);
// As the formatter puts them: a short name stays beside its value.
const arrays = ["root", "feature", "threshold", "left", "right"].map(
  (name) => `  ${name}:${name.length < 5 ? " " : "\n    "}"${trees[name]}",\n`,
);
writeFileSync(
  fileURLToPath(new URL("tree-weights.ts", folder)),
  `// Made by train/write-locate-weights.mjs, not by hand: ${trees.trees} boosted trees, ${trees.nodes} nodes, from ${cases + more} cases about
// ${repos} repositories. What they were trained on, and how to make them again: train/README.md.
import type { TreeData } from "@jeeves/prune/trees";

export const TREES: TreeData = {
  features: [
${COLUMNS.map((name) => `    "${name}",\n`).join("")}  ],
${arrays.join("")}};
`,
);
