// Whether research finds what answers a question: over the real server, on questions whose files and lines are known
// (SWE-QA-Bench, Apache-2.0), beside ripgrep by keywords and BM25 over whole files; every reference is checked.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { root } from "../scripts/setup.mjs";
import { median, print, printFigure, printTitle } from "./figures.mjs";
import { createBm25, rankByRipgrep } from "./locate/baselines.mjs";
import { checkOut, groupCases, readCases } from "./locate/cases.mjs";
import { untrue } from "./locate/check-report.mjs";
import { startServer } from "./stdio-client.mjs";
import { createTempDir } from "./temp-dir.mjs";

const USAGE = "usage: npm run bench -- locate --cases FILE.jsonl --repos DIR [--lines FILE.jsonl] [--limit N]";
const NEAR_LINES = 10;

const { values } = parseArgs({
  options: {
    cases: { type: "string" },
    repos: { type: "string" },
    lines: { type: "string" },
    limit: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help || values.cases === undefined || values.repos === undefined) {
  print(USAGE);
  process.exit(values.help ? 0 : 2);
}

const dir = createTempDir();
const linesFile = values.lines ?? join(dirname(values.cases), "swe-qa-dev.jsonl");
const goldLines = new Map();
for (const one of existsSync(linesFile) ? readCases(linesFile) : []) {
  const key = `${one.repo}\0${one.question}`;
  goldLines.set(key, [...(goldLines.get(key) ?? []), one]);
}

const seen = { all: 0, first: 0, three: 0, ten: 0, lineCases: 0, near: 0, references: 0, untrue: [] };
const baselines = { ripgrep: { first: 0, three: 0, ten: 0 }, bm25: { first: 0, three: 0, ten: 0 } };
const figures = { tokens: [], firstMs: [], laterMs: [], memoryMb: [] };
for (const group of groupCases(readCases(values.cases))) await measure(group);
report();

async function measure(group) {
  const checkout = checkOut(group, { repos: values.repos, into: dir });
  const bm25 = createBm25(checkout);
  const server = startServer(
    process.execPath,
    [join(root, "packages/research/dist/mcp-research.js"), "--root", checkout],
    {
      cwd: dir,
      env: { PATH: process.env.PATH, HOME: dir, JEEVES_STATE_DIR: join(dir, "state") },
    },
  );
  try {
    await server.listTools();
    const cases = values.limit === undefined ? group.cases : group.cases.slice(0, Number(values.limit));
    for (const [n, one] of cases.entries()) {
      const since = performance.now();
      const result = await server.call("research_codebase", { question: one.question });
      (n === 0 ? figures.firstMs : figures.laterMs).push(performance.now() - since);
      score(one, result.content[0].text, checkout);
      tally(baselines.ripgrep, one, rankByRipgrep(checkout, one.question));
      tally(baselines.bm25, one, bm25(one.question));
    }
    figures.memoryMb.push(server.memory()?.peak ?? Number.NaN);
  } finally {
    await server.close();
  }
}

function score(one, text, checkout) {
  const answer = JSON.parse(text);
  const references = answer.locator.value?.references ?? [];
  const files = [...new Set(references.map((reference) => reference.replace(/:\d+$/, "")))];
  tally(seen, one, files);
  seen.all++;
  seen.references += references.length;
  seen.untrue.push(...untrue(answer, checkout));
  figures.tokens.push(countTokens(text));
  const gold = goldLines.get(`${one.repo}\0${one.question}`);
  if (gold === undefined) return;
  seen.lineCases++;
  const cited = [...references, ...(answer.analyzer?.value?.references ?? [])];
  if (cited.some((reference) => isNear(reference, gold))) seen.near++;
}

function isNear(reference, gold) {
  const [, path, line] = /^(.+?)(?::(\d+))?$/.exec(reference);
  if (line === undefined) return false;
  return gold.some(
    (one) => one.path === path && one.gold.some(([from, to]) => line >= from - NEAR_LINES && line <= to + NEAR_LINES),
  );
}

function tally(into, one, files) {
  if (one.files.includes(files[0])) into.first++;
  if (files.slice(0, 3).some((file) => one.files.includes(file))) into.three++;
  if (one.files.every((file) => files.slice(0, 10).includes(file))) into.ten++;
}

function report() {
  const percent = (count, all = seen.all) => (100 * count) / Math.max(1, all);
  printTitle(`locate: ${seen.all} questions`);
  for (const [name, one] of [
    ["research", seen],
    ["ripgrep by keywords", baselines.ripgrep],
    ["BM25 over whole files", baselines.bm25],
  ]) {
    const isOurs = one === seen;
    const show = (what, count, target) =>
      printFigure(`${name}: ${what}`, percent(count), {
        unit: " %",
        digits: 1,
        ...(isOurs ? { atLeast: target } : {}),
      });
    show("first file is right", one.first, 87);
    show("one of the first three", one.three, 94);
    show("all files among ten", one.ten, 84);
  }
  printFigure("a cited line within 10 of a right one", percent(seen.near, seen.lineCases), {
    unit: " %",
    digits: 1,
    note: "target ≥ 60 %",
  });
  printFigure("tokens of an answer (o200k), median", median(figures.tokens), { digits: 0, atMost: 700 });
  printFigure("tokens of an answer (o200k), most", Math.max(...figures.tokens), { digits: 0 });
  printFigure("first question, slowest repository", Math.max(...figures.firstMs), {
    unit: " ms",
    digits: 0,
    atMost: 3_000,
  });
  printFigure("later questions, median", median(figures.laterMs), { unit: " ms", digits: 0, atMost: 300 });
  printFigure("later questions, slowest", Math.max(...figures.laterMs), { unit: " ms", digits: 0 });
  printFigure("peak memory, largest repository", Math.max(...figures.memoryMb), {
    unit: " MB",
    digits: 0,
    atMost: 400,
  });
  printFigure("untrue references and quotes", seen.untrue.length, {
    digits: 0,
    atMost: 0,
    note: `of ${seen.references} references`,
  });
  for (const wrong of seen.untrue.slice(0, 10)) print(`    ${wrong}`);
}
