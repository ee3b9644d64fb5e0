// Makes packages/research/src/rank/weights.ts from questions whose answering files are known, and says how well weights
// that never saw a repository do on it. usage: node bench/locate/fit-weights.mjs --cases FILE --repos DIR [--write]
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkOut, groupCases, readCases } from "./cases.mjs";
import { fitWeights } from "./fit.mjs";
import { loadRanker } from "./load-ranker.mjs";

const { values } = parseArgs({
  options: { cases: { type: "string" }, repos: { type: "string" }, write: { type: "boolean", default: false } },
});
if (values.cases === undefined || values.repos === undefined) {
  process.stderr.write("usage: node bench/locate/fit-weights.mjs --cases FILE --repos DIR [--write]\n");
  process.exit(2);
}
const MAX_CANDIDATES = 250;
const LEADING = ["best", "file", "coverage", "scopeName", "fileNameShare", "defines", "mentions"];
const CONTENDERS = 40;
const FIT_L2 = 0.003;
const RELATED_L2 = 0.01;
const ranker = await loadRanker();
const folder = mkdtempSync(join(tmpdir(), "jeeves-locate-"));
try {
  const lists = await collect();
  const repos = [...new Set(lists.map((list) => list.repo))];
  const others = (repo) => lists.filter((list) => list.repo !== repo);
  const held = new Map(repos.map((repo) => [repo, fitBoth(others(repo))]));
  report("weights that never saw the repository", (list) => held.get(list.repo));
  const all = fitBoth(lists);
  report("weights of all cases", () => all);
  if (values.write) write(all, { cases: lists.length, repos: repos.length });

  function report(title, weightsFor) {
    let first = 0;
    let all5 = 0;
    for (const list of lists) {
      const order = orderOf(list, weightsFor(list)).slice(0, 5);
      if (list.gold.has(list.candidates[order[0]]?.path)) first++;
      if (order.filter((i) => list.gold.has(list.candidates[i].path)).length === list.gold.size) all5++;
    }
    const share = (count) => `${((100 * count) / lists.length).toFixed(1)} %`;
    process.stdout.write(`${title}: first file ${share(first)}, all among five ${share(all5)} of ${lists.length}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function collect() {
  const lists = [];
  for (const group of groupCases(readCases(values.cases))) {
    const dir = checkOut(group, { repos: values.repos, into: folder });
    const keeper = ranker.createCorpusKeeper({ indexDir: undefined, deny: [], maxFileBytes: 2 ** 20, maxFiles: 1e6 });
    const opening = { signal: new AbortController().signal, scanUntil: Infinity, prefer: async () => new Map() };
    const { corpus } = await keeper.open(dir, opening);
    for (const { question: text, files } of group.cases) {
      const question = ranker.parseQuestion(text);
      const terms = ranker.askedTerms(corpus, question);
      const total = terms.reduce((sum, term) => sum + term.weight * term.rarity, 0);
      const candidates = ranker.signalsOf(corpus, question, { terms, total });
      const gold = new Set(files);
      const rows = ranker.withRelatives(candidates);
      const kept = contenders(candidates, gold);
      lists.push({
        repo: group.repo,
        gold,
        candidates: kept.map((i) => candidates[i]),
        rows: kept.map((i) => rows[i]),
      });
    }
  }
  return lists;
}

/** Those that lead in at least one respect: thousands of others teach nothing and cost hours. */
function contenders(candidates, gold) {
  const kept = new Set(candidates.flatMap((one, i) => (gold.has(one.path) ? [i] : [])));
  for (const name of LEADING) {
    const at = ranker.SIGNALS.indexOf(name);
    const order = [...candidates.keys()].sort((a, b) => candidates[b].signals[at] - candidates[a].signals[at] || a - b);
    for (const i of order.slice(0, CONTENDERS)) kept.add(i);
  }
  return [...kept].sort((a, b) => a - b);
}

/** The first file by fit, then the rest by fit and relations, each trained on what the step before leaves over. */
function fitBoth(lists) {
  const fit = fitWeights(
    lists.map((list) => ({ rows: list.rows, gold: goldOf(list, [...list.rows.keys()]) })),
    { l2: FIT_L2, loss: "list" },
  );
  const related = fitWeights(
    lists.map((list) => {
      const { rest, rows } = secondStep(list, fit);
      return { rows, gold: goldOf(list, rest) };
    }),
    { l2: RELATED_L2, loss: "each" },
  );
  return { fit, related };
}

function goldOf(list, indexes) {
  return indexes.map((i) => (list.gold.has(list.candidates[i].path) ? 1 : 0));
}

function secondStep(list, fit) {
  const scores = list.rows.map((row) => dot(row, fit));
  const order = [...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b).slice(0, MAX_CANDIDATES);
  const relations = ranker.relationsOf(
    order.map((i) => list.candidates[i]),
    order.map((i) => scores[i]),
  );
  const first = scores[order[0]];
  const rows = order.map((i, n) => [...list.rows[i], ...relations[n], scores[i] - first]);
  return { first: order[0], rest: order.slice(1), rows: rows.slice(1) };
}

function orderOf(list, { fit, related }) {
  const { first, rest, rows } = secondStep(list, fit);
  const scores = rows.map((row) => dot(row, related));
  const order = [...rest.keys()].sort((a, b) => scores[b] - scores[a] || a - b);
  return [first, ...order.map((n) => rest[n])];
}

function dot(row, weights) {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += row[i] * weights[i];
  return sum;
}

function write({ fit, related }, from) {
  const names = [...ranker.SIGNALS, ...ranker.RELATIVE.map((name) => `${name}, relative`)];
  const lines = (weights, labels) => weights.map((weight, i) => `  ${weight.toFixed(4)}, // ${labels[i]}`).join("\n");
  const text = `// How much each signal counts. Made by bench/locate/fit-weights.mjs from ${from.cases} questions about ${from.repos} repositories
// (SWE-QA-Bench, Apache-2.0); not to be edited by hand.
import type { SIGNALS } from "./signals.ts";

/** Signals that also count as a share of the best file's. */
export const RELATIVE: readonly (typeof SIGNALS)[number][] = ${JSON.stringify(ranker.RELATIVE)};

/** For the first file: the signals, then the relative ones. */
export const FIT_WEIGHTS: readonly number[] = [
${lines(fit, names)}
];

/** For the files after it: the same, then the relations, then the distance to the first. */
export const RELATED_WEIGHTS: readonly number[] = [
${lines(related, [...names, ...ranker.RELATIONS, "distance to the first"])}
];
`;
  writeFileSync(fileURLToPath(new URL("../../packages/research/src/rank/weights.ts", import.meta.url)), text);
}
