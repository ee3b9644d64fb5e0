#!/usr/bin/env node
// Does every planted failure survive, and in how little text? The engine without a question, against
// grep -n -C3 -iE 'error|fail' on the same outputs.
//   node bench/logs/logs.mjs --outputs DIR [--part seen|aside|all] [--json]
// Every third output is set aside: rules are written on the others. Outputs: bench/logs/make-outputs.mjs.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadEngine } from "../prune/load-engine.mjs";

const { values: opt } = parseArgs({
  options: {
    outputs: { type: "string" },
    part: { type: "string", default: "all" },
    json: { type: "boolean", default: false },
  },
});
if (!opt.outputs) {
  console.error("node bench/logs/logs.mjs --outputs DIR [--part seen|aside|all] [--json]");
  process.exit(2);
}
const { prune, renderPruned, shortMarker, estimateTokens } = await loadEngine();
const names = readdirSync(opt.outputs)
  .filter((file) => file.endsWith(".log"))
  .map((file) => file.slice(0, -4))
  .sort();
const rows = [];
for (const [k, name] of names.entries()) {
  if (opt.part !== "all" && (opt.part === "aside") !== (k % 3 === 2)) continue;
  const path = join(opt.outputs, name);
  const text = readFileSync(`${path}.log`, "utf8");
  const { must } = JSON.parse(readFileSync(`${path}.json`, "utf8"));
  const pruned = await prune(text, { focus: "", kind: "logs" });
  const ours = renderPruned(text, pruned, { marker: shortMarker });
  const grep = spawnSync("grep", ["-n", "-C3", "-iE", "error|fail"], {
    input: text,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  }).stdout;
  rows.push({
    output: name,
    lines: text.split("\n").length - 1,
    share: Math.round((ours.length / text.length) * 1000) / 1000,
    missed: must.filter((line) => !ours.includes(line)).length,
    tokens: estimateTokens(text),
    ours: estimateTokens(ours),
    grep: estimateTokens(grep),
    grep_missed: must.filter((line) => !grep.includes(line)).length,
  });
}
const sum = (field) => rows.reduce((total, row) => total + row[field], 0);
const long = rows.filter((row) => row.lines >= 200);
const total = {
  outputs: rows.length,
  missed: sum("missed"),
  grep_missed: sum("grep_missed"),
  tokens: sum("tokens"),
  ours: sum("ours"),
  grep: sum("grep"),
  long_outputs_over_15_percent: long.filter((row) => row.share > 0.15).length,
  long_share: Math.round((long.reduce((t, row) => t + row.share, 0) / Math.max(1, long.length)) * 1000) / 1000,
};
if (opt.json) console.log(JSON.stringify({ rows, total }));
else {
  console.table(rows);
  console.table([total]);
}
