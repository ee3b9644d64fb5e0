// What a session pays before its first call: time from spawn to the first tools/list, and memory, beside the reference
// filesystem server, in turns, in one run; and what the first pruned call costs on a server that has just started.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled, root } from "../scripts/setup.mjs";
import { median, print, printFigure, printTitle } from "./figures.mjs";
import { ANSWER, FOCUS, makeSource } from "./made-source.mjs";
import { startServer } from "./stdio-client.mjs";
import { createTempDir } from "./temp-dir.mjs";

const USAGE = "usage: npm run bench -- startup [--rounds N]   (default 11)";
const MAX_TIME_RATIO = 0.6;
const MAX_MEMORY_RATIO = 1;
const MAX_FIRST_PRUNE_MS = 300;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "11" }, help: { type: "boolean" } } });
const rounds = Number(values.rounds);
if (values.help || !Number.isInteger(rounds) || rounds < 1) {
  print(USAGE);
  process.exit(values.help ? 0 : 2);
}

const peers = join(root, "bench", "peers");
await ensureInstalled(peers);
const dir = createTempDir();
await run();

async function run() {
  const source = makeSource({ functionCount: 120 });
  writeFileSync(join(dir, "service.ts"), source);
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    MCP_PRUNER_CWD: dir,
    JEEVES_STATE_DIR: join(dir, "state"),
    PRUNER_ENGINE: "embedded",
  };
  const ours = [join(root, "packages", "mcp-pruner", "dist", "index.js")];
  const theirs = [join(peers, "node_modules", "@modelcontextprotocol", "server-filesystem", "dist", "index.js"), dir];

  const runs = { ours: [], theirs: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    runs.theirs.push(await measure(theirs, env));
    runs.ours.push(await measure(ours, env, firstPrunedCall));
    runs.bare.push(await measureBareNode(env));
  }

  const pick = (who, what) => median(runs[who].map((one) => one[what] ?? Number.NaN));
  const ratio = (what) => pick("ours", what) / pick("theirs", what);
  printTitle(`start-up: mcp-pruner beside server-filesystem, medians of ${rounds} rounds in turns`);
  for (const [name, who] of [
    ["bare node", "bare"],
    ["server-filesystem", "theirs"],
    ["mcp-pruner", "ours"],
  ]) {
    printFigure(`${name}: spawn to first tools/list`, pick(who, "listMs"), { unit: " ms", digits: 0 });
    if (who === "bare") continue;
    printFigure(`${name}: resident memory then`, pick(who, "nowMb"), { unit: " MB", digits: 1 });
    printFigure(`${name}: peak memory then`, pick(who, "peakMb"), { unit: " MB", digits: 1 });
  }
  printFigure("time, mcp-pruner / server-filesystem", ratio("listMs"), { unit: "×", atMost: MAX_TIME_RATIO });
  printFigure("memory, mcp-pruner / server-filesystem", ratio("nowMb"), { unit: "×", atMost: MAX_MEMORY_RATIO });
  printFigure("peak memory, the same", ratio("peakMb"), { unit: "×", atMost: MAX_MEMORY_RATIO });
  const lines = source.split("\n").length - 1;
  printFigure(`first pruned read (${lines} lines)`, pick("ours", "callMs"), {
    unit: " ms",
    digits: 0,
    atMost: MAX_FIRST_PRUNE_MS,
  });
  printFigure("second pruned read, another question", pick("ours", "secondMs"), { unit: " ms", digits: 0 });
  printFigure("peak memory after them", pick("ours", "prunedPeakMb"), { unit: " MB", digits: 1 });
}

async function measure(args, env, afterwards = async () => ({})) {
  const server = startServer(process.execPath, args, { cwd: dir, env });
  try {
    const tools = await server.listTools();
    const listMs = performance.now() - server.startedAt;
    if (tools.length === 0) throw new Error(`${args[0]} lists no tools`);
    const memory = server.memory();
    return { listMs, nowMb: memory?.now, peakMb: memory?.peak, ...(await afterwards(server)) };
  } finally {
    await server.close();
  }
}

async function firstPrunedCall(server) {
  const timed = async (question) => {
    const from = performance.now();
    const result = await server.call("read", { file_path: "service.ts", context_focus_question: question });
    const ms = performance.now() - from;
    if (!result.structuredContent?.pruning?.applied) throw new Error("the read was not pruned: nothing to time");
    return { ms, text: result.content[0].text };
  };
  const first = await timed(FOCUS);
  if (!first.text.includes(ANSWER)) throw new Error(`the pruned read lost its answer: ${ANSWER}`);
  const second = await timed(`${FOCUS} And who calls it?`);
  return { callMs: first.ms, secondMs: second.ms, prunedPeakMb: server.memory()?.peak };
}

/** What no server written for Node can go below. */
async function measureBareNode(env) {
  const script = 'process.stdin.once("data", () => process.stdout.write(\'{"jsonrpc":"2.0","id":1,"result":{}}\\n\'))';
  const server = startServer(process.execPath, ["-e", script], { cwd: dir, env });
  try {
    await server.request("initialize", {});
    return { listMs: performance.now() - server.startedAt };
  } finally {
    await server.close();
  }
}
