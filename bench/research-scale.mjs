// What research costs on a large root, beside ripgrep in the same run: the first question, later ones, a second process,
// a name that stands in one file, and the memory of one client and of four. The root is made here, or named by --root.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { rgPath } from "@vscode/ripgrep";
import { root } from "../scripts/setup.mjs";
import { median, print, printFigure, printTitle } from "./figures.mjs";
import { startServer } from "./stdio-client.mjs";
import { createTempDir } from "./temp-dir.mjs";

const USAGE = "usage: npm run bench -- research-scale [--files 3000] [--root DIR]";
const LATER = 20;
const CLIENTS = 4;
const MARK = "zq_unique_marker_of_one_file";

const { values } = parseArgs({
  options: { files: { type: "string", default: "3000" }, root: { type: "string" }, help: { type: "boolean" } },
});
if (values.help || !/^[1-9]\d{0,6}$/.test(values.files)) {
  print(USAGE);
  process.exit(values.help ? 0 : 2);
}

const dir = createTempDir();
const project = values.root ?? join(dir, "project");
if (values.root === undefined) makeProject(Number(values.files));
const mark = values.root === undefined ? MARK : rareName();
const questions = Array.from(
  { length: LATER },
  (_, n) => `How does the ${word(n)} of a ${word(n + 7)} reach the ${word(n + 3)}?`,
);
const env = { PATH: process.env.PATH, HOME: dir, JEEVES_STATE_DIR: join(dir, "state") };

printTitle(`research on ${countFiles()} files`);
const rgMs = median([timeRg(), timeRg(), timeRg()]);
printFigure(`rg -F of one name`, rgMs, { unit: " ms", digits: 0 });

await inServer(async (server) => {
  const cold = await timed(() => ask(server, `Where is ${mark} defined?`));
  printFigure("a name in one file, nothing known", cold.ms, { unit: " ms", digits: 0, note: ratio(cold.ms) });
  if (!cold.answer.includes(mark) && !isMarked(cold.answer)) print("    not found");
  await settled(server);
  const warm = await timed(() => ask(server, `Where is ${mark} defined?`));
  printFigure("a name in one file, known root", warm.ms, {
    unit: " ms",
    digits: 0,
    note: ratio(warm.ms),
    atMost: 1_000,
  });
  if (!isMarked(warm.answer)) print("    not found");
});

env.JEEVES_STATE_DIR = join(dir, "state-2");
await inServer(async (server) => {
  const first = await timed(() => ask(server, questions[0]));
  printFigure("first question", first.ms, { unit: " ms", digits: 0, note: ratio(first.ms) });
  await settled(server);
  const later = [];
  for (const question of questions) later.push((await timed(() => ask(server, question))).ms);
  printFigure("later questions, median", median(later), { unit: " ms", digits: 0, note: ratio(median(later)) });
  printFigure("memory of one client (PSS)", pssOf(server), { unit: " MB", digits: 0, atMost: 150 });
});
await inServer(async (server) => {
  const second = await timed(() => ask(server, questions[1]));
  printFigure("first question of a second process", second.ms, {
    unit: " ms",
    digits: 0,
    note: ratio(second.ms),
    atMost: 1_000,
  });
});

const servers = Array.from({ length: CLIENTS }, start);
try {
  for (const server of servers) {
    await server.listTools();
    for (const question of questions.slice(0, 5)) await ask(server, question);
  }
  const each = servers.map(pssOf);
  printFigure(
    `memory of ${CLIENTS} clients (PSS, together)`,
    each.reduce((sum, one) => sum + one, 0),
    { unit: " MB", digits: 0 },
  );
} finally {
  for (const server of servers) await server.close();
}

function start() {
  return startServer(process.execPath, [join(root, "packages/research/dist/mcp-research.js"), "--root", project], {
    cwd: dir,
    env,
  });
}

async function inServer(work) {
  const server = start();
  try {
    await server.listTools();
    await work(server);
  } finally {
    await server.close();
  }
}

async function ask(server, question) {
  return (await server.call("locate_in_codebase", { question })).content[0].text;
}

async function timed(work) {
  const since = performance.now();
  const answer = await work();
  return { ms: performance.now() - since, answer };
}

/** Waits until no answer reports any more that files were left out. */
async function settled(server) {
  for (let n = 0; n < 600; n++) {
    if (!/looked into \d+ of/.test(await ask(server, questions[0]))) return;
    await new Promise((later) => setTimeout(later, 1_000));
  }
}

function isMarked(answer) {
  return JSON.parse(answer).locator.value?.references?.length > 0;
}

function ratio(ms) {
  return `${(ms / rgMs).toFixed(1)} × rg`;
}

function timeRg() {
  const since = performance.now();
  spawnSync(rgPath, ["-F", "--no-config", mark, "."], { cwd: project });
  return performance.now() - since;
}

function countFiles() {
  return (
    spawnSync(rgPath, ["--files", "--no-config"], { cwd: project, maxBuffer: 2 ** 30 })
      .stdout.toString()
      .split("\n").length - 1
  );
}

/** A name of a given root that stands in one file. */
function rareName() {
  const [path] = spawnSync(rgPath, ["--files", "--no-config", "--sort", "path"], { cwd: project, maxBuffer: 2 ** 30 })
    .stdout.toString()
    .split("\n");
  const names = readFileSync(join(project, path), "utf8").match(/[a-z]\w*_\w+/g) ?? [];
  return (
    names.find(
      (name) => spawnSync(rgPath, ["-lFw", name, "."], { cwd: project }).stdout.toString().split("\n").length === 2,
    ) ?? MARK
  );
}

function pssOf(server) {
  const text = readFileSync(`/proc/${server.pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) / 1024;
}

function word(n) {
  const words = [
    "user",
    "order",
    "invoice",
    "account",
    "session",
    "token",
    "cache",
    "index",
    "query",
    "route",
    "worker",
  ];
  return words[n % words.length];
}

/** Functions of made-up names, as many as a real project of so many files has. */
function makeProject(files) {
  let seed = 7;
  const any = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return word(seed >>> 8);
  };
  for (let n = 0; n < files; n++) {
    const folder = join(project, `m${n % 200}`, `p${Math.floor(n / 200) % 50}`);
    mkdirSync(folder, { recursive: true });
    const parts = Array.from(
      { length: 8 },
      (_, f) =>
        `def ${any()}_${any()}_${n}_${f}(${any()}, given):\n    """${any()} the ${any()} of a ${any()}"""\n    return ${any()}_${any()}(given)\n`,
    );
    if (n === Math.floor(files / 2)) parts.push(`${MARK} = 1\n`);
    writeFileSync(join(folder, `f${n}.py`), parts.join("\n\n"));
  }
  return readdirSync(project).length;
}
