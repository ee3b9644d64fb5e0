// Whether an answer shows the code that answers: questions whose decisive lines were written down before (C-24, X-68),
// over the real server at two token budgets. Beside it, at the same budgets: plain windows around our own references,
// and `rg -n -C3` with the two words of the question that an oracle chose. Every shown line is held against its file.
//   npm run bench -- answers --repos DIR [--cases FILE.jsonl]… [--limit N] [--ours] [--verbose]
// --ours leaves the two others out, which take most of the time.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { root } from "../../scripts/setup.mjs";
import { print, printFigure, printTitle } from "../figures.mjs";
import { checkOut, groupCases, readCases } from "../locate/cases.mjs";
import { untrue } from "../locate/check-report.mjs";
import { startServer } from "../stdio-client.mjs";
import { createTempDir } from "../temp-dir.mjs";
import { bestGrep, bestWindows } from "./plain.mjs";
import { decisiveShare, referencesOf, shownBy } from "./shown.mjs";

const USAGE = "usage: npm run bench -- answers --repos DIR [--cases FILE.jsonl]… [--limit N] [--ours] [--verbose]";
const LISTS = ["how-questions.jsonl", "fresh-questions.jsonl"];
const BUDGETS = [
  { tokens: 1_500, atLeast: 80 },
  { tokens: 4_000, atLeast: 90 },
];
const LEAD = 10;

const { values } = parseArgs({
  options: {
    cases: { type: "string", multiple: true, default: LISTS.map((name) => join(import.meta.dirname, name)) },
    repos: { type: "string" },
    limit: { type: "string" },
    ours: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    help: { type: "boolean" },
  },
});
if (values.help || values.repos === undefined) {
  print(USAGE);
  process.exit(values.help ? 0 : 2);
}

const dir = createTempDir();
const wrong = [];
for (const file of values.cases) {
  const cases = readCases(file).slice(0, values.limit === undefined ? undefined : Number(values.limit));
  for (const half of new Set(cases.map((one) => one.half))) {
    const some = cases.filter((one) => one.half === half);
    const seen = BUDGETS.map(() => ({
      ours: [],
      windows: [],
      grep: [],
      tokens: [],
      repeated: 0,
      references: 0,
      whole: 0,
    }));
    for (const group of groupCases(some)) await measure(group, seen);
    report(
      half === undefined ? basename(file, ".jsonl") : `${basename(file, ".jsonl")}, to ${half}`,
      some.length,
      seen,
    );
  }
}
printFigure("lines shown that are not in their file", wrong.length, { digits: 0, atMost: 0 });
for (const one of wrong.slice(0, 10)) print(`    ${one}`);

async function measure(group, seen) {
  const checkout = checkOut(group, { repos: values.repos, into: dir });
  const server = startServer(
    process.execPath,
    [join(root, "packages/research/dist/mcp-research.js"), "--root", checkout],
    { cwd: dir, env: { PATH: process.env.PATH, HOME: dir, JEEVES_STATE_DIR: join(dir, "state") } },
  );
  try {
    await server.listTools();
    for (const one of group.cases) {
      for (const [b, budget] of BUDGETS.entries()) await ask(server, one, { checkout, budget, into: seen[b] });
    }
  } finally {
    await server.close();
  }
}

async function ask(server, one, { checkout, budget, into }) {
  const constraints = { maxTokens: budget.tokens };
  const result = await server.call("research_codebase", { question: one.question, constraints });
  const text = result.content[0].text;
  const answer = JSON.parse(text);
  const tokens = countTokens(text);
  const shown = shownBy(answer.evidence ?? []);
  for (const { path, line, text: said } of shown.lines) {
    const real = linesOf(checkout, path)[line - 1];
    const isCut = said.endsWith("…") && real?.startsWith(said.slice(0, -1)); // a line of more than 400 characters
    if (real === undefined || (real !== said && !isCut && !said.includes("[redacted]")))
      wrong.push(`${one.id} ${path}:${line}: ${said}`);
  }
  wrong.push(...untrue(answer, checkout));
  const references = referencesOf(answer);
  const decisive = one.decisive.map(({ path, lines }) => ({ path, lines, source: linesOf(checkout, path) }));
  const tokensMax = budget.tokens;
  const ours = tokens > budget.tokens ? 0 : decisiveShare(decisive, shown.keys);
  into.ours.push(ours);
  into.whole += ours === 1 ? 1 : 0;
  into.tokens.push(tokens);
  into.references += references.length;
  into.repeated += references.length - new Set(references).size;
  if (values.verbose) {
    const first = answer.evidence?.[0]?.reference ?? "-";
    print(`${one.id.padEnd(12)} ${budget.tokens} ${(100 * ours).toFixed(0).padStart(4)} %  ${tokens} tokens  ${first}`);
  }
  if (values.ours) return;
  // More of them than the answer has room for.
  const { content } = await server.call("locate_in_codebase", { question: one.question, constraints });
  const places = JSON.parse(content[0].text).locator.value?.references ?? [];
  into.windows.push(bestWindows(places, { checkout, decisive, tokensMax }));
  into.grep.push(bestGrep(one.question, { checkout, decisive, tokensMax }));
}

function linesOf(checkout, path) {
  return readFileSync(join(checkout, path), "utf8").split("\n");
}

function report(name, count, seen) {
  printTitle(`answers: ${name}, ${count} questions, decisive lines shown`);
  for (const [b, { tokens, atLeast }] of BUDGETS.entries()) {
    const { ours, windows, grep, whole, tokens: used, references, repeated } = seen[b];
    // The window that does best over all questions: one number of references for all of them.
    const plain = Math.max(...(windows[0] ?? [Number.NaN]).map((_, k) => mean(windows.map((each) => each[k]))));
    const mine = mean(ours);
    print(`  within ${tokens} tokens (o200k, the whole answer)`);
    printFigure("decisive lines shown, mean", 100 * mine, { unit: " %", digits: 1, atLeast });
    printFigure("questions with every decisive line", (100 * whole) / ours.length, { unit: " %", digits: 1 });
    if (!values.ours) {
      printFigure("windows around our references", 100 * plain, { unit: " %", digits: 1 });
      printFigure("ahead of the windows, points", 100 * (mine - plain), { digits: 1, atLeast: LEAD });
      printFigure("rg -n -C3, two words chosen by an oracle", 100 * mean(grep), { unit: " %", digits: 1 });
    }
    printFigure("tokens of an answer, mean", mean(used), { digits: 0 });
    printFigure("tokens of an answer, most", Math.max(...used), { digits: 0, atMost: tokens });
    printFigure("references printed twice", repeated, { digits: 0, atMost: 0, note: `of ${references}` });
  }
}

function mean(numbers) {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}
