// `npm run bench [-- NAME… [--OPTIONS…]]`: runs benchmarks by name on the built bins; options go to each of them.
// Figures are printed, never asserted: a loaded machine is no defect.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

const BENCHES = {
  startup: { file: "startup.mjs", about: "time and memory to the first tools/list, beside server-filesystem" },
  grep: { file: "grep.mjs", about: "the grep tool beside ripgrep alone, on 20,000 files" },
  http: { file: "http.mjs", about: "requests per second and latencies of jeeves-pruner, its overhead and its memory" },
  prune: { file: "prune/speed.mjs", about: "the pruning engine's speed per 1,000 lines" },
  locate: { file: "locate.mjs", about: "files and lines that research finds; needs --cases FILE… --repos DIR" },
  rudder: {
    file: "rudder.mjs",
    about: "rudder on 5,000 tasks; claims per second beside git; --store postgres: the shared store beside files",
  },
  recovery: {
    file: "postgres/recovery.mjs",
    about: "put and get of the shared recovery store beside the disk; a sweep",
  },
  "research-scale": {
    file: "research-scale.mjs",
    about: "research on 3,000 files or more: first and later questions, memory, beside ripgrep",
  },
  answers: {
    file: "answers/answers.mjs",
    about: "decisive lines that research shows; needs --repos DIR (bench/answers)",
  },
  intercept: { file: "intercept.mjs", about: "what a hook and jeeves-exec add to a call" },
  viewer: {
    file: "viewer.mjs",
    about: "the page with 100,000 events in Chromium beside an empty one; frames while scrolling",
  },
  look: { file: "look.mjs", about: "jeeves look on a million lines of transcripts" },
  logs: { file: "logs/logs.mjs", about: "failures kept in real tools' outputs, beside grep (bench/logs)" },
  delivered: { file: "logs/delivered.mjs", about: "tokens that reach Claude Code of ten failing logs, as commands" },
  shapes: {
    file: "shapes/shapes.mjs",
    about: "answers kept in JSON, pages, tables and packed text, beside jq, head and tail (bench/shapes)",
  },
  docs: { file: "docs/docs.mjs", about: "sections of real docs that survive, beside BM25; needs --repos DIR" },
  "oracle-grep": {
    file: "quality/oracle-grep.mjs",
    about: "beside grep -C3 with the best word, chosen by an oracle; needs --cases FILE… --repos DIR",
  },
  parses: { file: "quality/parses.mjs", about: "pruned files that still parse; needs --repos DIR" },
  replay: {
    file: "replay/replay.mjs",
    about: "what ships, on recorded sessions; needs --transcripts DIR or --runs FILE (bench/replay)",
  },
  uses: {
    file: "quality/uses.mjs",
    about: "lines that agents used later, beside BM25, and the outline; needs --cases FILE",
  },
  quality: { file: "quality/quality.mjs", about: "lines kept beside BM25; needs --cases FILE… --repos DIR" },
};
const DEFAULT_NAMES = ["startup", "grep", "prune"];

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith("-"));
const words = firstOption < 0 ? args : args.slice(0, firstOption);
// An argument that is no benchmark's name but a file goes to the benchmarks: `npm run bench -- replay RUNS`.
const toFile = (word) => resolve(process.env.INIT_CWD ?? process.cwd(), word);
const isFile = (word) => !Object.hasOwn(BENCHES, word) && existsSync(toFile(word));
const names = words.filter((word) => !isFile(word));
const options = [...words.filter(isFile).map(toFile), ...(firstOption < 0 ? [] : args.slice(firstOption))];

if (names.length === 0 && (options.includes("--help") || options.includes("-h"))) exitWithUsage(0);
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  process.stderr.write(`no benchmark is called ${unknown.join(", ")}\n\n`);
  exitWithUsage(2);
}

await ensureInstalled();
await ensureBuilt();
let failed = 0;
for (const name of names.length > 0 ? names : DEFAULT_NAMES) {
  const file = join(root, "bench", BENCHES[name].file);
  const done = spawnSync(process.execPath, [file, ...options], { cwd: root, stdio: "inherit" });
  if (done.status !== 0) failed += 1;
  process.stdout.write("\n");
}
process.exit(failed === 0 ? 0 : 1);

function exitWithUsage(code) {
  const lines = Object.entries(BENCHES).map(([name, { about }]) => `  ${name.padEnd(11)} ${about}`);
  const text = `usage: npm run bench [-- NAME… [--OPTIONS…]]\n\n${lines.join("\n")}\n\nwithout names: ${DEFAULT_NAMES.join(", ")}\n`;
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}
