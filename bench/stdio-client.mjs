// An MCP client for benchmarks: JSON lines over a child's stdin and stdout, nothing else, so that what is measured is
// the server and not a client library.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

const REQUEST_TIMEOUT_MS = 60_000;
const STDERR_TAIL_CHARS = 2_000;

/**
 * Starts a server; `startedAt` is the moment before the spawn. Everything that the server needs comes from `env`.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 */
export function startServer(command, args, { cwd, env }) {
  const startedAt = performance.now();
  const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Map();
  let nextId = 1;
  let stderr = "";

  const failAll = (reason) => {
    for (const { fail } of waiting.values()) fail(new Error(`${command} ${args.join(" ")}: ${reason}\n${stderr}`));
  };
  child.once("error", (error) => failAll(error.message));
  child.once("exit", (code, signal) => failAll(`exited with ${code ?? signal}`));
  child.stdin.on("error", (error) => failAll(error.message));
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr = (stderr + text).slice(-STDERR_TAIL_CHARS);
  });
  onLines(child.stdout, (line) => {
    const message = JSON.parse(line);
    const call = waiting.get(message.id);
    if (call === undefined) return;
    if (message.error) call.fail(new Error(JSON.stringify(message.error)));
    else call.done(message.result);
  });

  const write = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  async function request(method, params) {
    const id = nextId++;
    let timer;
    try {
      return await new Promise((done, fail) => {
        waiting.set(id, { done, fail });
        timer = setTimeout(() => fail(new Error(`no answer to ${method}\n${stderr}`)), REQUEST_TIMEOUT_MS);
        write({ id, method, params });
      });
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  }

  return {
    startedAt,
    request,
    notify: (method, params) => write({ method, params }),
    /** The handshake that every client makes; resolves with the tools. */
    async listTools() {
      const clientInfo = { name: "jeeves-bench", version: "1" };
      await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
      write({ method: "notifications/initialized" });
      return (await request("tools/list", {})).tools;
    },
    /** A failed call is a broken benchmark, not a figure. */
    async call(name, args) {
      const result = await request("tools/call", { name, arguments: args });
      if (result.isError) throw new Error(`${name} failed: ${result.content?.[0]?.text}`);
      return result;
    },
    pid: child.pid,
    memory: () => readMemory(child.pid),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Splits as bytes come, so that a megabyte in one answer costs the client next to nothing. */
function onLines(stream, onLine) {
  let pending = [];
  stream.on("data", (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      pending.push(chunk.subarray(from, end));
      onLine(Buffer.concat(pending).toString("utf8"));
      pending = [];
      from = end + 1;
    }
    if (from < chunk.length) pending.push(chunk.subarray(from));
  });
}

/** Resident memory now and at its highest, in MB; undefined where the system does not tell. */
function readMemory(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const megabytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
    return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
  } catch {
    return undefined;
  }
}
