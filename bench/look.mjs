// `jeeves look` on a million lines of transcripts: `npm run bench -- look [--lines N]`. Sessions of both clients in the
// shapes that they write, small results with a large one now and then, as in real ones.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/setup.mjs";
import { claudeTranscript, codexTranscript } from "../test/transcript-writer.mjs";
import { median, printFigure, printTitle } from "./figures.mjs";
import { createTempDir } from "./temp-dir.mjs";

const given = process.argv.indexOf("--lines");
const LINES = given === -1 ? 1_000_000 : Number(process.argv[given + 1]);
const STEPS_PER_SESSION = 1_000;
const RUNS = 3;

const home = createTempDir();
const claudeDir = join(home, ".claude", "projects", "-p");
const codexDir = join(home, ".codex", "sessions", "2026", "11", "15");
mkdirSync(claudeDir, { recursive: true });
mkdirSync(codexDir, { recursive: true });
let lines = 0;
for (let k = 0; lines < LINES; k++) {
  const session = `${String(k).padStart(8, "0")}-1111-4222-8333-444455556666`;
  const isClaude = k % 2 === 0;
  const text = (isClaude ? claudeTranscript : codexTranscript)({
    session,
    steps: stepsOf(isClaude ? "Bash" : "shell"),
  });
  const file = isClaude
    ? join(claudeDir, `${session}.jsonl`)
    : join(codexDir, `rollout-2026-11-15T10-00-00-${session}.jsonl`);
  writeFileSync(file, text);
  lines += text.split("\n").length - 1;
}

const runs = Array.from({ length: RUNS }, look);
printTitle(`look: ${lines.toLocaleString("en-US")} lines, ${runs[0].sessions} sessions`);
printFigure("time, median of three", median(runs.map(({ seconds }) => seconds)), { unit: " s", digits: 1, atMost: 10 });

function stepsOf(tool) {
  return Array.from({ length: STEPS_PER_SESSION }, (_, i) => {
    const count = i % 50 === 49 ? 400 : 3;
    const output = Array.from({ length: count }, (_, n) => `row ${n} of step ${i} is as it was before`).join("\n");
    return {
      at: new Date(Date.UTC(2026, 10, 15, 10, 0, i)).toISOString(),
      ...(i === 0 ? { prompt: "Mend the invoice." } : {}),
      usage: { cached: 20_000 + 100 * i, written: tool === "Bash" ? 100 : undefined, plain: 3, output: 20 },
      tools: [{ tool, input: { command: `make step-${i}` }, text: output }],
    };
  });
}

function look() {
  const began = performance.now();
  const { status, stdout, stderr, ...end } = spawnSync(
    process.execPath,
    [join(root, "packages/cli/dist/jeeves.js"), "look", "--since", "all", "--json"],
    { env: { PATH: process.env.PATH, HOME: home, JEEVES_STATE_DIR: join(home, "state") }, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`jeeves look ended with ${status ?? end.signal}: ${stderr}`);
  return { seconds: (performance.now() - began) / 1000, sessions: JSON.parse(stdout).sessions };
}
