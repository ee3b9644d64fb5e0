// What the grep tool adds to ripgrep: a warm server's answer beside `rg --json` alone, same binary, same arguments, in
// turns, over a tree of 20,000 small files made for the occasion.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { root } from "../scripts/setup.mjs";
import { median, print, printFigure, printTitle } from "./figures.mjs";
import { startServer } from "./stdio-client.mjs";
import { createTempDir } from "./temp-dir.mjs";

const USAGE = "usage: npm run bench -- grep [--rounds N]   (default 11)";
const MAX_RATIO = 1.5;
const DIR_COUNT = 200;
const FILES_PER_DIR = 105;
const LINES_PER_FILE = 30;
/** Stays below the tool's default of 500 matches: beyond it the tool would stop early and look faster than it is. */
const COMMON_EVERY = 43;
const RARE_EVERY = 7_001;

const PATTERNS = [
  { name: "rare", pattern: "zanzibar_\\d+" },
  { name: "common", pattern: "quorum_\\d+" },
  { name: "none", pattern: "no_such_word_anywhere" },
];

const { values } = parseArgs({ options: { rounds: { type: "string", default: "11" }, help: { type: "boolean" } } });
const rounds = Number(values.rounds);
if (values.help || !Number.isInteger(rounds) || rounds < 1) {
  print(USAGE);
  process.exit(values.help ? 0 : 2);
}

const dir = createTempDir();
await run();

async function run() {
  const tree = join(dir, "tree");
  const fileCount = makeTree(tree);
  const rg = await findBundledRg();
  const env = {
    // The server takes the first rg on PATH: the same binary on both sides.
    PATH: dirname(rg) + delimiter + process.env.PATH,
    HOME: dir,
    MCP_PRUNER_CWD: tree,
    JEEVES_STATE_DIR: join(dir, "state"),
    PRUNER_ENGINE: "embedded",
  };
  const server = startServer(process.execPath, [join(root, "packages", "mcp-pruner", "dist", "index.js")], {
    cwd: tree,
    env,
  });
  try {
    await server.listTools();
    printTitle(
      `grep through the tool beside rg --json alone: ${fileCount} files, medians of ${rounds} rounds in turns`,
    );
    for (const { name, pattern } of PATTERNS) await compare({ name, pattern, server, rg, tree, env });
  } finally {
    await server.close();
  }
}

async function compare({ name, pattern, server, rg, tree, env }) {
  const times = { tool: [], rg: [] };
  let matches = 0;
  // One round more than counted: the first warms the page cache and the server.
  for (let round = 0; round <= rounds; round++) {
    const alone = await timed(() => runRg(rg, { pattern, tree, env }));
    const tool = await timed(() => server.call("grep", { pattern }));
    matches = tool.value.structuredContent.match_count;
    if (matches !== alone.value) throw new Error(`${name}: the tool found ${matches} matches, rg ${alone.value}`);
    if (round === 0) continue;
    times.rg.push(alone.ms);
    times.tool.push(tool.ms);
  }
  const note = `${matches} matches`;
  printFigure(`${name}: rg --json alone`, median(times.rg), { unit: " ms", digits: 0, note });
  printFigure(`${name}: grep tool`, median(times.tool), { unit: " ms", digits: 0 });
  printFigure(`${name}: tool / rg`, median(times.tool) / median(times.rg), { unit: "×", atMost: MAX_RATIO });
}

async function timed(act) {
  const from = performance.now();
  const value = await act();
  return { value, ms: performance.now() - from };
}

/** Runs it to its end and counts the matches; the output is read but not parsed. */
async function runRg(rg, { pattern, tree, env }) {
  const argv = ["--json", "--no-config", "--sort", "path", "-e", pattern, "--", "."];
  const child = spawn(rg, argv, { cwd: tree, env, stdio: ["ignore", "pipe", "ignore"] });
  const chunks = [];
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  const [code] = await once(child, "close");
  if (code !== 0 && code !== 1) throw new Error(`rg exited with ${code}`);
  return Buffer.concat(chunks).toString("utf8").split('{"type":"match"').length - 1;
}

async function findBundledRg() {
  const require = createRequire(join(root, "packages", "workspace", "package.json"));
  const { rgPath } = await import(pathToFileURL(require.resolve("@vscode/ripgrep")).href);
  return rgPath;
}

function makeTree(tree) {
  const words = ["alpha", "beacon", "cobalt", "delta", "ember", "fjord", "garnet", "harbor", "indigo", "jasper"];
  let file = 0;
  for (let d = 0; d < DIR_COUNT; d++) {
    const folder = join(tree, `part-${String(d).padStart(3, "0")}`);
    mkdirSync(folder, { recursive: true });
    for (let f = 0; f < FILES_PER_DIR; f++, file++) {
      const lines = [];
      for (let line = 0; line < LINES_PER_FILE; line++) {
        const word = (step) => words[(file * step + line * 3) % words.length];
        lines.push(`const ${word(1)}_${line} = ${word(7)}(${file}, "${word(3)}"); // ${word(9)}`);
      }
      if (file % COMMON_EVERY === 0) lines[LINES_PER_FILE >> 1] = `export const quorum_${file} = ${file};`;
      if (file % RARE_EVERY === 0) lines[3] = `export const zanzibar_${file} = ${file};`;
      writeFileSync(join(folder, `file-${f}.ts`), `${lines.join("\n")}\n`);
    }
  }
  return file;
}
