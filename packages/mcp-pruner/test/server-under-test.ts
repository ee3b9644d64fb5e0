// The built bin as a real child on real stdio: for tests that need the real MCP client, and for tests that need to
// send what no client would.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, cp, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export const BIN = fileURLToPath(new URL("../dist/index.js", import.meta.url));
const GIVE_UP_ROOT = new URL("../../../test/give-up-root.mjs", import.meta.url).href;

export interface Event {
  readonly ts: string;
  readonly level: string;
  readonly event: string;
  readonly request_id?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

// biome-ignore lint/suspicious/noExplicitAny: what comes off the wire is looked at field by field
export type Wire = any;

export async function makeTempDir(name = "jeeves-test-"): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), name)));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Every line of the meter in this state directory, in order. */
export function meterLinesIn(stateDir: string): Wire[] {
  const dir = join(stateDir, "meter");
  const names = existsSync(dir) ? readdirSync(dir).sort() : [];
  const lines = names.flatMap((name) => readFileSync(join(dir, name), "utf8").trim().split("\n"));
  return lines.map((line) => JSON.parse(line));
}

/** Nothing of the developer's own environment decides a test. */
export function serverEnv(
  root: string,
  stateDir: string,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: stateDir,
    LANG: "C.UTF-8",
    MCP_PRUNER_CWD: root,
    JEEVES_STATE_DIR: stateDir,
    PRUNER_ENGINE: "embedded",
    ...more,
  };
}

export interface Server {
  readonly root: string;
  readonly stateDir: string;
  readonly child: ChildProcess;
  readonly events: Event[];
  /** Every line of stdout, parsed or not. */
  readonly lines: string[];
  send(message: unknown): void;
  write(text: string): void;
  request(method: string, params?: unknown): Promise<Wire>;
  call(name: string, args: unknown): Promise<Wire>;
  waitForEvent(name: string, where?: (event: Event) => boolean): Promise<Event>;
  waitForReply(id: unknown): Promise<Wire>;
  waitForLine(where: (line: string) => boolean): Promise<string>;
  exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  stop(): Promise<void>;
}

export async function startServer(
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly root?: string;
    readonly stateDir?: string;
    readonly clientName?: string;
    readonly initialize?: boolean;
    /** Not as root, also where root runs the tests. */
    readonly unprivileged?: boolean;
    /** As many descriptors as it may have. */
    readonly maxOpenFiles?: number;
  } = {},
): Promise<Server> {
  const own: { remove(): Promise<void> }[] = [];
  const dir = async () => {
    const made = await makeTempDir();
    own.push(made);
    return made.path;
  };
  const root = options.root ?? (await dir());
  const stateDir = options.stateDir ?? (await dir());
  const argv = options.unprivileged === true ? ["--import", GIVE_UP_ROOT, await copyBin(await dir())] : [BIN];
  const { maxOpenFiles } = options;
  const [program, ...args] =
    maxOpenFiles === undefined
      ? [process.execPath, ...argv]
      : ["/bin/sh", "-c", `ulimit -n ${maxOpenFiles}; exec "$@"`, "sh", process.execPath, ...argv];
  const child = spawn(program, args, {
    env: serverEnv(root, stateDir, options.env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {});
  const events: Event[] = [];
  const lines: string[] = [];
  const waiters = new Set<() => void>();
  const wake = () => {
    for (const waiter of [...waiters]) waiter();
  };
  createInterface({ input: child.stdout, crlfDelay: 0 }).on("line", (line) => {
    lines.push(line);
    wake();
  });
  let words = ""; // on stderr, beside the events: how a child that cannot start says why
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (line.startsWith("{")) events.push(JSON.parse(line));
    else words += `${line}\n`;
    wake();
  });
  let ended: string | undefined;
  const exit = once(child, "close").then(([code, signal]) => {
    ended = String(signal ?? code);
    wake();
    return { code, signal };
  });

  async function waitFor<T>(what: string, find: () => T | undefined): Promise<T> {
    let found = find();
    const deadline = Date.now() + 30_000;
    while (found === undefined) {
      const state = `events: ${JSON.stringify(events.slice(-5))}; stderr: ${words}`;
      if (ended !== undefined) throw new Error(`the server ended (${ended}) without ${what}; ${state}`);
      if (Date.now() > deadline) throw new Error(`waited too long for ${what}; ${state}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, 250);
        function done() {
          clearTimeout(timer);
          waiters.delete(done);
          resolve();
        }
        waiters.add(done);
      });
      found = find();
    }
    return found;
  }

  let seen = 0;
  const replies = new Map<string, Wire>();
  const reply = (id: unknown) => {
    for (; seen < lines.length; seen++) {
      const message: Wire = JSON.parse(lines[seen] ?? "");
      replies.set(JSON.stringify(message.id), message);
    }
    return replies.get(JSON.stringify(id));
  };

  let nextId = 0;
  const server: Server = {
    root,
    stateDir,
    child,
    events,
    lines,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    write: (text) => void child.stdin.write(text),
    async request(method, params) {
      const id = `t${++nextId}`;
      server.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
      return server.waitForReply(id);
    },
    async call(name, args) {
      const message = await server.request("tools/call", { name, arguments: args });
      return message.result ?? message;
    },
    waitForEvent: (name, where = () => true) =>
      waitFor(name, () => events.find((event) => event.event === name && where(event))),
    waitForReply: (id) => waitFor(`a reply to ${JSON.stringify(id)}`, () => reply(id)),
    waitForLine: (where) => waitFor("a line", () => lines.find(where)),
    exit,
    async stop() {
      child.stdin.end();
      child.kill("SIGTERM");
      await exit;
      for (const made of own) await made.remove();
    },
  };
  if (options.initialize !== false) {
    await server.request("initialize", {
      protocolVersion: "2025-06-18",
      clientInfo: { name: options.clientName ?? "test", version: "1" },
      capabilities: {},
    });
    server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }
  return server;
}

/** A copy that every user can read, wherever the clone lies. */
async function copyBin(dir: string): Promise<string> {
  await cp(dirname(BIN), join(dir, "dist"), { recursive: true });
  await writeFile(join(dir, "package.json"), '{"type":"module"}\n');
  await chmod(dir, 0o755);
  return join(dir, "dist", "index.js");
}

/** The real MCP client over the real transport. */
export async function connectClient(env: Record<string, string>, clientName = "test"): Promise<Client> {
  const client = new Client({ name: clientName, version: "1" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN], env, stderr: "ignore" }));
  return client;
}
