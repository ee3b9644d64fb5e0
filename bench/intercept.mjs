// What a hook adds to a client's own call, against no hook, in turns, in one run: a small command, a command that is run
// bare, an output that Node leaves whole, a read below the gate, a pruned output of 10,000 lines (after a long month, too),
// and a flood.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/setup.mjs";
import { median, print, printFigure, printTitle } from "./figures.mjs";
import { startServer } from "./stdio-client.mjs";
import { createTempDir } from "./temp-dir.mjs";

const USAGE = "usage: npm run bench -- intercept [--rounds N]   (default 41)";
const { values } = parseArgs({ options: { rounds: { type: "string", default: "41" }, help: { type: "boolean" } } });
const rounds = Number(values.rounds);
if (values.help || !Number.isInteger(rounds) || rounds < 1) {
  print(USAGE);
  process.exit(values.help ? 0 : 2);
}

const SERVER = join(root, "packages", "mcp-pruner", "dist", "index.js");
const LONG_MONTH_CUTS = 20_000;
const FLOOD = "yes | head -c 100000000";
const dir = createTempDir();
const env = {
  PATH: process.env.PATH,
  HOME: dir,
  JEEVES_STATE_DIR: join(dir, "state"),
  PRUNER_ENGINE: "embedded",
  MCP_PRUNER_CWD: dir,
};
writeFileSync(join(dir, "small.txt"), "a small file\nwith two lines\n");
const log = Array.from({ length: 10_000 }, (_, i) => ` ✓ test/area-${i % 23}.test.ts > case ${i} takes ${i % 13}ms`);
log[7_000] = "AssertionError: expected 200 to be 401";
writeFileSync(join(dir, "long.log"), `${log.join("\n")}\n`);
// What a client starts is the launcher that init writes.
const done = spawnSync(process.execPath, [join(root, "packages", "cli", "dist", "jeeves.js"), "init", "gemini"], {
  env,
});
if (done.status !== 0) throw new Error(`jeeves init failed: ${done.stderr}`);
const EXEC = join(dir, ".local", "share", "jeeves", "bin", "jeeves-exec");
await run();

async function run() {
  printTitle(`intercept: time added to a client's own call, medians of ${rounds} rounds in turns`);
  added("small command, held", "cat small.txt", { atMost: 10 });
  added("small command, run bare", "pwd", { atMost: 10 });
  added("output of 3 kB, which Node leaves whole", "head -c 3000 long.log", { rounds: Math.min(rounds, 15) });
  added("pruned output of 10,000 lines", "cat long.log", { atMost: 400, rounds: Math.min(rounds, 15) });
  addedByTheMeter();
  await addedToRead();
  const few = Array.from({ length: 5 }, () => [
    time("/bin/bash", ["-c", FLOOD]),
    time(EXEC, ["--client=claude-code", FLOOD]),
  ]);
  const ratio = median(few.map(([, ours]) => ours)) / median(few.map(([bare]) => bare));
  printFigure(`${FLOOD}, ours / bare`, ratio, { unit: "×", atMost: 1.3 });
}

/** The same cut where a developer's agents have left a month of cuts behind, and where they have not. */
function addedByTheMeter() {
  const late = { ...env, JEEVES_STATE_DIR: join(dir, "late") };
  fillMeter(late.JEEVES_STATE_DIR, LONG_MONTH_CUTS);
  const pairs = Array.from({ length: Math.min(rounds, 15) }, (_, i) => {
    const args = ["--client=claude-code", `--session=month-${i}`, "cat long.log"];
    return { full: time(EXEC, args, late), empty: time(EXEC, args) };
  });
  const ratio = median(pairs.map(({ full }) => full)) / median(pairs.map(({ empty }) => empty));
  printFigure(`the same with ${LONG_MONTH_CUTS} cuts in the meter / with none`, ratio, { unit: "×", atMost: 1.2 });
}

function fillMeter(stateDir, cuts) {
  const now = new Date().toISOString();
  const lines = Array.from({ length: cuts }, (_, i) => {
    const session = `3f2c8a1e-77aa-4c1b-9d7e-${String(Math.floor(i / 40)).padStart(12, "0")}`;
    const sizes = { raw_tokens: 5200, kept_tokens: 1900 };
    const said = { what: "src/server/handlers/session-store.ts", focus: "how do entries of the session store expire?" };
    const made = { ts: now, kind: "cut", session, client: "claude-code", tool: "Read", project: dir };
    return `${JSON.stringify({ ...made, ...sizes, prune_id: "prn_aaaaaaaaaaaa", ...said, ms: 31 })}\n`;
  });
  mkdirSync(join(stateDir, "meter"), { recursive: true });
  writeFileSync(join(stateDir, "meter", `${now.slice(0, 7)}.jsonl`), lines.join(""));
}

function added(name, command, { atMost, rounds: count = rounds }) {
  const pairs = Array.from({ length: count }, (_, i) => {
    // A cut that is asked for again is not made again: every round is a session of its own.
    const ours = time(EXEC, ["--client=claude-code", `--session=${i}`, command]);
    return { ours, bare: time("/bin/bash", ["-c", command]) };
  });
  const [ours, bare] = [median(pairs.map((pair) => pair.ours)), median(pairs.map((pair) => pair.bare))];
  printFigure(name, ours - bare, { unit: " ms", digits: 1, atMost, note: `(bare ${bare.toFixed(1)} ms)` });
}

function time(file, args, childEnv = env) {
  const from = performance.now();
  const done = spawnSync(file, args, {
    cwd: dir,
    env: childEnv,
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 28,
  });
  const ms = performance.now() - from;
  if (done.status !== 0) throw new Error(`${args.at(-1)} failed: ${done.stderr}`);
  return ms;
}

async function addedToRead() {
  const content = Array.from({ length: 300 }, (_, i) => `export const value${i} = ${i};`).join("\n");
  const file = { filePath: join(dir, "a.ts"), content, numLines: 300, startLine: 1, totalLines: 300 };
  const event = {
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: JSON.stringify({ file_path: file.filePath }),
    tool_response: JSON.stringify({ type: "text", file }),
    session_id: "bench",
  };
  const server = startServer(process.execPath, [SERVER], { cwd: dir, env });
  try {
    await server.listTools();
    const times = [];
    for (let round = 0; round < rounds; round++) {
      const from = performance.now();
      const result = await server.call("jeeves_hook", event);
      times.push(performance.now() - from);
      if (result.content[0].text !== "{}") throw new Error("a small read was not left alone");
    }
    printFigure("read below the gate (the hook's whole call)", median(times), { unit: " ms", digits: 1, atMost: 5 });
  } finally {
    await server.close();
  }
}
