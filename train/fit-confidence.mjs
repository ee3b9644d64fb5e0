#!/usr/bin/env node
// Calibrates `confidence`: how often is the first file right, by the signals of the first two? A logistic fit with
// folds by repository; the limits of "high" and "low" come from the chances of repositories that the fit did not see.
//   node train/fit-confidence.mjs --cases FILE… --repos DIR [--rows FILE] [--write]
// --rows keeps the rows, so that a second run need not rank again. --write replaces rank/confidence-weights.ts. Run it
// again whenever the ranker's weights change.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { importBundled } from "../bench/bundle.mjs";
import { checkOut, groupCases, readCases } from "../bench/locate/cases.mjs";
import { root } from "../scripts/setup.mjs";

const USAGE = "usage: node train/fit-confidence.mjs --cases FILE… --repos DIR [--rows FILE] [--write]";
/** Aimed at; X-72 asks for 85 % and 45 %. The ranker's weights have seen these repositories, and lead further there. */
const HIGH_RIGHT = 0.93;
const LOW_RIGHT = 0.41;
const L2 = 0.02;
const ROUNDS = 3_000;

const { values } = parseArgs({
  options: {
    cases: { type: "string", multiple: true },
    repos: { type: "string" },
    rows: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
if (values.cases === undefined || values.repos === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

const { research } = await importBundled("fit-confidence", { research: "train/confidence-entry.mjs" });
const rows = await rowsOf();
const folds = [...new Set(rows.map(({ repo }) => repo))];
const unseen = folds.flatMap((repo) => {
  const weights = fitWeights(rows.filter((row) => row.repo !== repo));
  return rows
    .filter((row) => row.repo === repo)
    .map((row) => ({ chance: chanceOf(row.features, weights), right: row.right }));
});
unseen.sort((a, b) => b.chance - a.chance);
const high = limit(unseen, (right, all) => right / all >= HIGH_RIGHT) ?? 2;
const low = limit([...unseen].reverse(), (right, all) => right / all <= LOW_RIGHT) ?? -1;
const is = (from, to) => unseen.filter(({ chance }) => chance >= from && chance < to);
for (const [name, some] of [
  ["high", is(high, 2)],
  ["med", is(low, high)],
  ["low", is(-1, low)],
]) {
  const right = some.filter((one) => one.right).length;
  console.log(
    `${name.padEnd(5)} ${some.length} of ${unseen.length}, right ${((100 * right) / Math.max(1, some.length)).toFixed(1)} %`,
  );
}
console.log(`all   right ${((100 * unseen.filter((one) => one.right).length) / unseen.length).toFixed(1)} %`);
if (values.write) write(fitWeights(rows), high, low);

async function rowsOf() {
  if (values.rows !== undefined && existsSync(values.rows)) return readCases(values.rows);
  const found = [];
  const into = mkdtempSync(join(tmpdir(), "jeeves-confidence-"));
  try {
    for (const group of groupCases(values.cases.flatMap(readCases))) {
      let dir;
      try {
        dir = checkOut(group, { repos: values.repos, into });
      } catch (error) {
        process.stderr.write(`${error.message}\n`);
        continue;
      }
      const keeper = research.createCorpusKeeper({
        indexDir: undefined,
        deny: [],
        maxFileBytes: 2 ** 20,
        maxFiles: 1e6,
      });
      const opening = { signal: new AbortController().signal, scanUntil: Infinity, prefer: async () => new Map() };
      const { corpus } = await keeper.open(dir, opening);
      for (const { repo, question, files } of group.cases) {
        const ranked = research.rankFiles([corpus], research.parseQuestion(question), { count: 2 });
        if (ranked.length === 0) continue;
        found.push({ repo, right: files.includes(ranked[0].path), features: research.confidenceFeatures(ranked) });
      }
      await keeper.settle();
      rmSync(dir, { recursive: true, force: true });
    }
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
  if (values.rows !== undefined) writeFileSync(values.rows, found.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return found;
}

/** The chance from which on (or below which) so many are right, going down from the surest; undefined: none. */
function limit(sorted, holds) {
  let right = 0;
  let at = 0;
  sorted.forEach((one, i) => {
    if (one.right) right++;
    if (i >= 9 && holds(right, i + 1)) at = i + 1;
  });
  const [last, next] = [sorted[at - 1]?.chance, sorted[at]?.chance];
  if (last === undefined) return undefined;
  return Math.round(((last + (next ?? last)) / 2) * 1e4) / 1e4;
}

/** Logistic regression on standardised features, every repository weighing the same. */
function fitWeights(some) {
  const width = research.CONFIDENCE_FEATURES.length;
  const mean = new Float64Array(width);
  const spread = new Float64Array(width).fill(1);
  for (let i = 1; i < width; i++) {
    for (const { features } of some) mean[i] += features[i] / some.length;
    let square = 0;
    for (const { features } of some) square += (features[i] - mean[i]) ** 2 / some.length;
    spread[i] = Math.sqrt(square) || 1;
  }
  const scaled = some.map(({ features, right }) => ({ x: features.map((v, i) => (v - mean[i]) / spread[i]), right }));
  let weights = new Float64Array(width);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = new Float64Array(width);
    for (const { x, right } of scaled) {
      const off = chanceOf(x, weights) - (right ? 1 : 0);
      for (let i = 0; i < width; i++) slope[i] += (off * x[i]) / scaled.length;
    }
    weights = weights.map((w, i) => w - 0.3 * (slope[i] + (i === 0 ? 0 : L2 * w)));
  }
  const plain = weights.map((w, i) => w / spread[i]);
  for (let i = 1; i < width; i++) plain[0] -= plain[i] * mean[i];
  return plain;
}

function chanceOf(features, weights) {
  let sum = 0;
  for (let i = 0; i < features.length; i++) sum += features[i] * weights[i];
  return 1 / (1 + Math.exp(-sum));
}

function write(weights, highFrom, lowBelow) {
  const lines = [...weights].map((w, i) => `  ${+w.toFixed(4)}, // ${research.CONFIDENCE_FEATURES[i]}`);
  const text = `// Made by train/fit-confidence.mjs from ${rows.length} questions about ${folds.length} repositories (SWE-QA-Bench,\n// Apache-2.0; SWE-QA-Pro, MIT); not to be edited by hand.\n\n/** One per CONFIDENCE_FEATURES. */\nexport const CONFIDENCE_WEIGHTS: readonly number[] = [\n${lines.join("\n")}\n];\n/** From this chance on the confidence is "high". */\nexport const HIGH_FROM = ${highFrom};\n/** Below this chance the confidence is "low". */\nexport const LOW_BELOW = ${lowBelow};\n`;
  const file = join(root, "packages/research/src/rank/confidence-weights.ts");
  writeFileSync(file, text);
  console.log(`written: ${file}, ${readFileSync(file).length} bytes`);
}
