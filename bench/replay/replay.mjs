#!/usr/bin/env node
// What cutting would have changed in recorded runs: per class of output the tokens and the lines used later that
// survive, and per run the cost with prompt caching, recoveries charged. See README.md for the form and the choices.
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { countTokens as countAll } from "gpt-tokenizer/encoding/o200k_base";
import { importBundled } from "../bundle.mjs";
import { createEveryLarge } from "./cut-every-large.mjs";
import { createShipped, cutByBm25, cutPerfectly } from "./cutters.mjs";
import { readRuns } from "./read-runs.mjs";
import { replayRun } from "./replay-run.mjs";
import { printReport } from "./report.mjs";

const USAGE = `npm run bench -- replay FILE… [--half a|b] [--limit N] [--surface TOKENS] [--json]

FILE: recorded runs as JSON lines (bench/replay/README.md; bench/replay/convert.mjs makes them)
ways to cut: shipped (the product's gates), ours (the engine on every large output), bm25 (30 %), perfect
--half     every run belongs to one of two halves, by its name; without it: all runs
--limit    at most so many runs
--surface  tokens of our tools and instructions in every turn, with surface (default: those that jeeves init installs)
`;
const { values: opt, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: "string" },
    limit: { type: "string", default: "0" },
    surface: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (opt.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const bad =
  positionals.length === 0 ||
  !["a", "b", undefined].includes(opt.half) ||
  [opt.limit, opt.surface ?? "0"].some((n) => !/^\d+$/.test(n));
if (bad) {
  process.stderr.write(USAGE);
  process.exit(2);
}

// A text may speak of special tokens; here it is text.
const countTokens = (text) => countAll(text, { disallowedSpecial: new Set() });
const { product } = await importBundled("bench-replay", { product: "bench/replay/intercept-entry.mjs" });
const shipped = createShipped(product);
const surfaceTokens = Number(opt.surface ?? countTokens(installedSurface(product)));
const cutters = {
  shipped,
  ours: createEveryLarge(product),
  bm25: { cut: cutByBm25 },
  perfect: { cut: cutPerfectly },
};
const results = [];
try {
  for (const file of positionals)
    for await (const run of readRuns(file)) {
      if (opt.half !== undefined && halfOf(run.name) !== opt.half) continue;
      if (Number(opt.limit) > 0 && results.length >= Number(opt.limit)) break;
      results.push(await replayRun(run, cutters, { countTokens, surfaceTokens }));
    }
} finally {
  shipped.close();
}
if (results.length === 0) {
  process.stderr.write("no runs in these files\n");
  process.exit(1);
}
printReport(results, { names: Object.keys(cutters), surfaceTokens, asJson: opt.json });

/** What `jeeves init` puts into every turn: three tools and the words about them. */
function installedSurface({ readSurface, grepSurface, recoverSurface, INSTRUCTIONS }) {
  return JSON.stringify([readSurface, grepSurface, recoverSurface]) + INSTRUCTIONS;
}

/** Rules may be looked at on half a; half b is for the figure. */
function halfOf(name) {
  return createHash("sha256").update(name).digest()[0] % 2 === 0 ? "a" : "b";
}
