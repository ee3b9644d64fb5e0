// Definitions and lines sampled from a project, each asked for by its name or its text: how often the first reference
// is the right line. usage: node bench/locate/spelled.mjs --root DIR [--definitions 500] [--lines 200]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../scripts/setup.mjs";
import { print, printFigure, printTitle } from "../figures.mjs";
import { startServer } from "../stdio-client.mjs";
import { createTempDir } from "../temp-dir.mjs";
import { sampleProject } from "./sample-project.mjs";

const { values } = parseArgs({
  options: {
    root: { type: "string" },
    definitions: { type: "string", default: "500" },
    lines: { type: "string", default: "200" },
  },
});
if (values.root === undefined) {
  process.stderr.write("usage: node bench/locate/spelled.mjs --root DIR [--definitions N] [--lines N]\n");
  process.exit(2);
}
const dir = createTempDir();
const { definitions, lines } = sampleProject(values.root, Number(values.definitions), Number(values.lines));
const server = startServer(
  process.execPath,
  [join(root, "packages/research/dist/mcp-research.js"), "--root", values.root],
  {
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: dir, JEEVES_STATE_DIR: join(dir, "state") },
  },
);
try {
  await server.listTools();
  printTitle(`spelled out: ${definitions.length} definitions, ${lines.length} lines of ${values.root}`);
  await measure("definitions first", definitions, ({ name }) => `Where is ${name} defined?`);
  await measure("quoted lines first", lines, ({ text }) => `Where is \`${text}\`?`);
} finally {
  await server.close();
}

async function measure(title, cases, questionOf) {
  let right = 0;
  const wrong = [];
  for (const one of cases) {
    const answer = await server.call("locate_in_codebase", { question: questionOf(one) });
    const [first = ""] = JSON.parse(answer.content[0].text).locator.value?.references ?? [];
    const line = readLine(first);
    // A line that stands in several places is right in each of them.
    const isRight = one.text === undefined ? first === `${one.path}:${one.line}` : line?.trim() === one.text;
    if (isRight) right++;
    else wrong.push(`${questionOf(one)} → ${first} instead of ${one.path}:${one.line}`);
  }
  printFigure(title, (100 * right) / Math.max(1, cases.length), { unit: " %", digits: 1, atLeast: 98 });
  for (const each of wrong.slice(0, 10)) print(`    ${each}`);
}

function readLine(reference) {
  const [, path, number] = /^(.+):(\d+)$/.exec(reference) ?? [];
  return path === undefined ? undefined : readFileSync(join(values.root, path), "utf8").split("\n")[Number(number) - 1];
}
