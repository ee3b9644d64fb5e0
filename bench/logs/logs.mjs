#!/usr/bin/env node
// Does every planted failure survive, and in how little text? The engine without a question, against
// grep -n -C3 -iE 'error|fail' on the same outputs; and with a question about something else, whatever the file is called.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { loadEngine } from "../prune/load-engine.mjs";

const USAGE = `npm run bench -- logs [--set seen|aside|all] [--outputs FILE.jsonl.gz]… [--use run|search] [--misses] [--json]

--set      seen: rules were written on these; aside: on none of these (default: all)
--outputs  other outputs, as bench/logs/make-outputs.mjs makes them; without it those that are kept here
--use      ranks the text as for a hook that knows what it is wanted for
--misses   names what was missed
--json     rows and totals as JSON
`;
const { values: opt } = parseArgs({
  options: {
    outputs: { type: "string", multiple: true },
    set: { type: "string", default: "all" },
    use: { type: "string" },
    misses: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (opt.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (!["seen", "aside", "all"].includes(opt.set)) {
  process.stderr.write(USAGE);
  process.exit(2);
}
/** what a text is called must not matter. */
const EXTENSIONS = [".txt", ".md", ".json", ".out", ".log", ".csv", ".py", ""];
const QUESTION = "how is the configuration loaded?";
const NAMED_SHARE = 0.05;
const LONG_LINES = 200;
const MAX_SHARE = 0.15;
const sets = opt.set === "all" ? ["seen", "aside"] : [opt.set];
const files = opt.outputs ?? sets.map((set) => fileURLToPath(new URL(`./outputs-${set}.jsonl.gz`, import.meta.url)));
const { prune, renderPruned, shortMarker, estimateTokens, createTreeSitterGrammars } = await loadEngine();
const grammars = createTreeSitterGrammars();
/** As a hook asks for it; default: as for a question. */
const how = opt.use === undefined ? {} : { use: opt.use };
const rows = [];
const named = EXTENSIONS.map((extension) => ({ extension: extension || "none", missed: 0, ours: 0, as_log: 0 }));
for (const { name, must, text } of files.flatMap(readOutputs)) {
  const pruned = await prune(text, { ...how, focus: "", kind: "logs" });
  const ours = renderPruned(text, pruned, { marker: shortMarker });
  const grep = spawnSync("grep", ["-a", "-n", "-C3", "-iE", "error|fail"], {
    input: text,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  }).stdout;
  const missed = missedIn(ours, must, name);
  for (const [index, extension] of EXTENSIONS.entries()) {
    // A small share, so that nothing stays just because there is room for it.
    const amount = { mode: "share", keep: NAMED_SHARE };
    const cut = await prune(text, { ...how, focus: QUESTION, path: `out${extension}`, grammars, amount });
    const shown = renderPruned(text, cut, { marker: shortMarker });
    const row = named[index];
    row.missed += missedIn(shown, must, `${name} as out${extension}`).length;
    row.ours += estimateTokens(shown);
    if (cut.kind === "logs") row.as_log++;
  }
  rows.push({
    output: name,
    lines: text.split("\n").length - 1,
    share: Math.round((ours.length / text.length) * 1000) / 1000,
    missed: missed.length,
    tokens: estimateTokens(text),
    ours: estimateTokens(ours),
    grep: estimateTokens(grep),
    grep_missed: must.filter((words) => !holds(grep, words)).length,
  });
}
const sum = (field) => rows.reduce((total, row) => total + row[field], 0);
const long = rows.filter((row) => row.lines >= LONG_LINES);
const total = {
  outputs: rows.length,
  missed: sum("missed"),
  grep_missed: sum("grep_missed"),
  tokens: sum("tokens"),
  ours: sum("ours"),
  grep: sum("grep"),
  long_outputs: long.length,
  long_over_15_percent: long.filter((row) => row.share > MAX_SHARE).length,
  long_share: Math.round((long.reduce((t, row) => t + row.share, 0) / Math.max(1, long.length)) * 1000) / 1000,
};
if (opt.json) console.log(JSON.stringify({ rows, named, total }));
else {
  console.table(rows);
  console.table(named);
  console.table([total]);
}

function missedIn(shown, must, name) {
  const missed = must.filter((words) => !shown.includes(words));
  if (opt.misses) for (const words of missed) process.stderr.write(`${name}: ${JSON.stringify(words)} is gone\n`);
  return missed;
}

function readOutputs(file) {
  return gunzipSync(readFileSync(file))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** grep puts a number before every line; what spans lines is looked for without them. */
function holds(grep, words) {
  return grep.includes(words) || grep.replace(/^\d+[:-]/gm, "").includes(words);
}
