// jeeves-pruner from a client's side: requests per second and latencies at 1, 16 and 64 connections, what HTTP, the
// threads and the store add to the bare engine, and whether memory stays where it is.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { root } from "../scripts/setup.mjs";
import { median, print, printFigure, printTitle } from "./figures.mjs";
import { bundledUrl, loadEngine } from "./prune/load-engine.mjs";
import { createTempDir } from "./temp-dir.mjs";

const USAGE = "usage: npm run bench -- http [--requests N] [--prunes N]   (default 300 a load, 10000 for memory)";
const CONNECTIONS = [1, 16, 64];
const RATIO = 0.7;
const MAX_OVERHEAD_MS = 3;
const MAX_P99_RATIO = 20;
const MAX_MEMORY_RATIO = 1.3;
const WARM_UP = 30;
const POLL_MS = 20;
/** The difference of two times that move by a third from call to call needs more of them. */
const OVERHEAD_ROUNDS = 3;
const BLOCK = 30;
const BLOCK_START = 2;
/** How the engine is called, here and behind each server. */
const HOW = { kind: "code", amount: { mode: "ratio", maxPruneRatio: RATIO, minKeepLines: 1 }, protectFrame: true };

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "300" },
    prunes: { type: "string", default: "10000" },
    help: { type: "boolean" },
  },
});
const requests = Number(values.requests);
const prunes = Number(values.prunes);
if (values.help || !(requests >= 100) || !(prunes >= 1000)) {
  print(USAGE);
  process.exit(values.help ? 0 : 2);
}

const dir = createTempDir({ inMemory: true });
// Real code, pinned by the lock file: how many blocks a cut has, and so how much there is to say, depends on the text.
const zod = createRequire(join(root, "packages", "kit", "package.json")).resolve("zod");
const source = readFileSync(join(dirname(zod), "v4", "core", "schemas.js"), "utf8");
const text = firstLines(source, 1_000);
const shortText = firstLines(source, 200);
const FOCUS = "How is a date or a time in a string checked, and which precision may it have?";
let lastFocus = 0;
// Another question each time: the same call again would find its text stored already.
const nextFocus = () => `${FOCUS} (${++lastFocus})`;

const server = await startPruner();
try {
  printTitle(`http: jeeves-pruner, prune_text on 1000 lines, ${requests} requests a load`);
  await load(server, { connections: 2, count: WARM_UP * 2, body: () => pruneBody(text) });
  for (const connections of CONNECTIONS) {
    const { rps, p50, p99 } = await load(server, { connections, count: requests, body: () => pruneBody(text) });
    printLoad(`prune, ${connections} connections`, { rps, p50, p99 });
    if (connections === 64) printFigure("p99 / p50 at 64 connections", p99 / p50, { unit: "×", atMost: MAX_P99_RATIO });
  }
  for (const connections of [1, 64]) {
    const found = await load(server, { connections, count: requests * 4, body: () => rpcBody("health") });
    printLoad(`health, ${connections} connections`, found);
  }
  await printOverhead();
  await printMemory();
} finally {
  await server.stop();
}

function printLoad(name, { rps, p50, p99 }) {
  printFigure(`${name}: requests per second`, rps, { digits: 0 });
  printFigure(`${name}: p50`, p50, { unit: " ms" });
  printFigure(`${name}: p99`, p99, { unit: " ms" });
}

async function printOverhead() {
  const { prune, createTreeSitterGrammars } = await loadEngine();
  const grammars = createTreeSitterGrammars();
  const askBare = async () => {
    const from = performance.now();
    await prune(text, { focus: nextFocus(), ...HOW, grammars });
    return performance.now() - from;
  };
  const probe = await connectTo(server);
  const plain = await startPlain(await probe.bodyOf(pruneBody(text)));
  probe.end();
  const ours = [];
  const plainest = [];
  await compare(plain, { askBare, into: [], rounds: WARM_UP });
  while (ours.length < requests * OVERHEAD_ROUNDS) {
    await compare(server, { askBare, into: ours, rounds: BLOCK });
    await compare(plain, { askBare, into: plainest, rounds: BLOCK });
  }
  plain.stop();
  const overheadOf = (rounds) => median(rounds.map(({ servedMs, bareMs }) => servedMs - bareMs));
  const p50 = (name, rounds, of) => printFigure(name, median(rounds.map(of)), { unit: " ms" });
  p50("the bare engine, p50", ours, ({ bareMs }) => bareMs);
  p50("the same over HTTP, p50", ours, ({ servedMs }) => servedMs);
  printFigure("overhead of the service, p50", overheadOf(ours), { unit: " ms", atMost: MAX_OVERHEAD_MS });
  printFigure("that of the plainest server with the engine in a thread, p50", overheadOf(plainest), { unit: " ms" });
}

/**
 * In turns, so that a busy machine slows both alike and each engine finds the caches as the other left them: a request
 * stands between two bare calls and is compared with their mean. Never more than one server at a time, or its engine
 * would find the caches as three calls of others left them; the first rounds of a block are the other server's doing.
 */
async function compare(to, { askBare, into, rounds }) {
  const client = await connectTo(to);
  let before = await askBare();
  for (let round = -BLOCK_START; round < rounds; round++) {
    const servedMs = await client.ask(pruneBody(text));
    const after = await askBare();
    if (round >= 0) into.push({ bareMs: (before + after) / 2, servedMs });
    before = after;
  }
  client.end();
}

async function printMemory() {
  const short = () => pruneBody(shortText);
  const first = Math.round(prunes / 10);
  await load(server, { connections: 8, count: first, body: short });
  const before = server.memoryMb();
  await load(server, { connections: 8, count: prunes - first, body: short });
  const after = server.memoryMb();
  printFigure(`memory after ${first} prunes of 200 lines`, before, { unit: " MB", digits: 1 });
  printFigure(`memory after ${prunes}`, after, { unit: " MB", digits: 1 });
  printFigure("the one over the other", after / before, { unit: "×", atMost: MAX_MEMORY_RATIO });
}

/** Each connection asks again as soon as it is answered. */
async function load(to, { connections, count, body }) {
  const times = [];
  let left = count;
  const ask = async () => {
    const client = await connectTo(to);
    while (left-- > 0) times.push(await client.ask(body()));
    client.end();
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: connections }, ask));
  const seconds = (performance.now() - from) / 1000;
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return { rps: count / seconds, p50: at(0.5), p99: at(0.99) };
}

/**
 * HTTP over a bare socket, from the first byte sent to the last byte read: node:http's client costs 2 ms for such a
 * call, which would be counted as the service's.
 */
async function connectTo({ host, port }) {
  const socket = connect({ host, port, noDelay: true });
  await once(socket, "connect");
  /** A refused or fallen back request is a broken benchmark, not a figure. */
  const exchange = async (body) => {
    const head = `POST /rpc HTTP/1.1\r\nhost: ${host}:${port}\r\ncontent-type: application/json\r\n`;
    const sent = Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    const from = performance.now();
    socket.write(sent);
    const parts = [];
    for (let missing = Number.POSITIVE_INFINITY; missing > 0; ) {
      const [part] = await once(socket, "data");
      if (parts.push(part) === 1) missing = sizeOf(part);
      missing -= part.length;
    }
    const ms = performance.now() - from;
    const answer = Buffer.concat(parts).toString("utf8");
    const isGood = answer.startsWith("HTTP/1.1 200 ") && !/\\"used_fallback\\":true|"error":/.test(answer);
    if (!isGood) throw new Error(answer.slice(0, 500));
    return { ms, body: answer.slice(answer.indexOf("\r\n\r\n") + 4) };
  };
  return {
    ask: async (body) => (await exchange(body)).ms,
    bodyOf: async (body) => (await exchange(body)).body,
    end: () => socket.destroy(),
  };
}

async function readyEvent(child, eventsFile) {
  for (;;) {
    const lines = readFileSync(eventsFile, "utf8").split("\n").slice(0, -1);
    const ready = lines.map((line) => JSON.parse(line)).find(({ event }) => event === "pruner.ready");
    if (ready !== undefined) return ready.data;
    const ended = child.exitCode ?? child.signalCode;
    if (ended !== null) throw new Error(`jeeves-pruner ended with ${ended}: ${lines.join(" ")}`);
    await setTimeout(POLL_MS);
  }
}

/** plain-server.mjs with the same engine; it answers with the given words. */
async function startPlain(answer) {
  const engine = { index: bundledUrl("index"), grammars: bundledUrl("grammars"), how: HOW };
  const env = { PATH: process.env.PATH, ANSWER: answer, ENGINE: JSON.stringify(engine) };
  const file = join(root, "bench", "plain-server.mjs");
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  return { host: "127.0.0.1", port: Number(port), stop: () => child.kill("SIGKILL") };
}

/** Of a whole answer, by its first part. */
function sizeOf(part) {
  const bodyAt = part.indexOf("\r\n\r\n") + 4;
  return bodyAt + Number(/^content-length: (\d+)/im.exec(part.toString("latin1", 0, bodyAt))?.[1]);
}

function firstLines(of, count) {
  return `${of.split("\n").slice(0, count).join("\n")}\n`;
}

function rpcBody(method, params) {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

function pruneBody(of) {
  const options = {
    max_prune_ratio: RATIO,
    min_keep_lines: 1,
    timeout_ms: 60_000,
    annotate_lines: false,
    include_markers: true,
  };
  const args = { text: of, goal_hint: nextFocus(), source_type: "code", options };
  return rpcBody("tools/call", { name: "prune_text", arguments: args });
}

/**
 * Its events go to a file: a pipe would wake this process for each of them, and what it takes to read them would be
 * counted as the service's.
 */
async function startPruner() {
  const file = join(root, "packages", "pruner-service", "dist", "jeeves-pruner.js");
  const env = { PATH: process.env.PATH, HOME: dir, JEEVES_STATE_DIR: join(dir, "state") };
  const eventsFile = join(dir, "events.jsonl");
  const stderr = openSync(eventsFile, "a");
  const child = spawn(process.execPath, [file, "--port", "0"], { env, stdio: ["ignore", "ignore", stderr] });
  closeSync(stderr);
  const { host, port } = await readyEvent(child, eventsFile);
  return {
    host,
    port,
    memoryMb() {
      try {
        return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
      } catch {
        return Number.NaN;
      }
    },
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
