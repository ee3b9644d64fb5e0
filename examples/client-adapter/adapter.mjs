// Jeeves as Pebble's filter: each question becomes one call of `jeeves_hook`, in the plain form (packages/intercept/README.md).
// node adapter.mjs --install | --remove; without a word it is the filter. Whatever goes wrong leaves a result as it is.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("../../packages/mcp-pruner/dist/index.js", import.meta.url));
const WAIT_MS = 10_000;

/** Pebble's tools in the shared words: the name, the arguments, and the result as a text. */
const TOOLS = {
  page: {
    name: () => "Read",
    input: ({ file, from, to }) => ({
      file_path: file,
      ...(from === undefined ? {} : { offset: from }),
      ...(to === undefined ? {} : { limit: to - (from ?? 1) + 1 }),
    }),
    result: ({ first, rows }) => ({ output: rows.join("\n"), first_line: first }),
  },
  run: {
    name: () => "Bash",
    input: ({ line }) => ({ command: line }),
    result: ({ text, status }) => ({ output: text, exit_code: status ?? 1 }),
  },
  seek: {
    name: () => "Grep",
    input: ({ word, below }) => ({ pattern: word, path: below }),
    result: ({ hits }) => ({ output: hits.map(({ file, row, text }) => `${file}:${row}:${text}`).join("\n") }),
  },
  ask: {
    name: ({ server, tool }) => `mcp__${server}__${tool}`,
    input: ({ words }) => words,
    result: ({ text }) => ({ output: text }),
  },
  swap: {
    name: () => "Edit",
    input: ({ file, old, by }) => ({ file_path: file, old_string: old, new_string: by }),
    result: () => undefined,
  },
};

function toEvent({ n, before, after, input, gave, session, dir, prompt, used }) {
  const tool = TOOLS[before ?? after];
  return {
    hook_event_name: before === undefined ? "PostToolUse" : "PreToolUse",
    tool_name: tool.name(input),
    tool_input: tool.input(input),
    tool_response: gave && tool.result(gave),
    tool_use_id: String(n),
    session_id: session,
    cwd: dir,
    session_facts: { user: prompt, context_tokens: used },
  };
}

function toAnswer({ permissionDecision, permissionDecisionReason, updatedToolOutput } = {}) {
  if (permissionDecision === "deny") return { stop: permissionDecisionReason };
  if (permissionDecision === "allow") return { trust: true };
  return updatedToolOutput === undefined ? {} : { show: updatedToolOutput.output };
}

/** Our server: no tool of it is listed, so the way back is Pebble's own `page`. What Pebble forbids, it refuses, too. */
function startServer({ dir, forbid }) {
  const env = { ...process.env, MCP_PRUNER_CWD: dir, MCP_PRUNER_TOOLS: "none", MCP_PRUNER_DENY: forbid.join(",") };
  const child = spawn(process.execPath, [SERVER], { cwd: dir, env, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map();
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let isGone = false;
  const end = () => {
    isGone = true;
    for (const answer of waiting.values()) answer({});
  };
  child.on("error", end).on("close", end).stdin.on("error", end);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result } = JSON.parse(line);
    waiting.get(id)?.(JSON.parse(result?.content?.[0]?.text ?? "{}"));
  });
  const clientInfo = { name: "pebble", version: "1.0" };
  send({ id: "hello", method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  send({ method: "notifications/initialized" });
  return {
    ask: (id, event) =>
      new Promise((done) => {
        if (isGone) return done({});
        const timer = setTimeout(done, WAIT_MS, {});
        waiting.set(id, (answer) => {
          clearTimeout(timer);
          waiting.delete(id);
          done(answer);
        });
        send({ id, method: "tools/call", params: { name: "jeeves_hook", arguments: event } });
      }),
    stop: () => child.stdin.end(),
  };
}

async function filter() {
  let server;
  for await (const line of createInterface({ input: process.stdin })) {
    const question = JSON.parse(line);
    server ??= startServer(question);
    const { hookSpecificOutput } = await server.ask(question.n, toEvent(question));
    process.stdout.write(`${JSON.stringify({ n: question.n, ...toAnswer(hookSpecificOutput) })}\n`);
  }
  server?.stop();
}

function setUp(isInstalled) {
  const path = join(homedir(), ".pebble", "filter.json");
  const ours = `${JSON.stringify({ run: [process.execPath, fileURLToPath(import.meta.url)] })}\n`;
  const there = existsSync(path) ? readFileSync(path, "utf8") : ours;
  if (there !== ours) throw new Error(`${path} names another filter; take it out first`);
  mkdirSync(dirname(path), { recursive: true });
  if (isInstalled) writeFileSync(path, ours);
  else rmSync(path, { force: true });
}

const [word] = process.argv.slice(2);
if (word === undefined) await filter();
else if (word === "--install" || word === "--remove") setUp(word === "--install");
else throw new Error(`${word} is neither --install nor --remove`);
