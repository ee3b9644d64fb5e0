#!/usr/bin/env node
// How fast the engine is: milliseconds per 1,000 lines of code, what doubling the text costs, what the first call
// costs, and how much log a second takes.
//   node bench/prune/speed.mjs [--file FILE…] [--rounds 7] [--json]
// Without --file it reads the engine's own sources. Times are medians of one run on this machine; compare ratios.
import { readdirSync, readFileSync } from "node:fs";
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
const FOCUS = "where is the score of a scope computed and how are the kept lines chosen within the budget?";
const src = fileURLToPath(new URL("../../packages/prune/src/", import.meta.url));
const files =
  opt.file ??
  readdirSync(src, { recursive: true })
    .filter((f) => f.endsWith(".ts") && !f.includes("weights/"))
    .sort()
    .map((f) => src + f);

const LONG_LINES = 40_000;
async function medianMs(run, count = rounds) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}
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
  const small = sized(200);
  const start = performance.now();
  await call(small, { grammars });
  const firstMs = performance.now() - start;
  const times = {};
  for (const lines of [1000, 2000, 4000, 8000]) {
    const code = sized(lines);
    await call(code, { grammars });
    times[lines] = await medianMs(() => call(code, { grammars }));
  }
  // As long as a text may be and still be parsed, about.
  const longest = sized(LONG_LINES);
  const longestMs = await medianMs(() => call(longest, { grammars }), Math.min(3, rounds));
  const code = sized(4000);
  const indent = await medianMs(() => call(code, {}));
  rows.push({
    what: `code ${extension}`,
    first_call_ms: round(firstMs),
    ms_per_1k_lines: round(times[4000] / 4),
    at_1k: round(times[1000]),
    doubling_2k_4k: round(times[4000] / times[2000]),
    doubling_4k_8k: round(times[8000] / times[4000]),
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
