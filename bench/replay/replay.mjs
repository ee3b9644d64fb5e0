#!/usr/bin/env node
// What the product would have cut in recorded sessions, and what that would have been worth. See README.md.
import { parseArgs } from "node:util";
import { importBundled } from "../bundle.mjs";
import { createTempDir } from "../temp-dir.mjs";
import { readRuns } from "./read-runs.mjs";
import { readLines, transcriptsIn } from "./read-transcripts.mjs";
import { printReport } from "./report.mjs";
import { toTranscript } from "./run-as-transcript.mjs";

const POLICIES = ["careful", "balanced", "keen"];
const PROGRESS_MS = 10_000;
const USAGE = `npm run bench -- replay (--transcripts DIR|FILE | --runs FILE)… [--policy ${POLICIES.join("|")}] [--limit N] [--json]

--transcripts  transcripts of Claude Code (*.jsonl) and Codex (rollout-*.jsonl), told apart by what they hold
--runs         recorded runs in the simple form (bench/replay/README.md; bench/replay/convert.mjs makes them)
--policy       JEEVES_POLICY (default: careful)
--limit        at most so many sessions
`;
let opt;
try {
  opt = parseArgs({
    options: {
      transcripts: { type: "string", multiple: true, default: [] },
      runs: { type: "string", multiple: true, default: [] },
      policy: { type: "string", default: "careful" },
      limit: { type: "string", default: "0" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  }).values;
} catch (error) {
  refuse(`${error.message}\n\n${USAGE}`, 2);
}
if (opt.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const isBad = !POLICIES.includes(opt.policy) || !/^\d+$/.test(opt.limit);
if (isBad || opt.transcripts.length + opt.runs.length === 0) refuse(USAGE, 2);

const { product } = await importBundled("bench-replay", { product: "bench/replay/product.mjs" });
const engine = product.createInProcessEngine();
const doors = product.createDoors({ policy: opt.policy, dir: createTempDir(), engine });
const tally = product.createTally();
const limit = Number(opt.limit) || Number.POSITIVE_INFINITY;
let told = Date.now();
try {
  for await (const given of sessions()) {
    if (tally.sessions >= limit) break;
    try {
      tally.add(await product.openReplay(given).run(doors));
    } catch (error) {
      leaveOut(error);
    }
    if (Date.now() - told < PROGRESS_MS) continue;
    told = Date.now();
    process.stderr.write(`${tally.sessions} sessions replayed\n`);
  }
} catch (error) {
  refuse(`${error.message}\n`, 1);
}
if (tally.sessions === 0) refuse("no session to replay\n", 1);
printReport(tally.end(), { policy: opt.policy, asJson: opt.json });

/** One at a time: what is held is one session. */
async function* sessions() {
  for (const path of opt.transcripts)
    for (const file of transcriptsIn(path)) {
      try {
        yield readLines(file);
      } catch (error) {
        leaveOut(error);
      }
    }
  for (const file of opt.runs) for await (const run of readRuns(file)) yield toTranscript(run, product.estimateTokens);
}

/** Of many files, one that is none of ours is no reason to end; nothing is counted silently, either. */
function leaveOut(error) {
  tally.leaveOut();
  process.stderr.write(`left out: ${error.message}\n`);
}

function refuse(words, code) {
  process.stderr.write(words);
  process.exit(code);
}
