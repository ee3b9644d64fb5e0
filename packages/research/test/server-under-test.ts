// The built bin as a real child on real stdio, and the real MCP client.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export const BIN = fileURLToPath(new URL("../dist/mcp-research.js", import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: what comes off the wire is looked at field by field
export type Wire = any;

/** Nothing of the developer's own environment decides a test. */
export function serverEnv(stateDir: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: stateDir, LANG: "C.UTF-8", JEEVES_STATE_DIR: stateDir, ...more };
}

export interface Server {
  readonly child: ChildProcess;
  readonly events: Wire[];
  readonly notifications: Wire[];
  send(message: unknown): void;
  request(method: string, params?: unknown): Promise<Wire>;
  /** The result, or the whole message where it is an error. */
  call(name: string, args: unknown, meta?: object): Promise<Wire>;
  /** The JSON of the answer's text. */
  ask(name: string, args: unknown): Promise<Wire>;
  waitFor<T>(what: string, find: () => T | undefined): Promise<T>;
  stop(): Promise<void>;
}

export async function startServer(options: {
  readonly args: readonly string[];
  readonly stateDir: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<Server> {
  const child = spawn(process.execPath, [BIN, ...options.args], {
    cwd: options.cwd ?? options.stateDir,
    env: serverEnv(options.stateDir, options.env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let ended: string | undefined;
  const closed = once(child, "close").then(([code, signal]) => {
    ended = String(signal ?? code);
  });
  const replies = new Map<unknown, Wire>();
  const events: Wire[] = [];
  const notifications: Wire[] = [];
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message: Wire = JSON.parse(line);
    if (message.id === undefined) notifications.push(message);
    else replies.set(message.id, message);
  });
  createInterface({ input: child.stderr }).on("line", (line) => {
    events.push(line.startsWith("{") ? JSON.parse(line) : line);
  });
  const waitFor = async <T>(what: string, find: () => T | undefined): Promise<T> => {
    const deadline = Date.now() + 30_000;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      const state = JSON.stringify(events.slice(-20));
      if (ended !== undefined) throw new Error(`the server ended (${ended}) without ${what}: ${state}`);
      if (Date.now() > deadline) throw new Error(`waited too long for ${what}: ${state}`);
      await new Promise((later) => setTimeout(later, 5));
    }
  };
  let next = 0;
  const server: Server = {
    child,
    events,
    notifications,
    waitFor,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    async request(method, params) {
      const id = `t${++next}`;
      server.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
      return waitFor(`a reply to ${method}`, () => replies.get(id));
    },
    async call(name, args, meta) {
      const message = await server.request("tools/call", {
        name,
        arguments: args,
        ...(meta === undefined ? {} : { _meta: meta }),
      });
      return message.result ?? message;
    },
    async ask(name, args) {
      const result = await server.call(name, args);
      if (result.content === undefined) throw new Error(JSON.stringify(result));
      return JSON.parse(result.content[0].text);
    },
    async stop() {
      child.stdin.end();
      child.kill("SIGTERM");
      await closed;
    },
  };
  await server.request("initialize", {
    protocolVersion: "2025-06-18",
    clientInfo: { name: "test", version: "1" },
    capabilities: {},
  });
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return server;
}

/** The real MCP client over the real transport. */
export async function connectClient(args: readonly string[], stateDir: string): Promise<Client> {
  const client = new Client({ name: "lm-studio", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, ...args],
    env: serverEnv(stateDir),
    stderr: "ignore",
  });
  await client.connect(transport);
  return client;
}
