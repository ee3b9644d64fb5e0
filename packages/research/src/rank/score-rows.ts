// How well each row of numbers answers: fitted linear weights, and on top of them boosted trees for what no sum of
// weights can say. Both are data; the trees add whole numbers, so that the order is the same on every machine.
import { parseTrees, type Trees } from "@jeeves/prune/trees";
import { TREES } from "./tree-weights.ts";

/** A column is a whole number of these to the trees, as train/fit-locate.py cuts it. */
const STEP = 512;
const MOST = 32_767;
/** What a tree's leaf is counted in, and how much trees count beside the weights. */
const LEAF = 4_096;
const TREE_SHARE = 2;

let trees: Trees | undefined;

/** Per row what the trees add to any weights. */
export function treeScores(rows: readonly (readonly number[])[]): Float64Array {
  trees ??= parseTrees(TREES);
  const columns = trees.features.map((_, c) => Int16Array.from(rows, (row) => toWhole(row[c] ?? 0)));
  return Float64Array.from(trees.sum(columns, rows.length), (sum) => (TREE_SHARE * sum) / LEAF);
}

function toWhole(value: number): number {
  return Math.max(-MOST, Math.min(MOST, Math.round(value * STEP)));
}
