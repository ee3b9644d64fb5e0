// A built bin as a real child with inject.mjs inside it, and a client of its real transport: stdio or HTTP.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const INJECT = fileURLToPath(new URL("./inject.mjs", import.meta.url));
const binOf = (path: string) => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));
export const BINS = {
  stdio: binOf("mcp-pruner/dist/index.js"),
  http: binOf("mcp-pruner/dist/jeeves-mcp-pruner.js"),
  pruner: binOf("pruner-service/dist/jeeves-pruner.js"),
  cli: binOf("cli/dist/jeeves.js"),
} as const;

// biome-ignore lint/suspicious/noExplicitAny: what comes off the wire is looked at field by field
export type Wire = any;

export interface Fault {
  readonly part: string;
  /** The number of the call in its part, from 1. */
  readonly at: number;
  readonly how: "fail" | "hang";
}

export interface Places {
  /** Holds state/, tmp/ (with the fallback directory) and log/: where faults can be injected. */
  readonly home: string;
  readonly state: string;
  readonly root: string;
  readonly env: Record<string, string>;
  remove(): void;
}

export function makePlaces(more: Readonly<Record<string, string>> = {}): Places {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-faults-")));
  const [home, root] = [join(base, "home"), join(base, "root")];
  for (const dir of [root, home, join(home, "state"), join(home, "tmp")]) mkdirSync(dir, { mode: 0o700 });
  const state = join(home, "state");
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: base,
    LANG: "C.UTF-8",
    TMPDIR: join(home, "tmp"),
    JEEVES_STATE_DIR: state,
    JEEVES_EVENT_LOG: join(home, "log", "events.jsonl"),
    JEEVES_FAULTS_IN: home,
    JEEVES_STATE_WAIT_MS: "100",
    MCP_PRUNER_CWD: root,
    MCP_PRUNER_PORT: "0",
    PRUNER_ENGINE: "embedded",
    ...more,
  };
  return { home, state, root, env, remove: () => rmSync(base, { recursive: true, force: true }) };
}

export interface FaultyProcess extends Places {
  readonly events: Wire[];
  /** Arms the next fault, or none. Ends what hangs; returns what happened since the last time. */
  arm(fault?: Fault): Promise<{ readonly fired: string | undefined; readonly seen: Record<string, string[]> }>;
  /** One tools/call; the whole JSON-RPC answer. */
  call(name: string, args: unknown): Promise<Wire>;
  post(path: string, body: unknown): Promise<Wire>;
  /** Lets the process end by itself; its exit code. */
  stop(): Promise<number | null>;
  /** Ends it, whatever it is doing. */
  kill(): void;
}

const WAIT_MS = 30_000;

export async function startFaulty(
  bin: keyof typeof BINS,
  options: {
    readonly places?: Places;
    readonly client?: string;
    readonly uid?: number;
    readonly preload?: string;
  } = {},
): Promise<FaultyProcess> {
  const { places = makePlaces(), client = "test", uid, preload = INJECT } = options;
  const args = bin === "http" ? ["--root", places.root, "--port", "0"] : [];
  const child = spawn(process.execPath, ["--import", preload, BINS[bin], ...args], {
    env: places.env,
    stdio: ["pipe", "pipe", "pipe", "ipc"],
    ...(uid === undefined ? {} : { uid }),
  });
  child.stdin?.on("error", () => {});
  const exit = once(child, "close").then(([code]: (number | null)[]) => code ?? null);
  const { events, port } = readEvents(child);
  const ended = exit.then((code) => {
    throw new Error(`${bin} ended with ${code}: ${JSON.stringify(events.slice(-20))}`);
  });
  ended.catch(() => {});
  const rpc =
    bin === "stdio"
      ? rpcOverLines(child)
      : rpcOverHttp(await Promise.race([port, ended]), bin === "http" ? "/mcp" : "/rpc");
  const clientInfo = { name: client, version: "1" };
  const initialize = { protocolVersion: "2025-06-18", clientInfo, capabilities: {} };
  await Promise.race([rpc("initialize", initialize), ended]);
  return {
    ...places,
    events,
    async arm(fault) {
      const answered = once(child, "message");
      child.send({ arm: fault ?? null });
      const [{ before }] = await inTime("the injection", answered);
      return before;
    },
    call: (name, given) => Promise.race([rpc("tools/call", { name, arguments: given }), ended]),
    post: async (path, body) => postJson(await port, path, body),
    async stop() {
      child.stdin?.end();
      if (bin !== "stdio") child.kill("SIGTERM");
      return inTime("the end of the process", exit);
    },
    kill() {
      child.kill("SIGKILL");
      places.remove();
    },
  };
}

function readEvents(child: ChildProcess): { readonly events: Wire[]; readonly port: Promise<number> } {
  const events: Wire[] = [];
  const port = new Promise<number>((resolve) => {
    if (child.stderr === null) return;
    createInterface({ input: child.stderr }).on("line", (line) => {
      const event = line.startsWith("{") ? JSON.parse(line) : { event: "stderr", data: { line } };
      events.push(event);
      if (/\.ready$/.test(event.event) && event.data?.port !== undefined) resolve(event.data.port);
    });
  });
  return { events, port };
}

function rpcOverLines(child: ChildProcess): (method: string, params: unknown) => Promise<Wire> {
  const waiting = new Map<number, (message: Wire) => void>();
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message);
    });
  let id = 0;
  return (method, params) => {
    const own = ++id;
    const answered = new Promise<Wire>((resolve) => waiting.set(own, resolve));
    child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: own, method, params })}\n`);
    return inTime(`an answer to ${method}`, answered);
  };
}

function rpcOverHttp(port: number, path: string): (method: string, params: unknown) => Promise<Wire> {
  let id = 0;
  return async (method, params) => postJson(port, path, { jsonrpc: "2.0", id: ++id, method, params });
}

async function postJson(port: number, path: string, body: unknown): Promise<Wire> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(WAIT_MS),
  });
  return answer.json();
}

/** Far longer than anything here may take: what it ends is a hang. */
async function inTime<T>(what: string, done: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${WAIT_MS} ms for ${what}`)), WAIT_MS);
  });
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}
