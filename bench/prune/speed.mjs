#!/usr/bin/env node
// How fast the engine is: milliseconds of CPU time per 1,000 lines of code for a text that it has never seen and for a
// second question about it, beside the parser alone; what doubling the text costs, what the first call costs, and how
// much log a second takes.
//   node bench/prune/speed.mjs [--file FILE…] [--rounds 7] [--json]
// Without --file it reads the engine's own sources and the trainer's. Times are medians of one run on this machine, with
// what the compiler and the garbage collector take in threads of their own; compare ratios.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadEngine } from "./load-engine.mjs";

const { values: opt } = parseArgs({
  options: {
    file: { type: "string", multiple: true },
    rounds: { type: "string", default: "7" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (opt.help) {
  console.log("node bench/prune/speed.mjs [--file FILE…] [--rounds N] [--json]");
  process.exit(0);
}
const rounds = Math.max(1, Number(opt.rounds));
/** Words that both the engine and the trainer have, so that no text is left unranked. */
const FOCUS =
  "where is the score of a scope computed, the weight of a case, and how are the kept lines of a key chosen?";
const AGAIN = "what becomes of a line that must stay, and where is the value of its weight read?";
const sourcesIn = (folder, extension) => {
  const at = fileURLToPath(new URL(`../../${folder}/`, import.meta.url));
  return readdirSync(at, { recursive: true })
    .filter((f) => f.endsWith(extension) && !f.includes("weights/"))
    .sort()
    .map((f) => at + f);
};
const files = opt.file ?? [
  ...sourcesIn("packages/prune/src", ".ts"),
  ...sourcesIn("packages/prune/test/fixtures", ".py"),
  ...sourcesIn("train", ".py"),
];

const LONG_LINES = 40_000;
const WARM_UP = 3;
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
async function cpuMs(run) {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
/** The medians of several things that are done one after the other in each round, whose number they are given. */
async function medians(runs, count = rounds) {
  const times = runs.map(() => []);
  for (let i = -WARM_UP; i < count; i++)
    for (const [k, run] of runs.entries()) {
      const ms = await cpuMs(() => run(i));
      if (i >= 0) times[k].push(ms);
    }
  return times.map(median);
}
const medianMs = async (run, count) => (await medians([run], count))[0];
const linesIn = (text) => text.split("\n").length - 1;
function repeatTo(text, lines) {
  let out = text;
  while (linesIn(out) < lines) out += text;
  return `${out.split("\n").slice(0, lines).join("\n")}\n`;
}

const { prune, createTreeSitterGrammars } = await loadEngine();
const grammars = createTreeSitterGrammars();
const byExtension = new Map();
for (const f of files) byExtension.set(extname(f), (byExtension.get(extname(f)) ?? "") + readFileSync(f, "utf8"));
const rows = [];
for (const [extension, text] of byExtension) {
  const path = `x${extension}`;
  const sized = (lines) => repeatTo(text, lines);
  const call = (code, extra) => prune(code, { focus: FOCUS, path, kind: "code", ...extra });
  const bareParse = await bareParser(extension);
  // Each round has a text of its own, whole and in one piece, as it comes from a file.
  const fresh = (code, round) =>
    Buffer.from(code + (extension === ".py" ? "# " : "// ") + round + Math.random()).toString();
  const small = sized(200);
  const firstMs = await cpuMs(() => call(small, { grammars }));
  const code = sized(4000);
  let own = code;
  const [coldMs, againMs, bareMs] = await medians([
    (round) => {
      own = fresh(code, round);
      return call(own, { grammars });
    },
    () => call(own, { grammars, focus: AGAIN }),
    () => bareParse?.(own),
  ]);
  const times = {};
  for (const lines of [1000, 2000, 8000]) {
    const part = sized(lines);
    times[lines] = await medianMs((round) => call(fresh(part, round), { grammars }));
  }
  // As long as a text may be and still be parsed, about.
  const longest = sized(LONG_LINES);
  const longestMs = await medianMs((round) => call(fresh(longest, round), { grammars }), Math.min(3, rounds));
  const indent = await medianMs((round) => call(fresh(code, round), {}));
  rows.push({
    what: `code ${extension}`,
    first_call_ms: round(firstMs),
    ms_per_1k_lines: round(coldMs / 4),
    second_question: round(againMs / 4),
    bare_parse: bareParse === undefined ? "-" : round(bareMs / 4),
    times_bare_parse: bareParse === undefined ? "-" : Math.round((100 * coldMs) / bareMs) / 100,
    at_1k: round(times[1000]),
    doubling_2k_4k: round(coldMs / times[2000]),
    doubling_4k_8k: round(times[8000] / coldMs),
    at_40k_per_1k: round(longestMs / (LONG_LINES / 1000)),
    without_grammar_per_1k: round(indent / 4),
  });
}
const log = logOf(10 << 20);
const logMs = await medianMs(() => prune(log, { focus: "why did the worker lose its connection?", kind: "logs" }));
const half = log.slice(0, log.length >> 1);
const halfMs = await medianMs(() => prune(half, { focus: "why did the worker lose its connection?", kind: "logs" }));
rows.push({
  what: `log ${(log.length / 1048576).toFixed(0)} MB, ${linesIn(log)} lines`,
  ms_per_1k_lines: round(logMs / (linesIn(log) / 1000)),
  total_ms: round(logMs),
  doubling_5_10_mb: round(logMs / halfMs),
});
if (opt.json) console.log(JSON.stringify(rows));
else console.table(rows);

function round(x) {
  return Math.round(x * 10) / 10;
}
/** Parses and does nothing else; undefined where this bench knows no grammar for such files. */
async function bareParser(extension) {
  const names = {
    ".ts": "typescript",
    ".tsx": "tsx",
    ".js": "javascript",
    ".py": "python",
    ".go": "go",
    ".rs": "rust",
  };
  const name = names[extension];
  if (name === undefined) return undefined;
  const require = createRequire(new URL("../../packages/prune/package.json", import.meta.url));
  const { Parser, Language } = require("web-tree-sitter");
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`)));
  return (text) => parser.parse(text).delete();
}

/** A service log with the usual monotony, a few templates and an incident in the middle; the same every time. */
function logOf(chars) {
  let seed = 7;
  const next = (n) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed % n;
  };
  const out = [];
  for (let size = 0, i = 0; size < chars; i++) {
    const at = `2026-03-01T${String(i % 24).padStart(2, "0")}:${String(i % 60).padStart(2, "0")}:${String(next(60)).padStart(2, "0")}.${next(1000)}Z`;
    const kinds = [
      `${at} INFO  http GET /api/items/${next(1e6)} 200 ${next(300)}ms`,
      `${at} DEBUG cache hit key=user:${next(1e5)} ttl=${next(600)}`,
      `${at} INFO  worker-${next(16)} finished job ${next(1e8).toString(16)} in ${next(9000)} ms`,
      `${at} WARN  pool is at ${next(100)} % of its connections`,
    ];
    const line =
      i % 20011 === 20010
        ? `${at} ERROR worker-${next(16)} lost its connection: ECONNRESET\n    at Socket.read (net.js:${next(900)}:11)`
        : kinds[next(4)];
    out.push(line);
    size += line.length + 1;
  }
  return `${out.join("\n")}\n`;
}
