// Pebble, a made-up coding agent: five tools, a few settings, and one hook, the filter. node pebble.mjs "PROMPT"
//
// PEBBLE_MODEL is the address of its model: POST {prompt, steps} answers {say} or {tool, input}.
// ~/.pebble/settings.json: {forbid: [FILE…], servers: {NAME: {command, args, env}}}.
// ~/.pebble/filter.json: {run: [PROGRAM, …]}, a program that lives as long as the session and answers lines of JSON:
//   {n, before: TOOL, input}        → {n}, {n, stop: REASON} or {n, trust: true}: do not ask about files elsewhere
//   {n, after: TOOL, input, gave}   → {n} or {n, show: TEXT}: what the model is shown in the result's place
// Both also have session, dir, forbid, prompt and used, the size of the context in tokens.
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";

const settingsIn = (name) => {
  const path = join(homedir(), ".pebble", name);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
};
const { forbid = [], servers = {} } = settingsIn("settings.json");
const { run: filter } = settingsIn("filter.json");
const [prompt = "", dir = process.cwd(), session = randomUUID()] = process.argv.slice(2);
const steps = [];

/** A program that answers lines of JSON by their number; nothing ({}) where it cannot. */
function startPeer(number, [program, ...args], env = {}) {
  const child = spawn(program, args, { cwd: dir, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let [last, isGone] = [0, false];
  const end = () => {
    isGone = true;
    for (const done of waiting.values()) done({});
  };
  child.on("error", end).on("close", end).stdin.on("error", end);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message[number])?.(message);
  });
  const ask = (message) =>
    new Promise((done) => {
      if (isGone) return done({});
      waiting.set(++last, done);
      child.stdin.write(`${JSON.stringify({ [number]: last, ...message })}\n`);
    });
  return { ask, stop: () => child.stdin.end() };
}

const peers = new Map();
const peerOf = (name, start) => peers.get(name) ?? peers.set(name, start()).get(name);
const askFilter = (message) => {
  if (filter === undefined) return {};
  const used = Math.ceil(JSON.stringify(steps).length / 4);
  return peerOf("", () => startPeer("n", filter)).ask({ ...message, session, dir, forbid, prompt, used });
};

function pathOf(file, isTrusted = false) {
  const path = resolve(dir, file);
  if (forbid.some((name) => resolve(dir, name) === path)) throw new Error(`${file} is forbidden by settings.json`);
  if (relative(dir, path).startsWith("..") && !isTrusted) throw new Error(`${file} is not in this project`);
  return path;
}

const TOOLS = {
  page({ file, from = 1, to = Number.POSITIVE_INFINITY }, isTrusted) {
    const rows = readFileSync(pathOf(file, isTrusted), "utf8").replace(/\n$/, "").split("\n");
    return { file, first: from, rows: rows.slice(from - 1, to) };
  },
  run({ line }) {
    const done = spawnSync("sh", ["-c", `exec 2>&1; ${line}`], { cwd: dir, encoding: "utf8", maxBuffer: 2 ** 26 });
    return { text: done.stdout, status: done.status };
  },
  seek({ word, below }) {
    const files = readdirSync(pathOf(below), { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const hits = files.flatMap((found) => {
      const file = relative(dir, join(found.parentPath, found.name));
      const rows = readFileSync(pathOf(file), "utf8").split("\n");
      return rows.flatMap((text, index) => (text.includes(word) ? [{ file, row: index + 1, text }] : []));
    });
    return { hits };
  },
  async ask({ server, tool, words }) {
    const { command, args, env } = servers[server];
    const peer = peerOf(server, () => startPeer("id", [command, ...args], env));
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "pebble", version: "1.0" } };
    await peer.ask({ jsonrpc: "2.0", method: "initialize", params: hello });
    const call = { jsonrpc: "2.0", method: "tools/call", params: { name: tool, arguments: words } };
    return { text: (await peer.ask(call)).result.content[0].text };
  },
  swap({ file, old, by }) {
    const path = pathOf(file);
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace(old, () => by),
    );
    return { text: "swapped" };
  },
};

const textOf = ({ text, rows, hits = [] }) =>
  text ?? (rows ?? hits.map(({ file, row, text }) => `${file}, row ${row}: ${text}`)).join("\n");

async function use({ tool, input }) {
  const { stop, trust } = await askFilter({ before: tool, input });
  if (stop !== undefined) return `stopped: ${stop}`;
  const gave = await TOOLS[tool](input, trust);
  const { show } = await askFilter({ after: tool, input, gave });
  return show ?? textOf(gave);
}

for (;;) {
  const response = await fetch(process.env.PEBBLE_MODEL, { method: "POST", body: JSON.stringify({ prompt, steps }) });
  if (!response.ok) throw new Error(`the model: ${await response.text()}`);
  const answer = await response.json();
  if (answer.say !== undefined) {
    console.log(answer.say);
    break;
  }
  steps.push({ ...answer, shown: await use(answer).catch((error) => `failed: ${error.message}`) });
}
for (const peer of peers.values()) peer.stop();
