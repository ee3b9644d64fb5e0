// The built bin as a real child on a port of its own, with its events, and a client that sends what it is told to.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const BIN = fileURLToPath(new URL("../dist/jeeves-pruner.js", import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: what comes off the wire is looked at field by field
export type Wire = any;

export interface Service {
  readonly url: string;
  readonly port: number;
  readonly stateDir: string;
  readonly child: ChildProcess;
  readonly events: readonly Wire[];
  rpc(method: string, params?: unknown): Promise<Wire>;
  call(name: string, args: unknown): Promise<Wire>;
  /** prune_text or recover_text, its JSON parsed; throws what was refused. */
  tool(name: string, args: unknown): Promise<Wire>;
  prune(body: unknown): Promise<{ readonly status: number; readonly headers: Headers; readonly json: Wire }>;
  kill(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly stateDir?: string;
}

export async function startService(options: StartOptions = {}): Promise<Service> {
  const stateDir = options.stateDir ?? (await mkdtemp(join(tmpdir(), "jeeves-pruner-")));
  const { child, events, exit, ready } = spawnService({ ...options, stateDir });
  const { host, port } = await ready;
  const url = `http://${String(host).includes(":") ? `[${host}]` : host}:${port}`;
  const post = (path: string, body: unknown) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  let lastId = 0;
  const service: Service = {
    url,
    port,
    stateDir,
    child,
    events,
    rpc: async (method, params) =>
      (
        await post("/rpc", { jsonrpc: "2.0", id: ++lastId, method, ...(params === undefined ? {} : { params }) })
      ).json(),
    call: (name, args) => service.rpc("tools/call", { name, arguments: args }),
    async tool(name, args) {
      const { result, error } = await service.call(name, args);
      if (error !== undefined) throw new Error(JSON.stringify(error));
      return JSON.parse(result.content[0].text);
    },
    async prune(body) {
      const response = await post("/prune", body);
      return { status: response.status, headers: response.headers, json: await response.json() };
    },
    async kill(signal) {
      child.kill(signal);
      return exit;
    },
    async stop() {
      child.kill("SIGTERM");
      await exit;
      if (options.stateDir === undefined) await rm(stateDir, { recursive: true, force: true });
    },
  };
  return service;
}

/** For starts that are meant to fail. */
export function spawnService(options: StartOptions & { readonly stateDir: string }) {
  // The fallback of a state directory that cannot be written: never that of the user who runs the tests.
  const temporary = mkdtempSync(join(tmpdir(), "jeeves-pruner-tmp-"));
  const child = spawn(process.execPath, [BIN, ...(options.args ?? ["--port", "0"])], {
    env: {
      PATH: process.env.PATH ?? "",
      HOME: options.stateDir,
      TMPDIR: temporary,
      JEEVES_STATE_DIR: options.stateDir,
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.once("close", () => rmSync(temporary, { recursive: true, force: true }));
  const events: Wire[] = [];
  let stderr = "";
  let found: (data: Wire) => void = () => {};
  const isReady = new Promise<Wire>((resolve) => {
    found = resolve;
  });
  createInterface({ input: child.stderr }).on("line", (line) => {
    stderr += `${line}\n`;
    if (!line.startsWith("{")) return;
    const event: Wire = JSON.parse(line);
    events.push(event);
    if (event.event === "pruner.ready") found(event.data);
  });
  const exit = once(child, "close").then(([code, signal]) => ({ code, signal }));
  const ready = Promise.race([
    isReady,
    exit.then((end) => {
      throw new Error(`the service ended with ${JSON.stringify(end)}: ${stderr}`);
    }),
  ]);
  ready.catch(() => {});
  return { child, events, exit, ready, stderr: () => stderr };
}

export const OPTIONS = {
  max_prune_ratio: 0.75,
  min_keep_lines: 1,
  timeout_ms: 30_000,
  annotate_lines: false,
  include_markers: true,
};

export function pruneArgs(text: string, goal: string, more: Readonly<Record<string, unknown>> = {}) {
  const { source_type = "code", ...options } = more;
  return { text, goal_hint: goal, source_type, options: { ...OPTIONS, ...options } };
}
