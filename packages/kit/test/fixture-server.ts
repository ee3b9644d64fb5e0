// Builds the fixture server as a bin is built, starts it as a real child, and talks to it in raw lines.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export interface BuiltServer {
  readonly dir: string;
  readonly file: string;
  remove(): Promise<void>;
}

export async function buildFixtureServer(): Promise<BuiltServer> {
  const dir = await mkdtemp(join(tmpdir(), "jeeves-kit-"));
  await build({
    entryPoints: [fileURLToPath(new URL("./fixtures/server.ts", import.meta.url))],
    outdir: dir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  return { dir, file: join(dir, "server.mjs"), remove: () => rm(dir, { recursive: true, force: true }) };
}

export interface Answer {
  readonly jsonrpc: string;
  readonly id: string | number | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

export interface LoggedEvent {
  readonly ts: string;
  readonly level: string;
  readonly event: string;
  readonly request_id?: string;
  readonly data?: Record<string, unknown>;
}

export interface RunningServer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly answers: readonly Answer[];
  readonly events: readonly LoggedEvent[];
  send(...messages: readonly (object | string | Buffer)[]): void;
  /** Sends a request and waits for the answer with its id. */
  ask(method: string, params?: unknown, id?: string | number): Promise<Answer>;
  call(name: string, args?: object): Promise<Answer>;
  until(holds: () => boolean): Promise<void>;
  answer(matches: (answer: Answer) => boolean): Promise<Answer>;
  event(name: string): Promise<LoggedEvent>;
  exit(): Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

export function startServer(file: string, env: Readonly<Record<string, string>> = {}): RunningServer {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [file], { env: { PATH, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {});
  const answers: Answer[] = [];
  const events: LoggedEvent[] = [];
  const waiting = new Set<() => void>();
  const tell = () => {
    for (const look of waiting) look();
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    answers.push(JSON.parse(line));
    tell();
  });
  let words = ""; // on stderr, beside the events: how a child that cannot start says why
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (line.startsWith("{")) events.push(JSON.parse(line));
    else words += `${line}\n`;
    tell();
  });
  let isGone = false;
  const closed = once(child, "close").then(([code, signal]) => {
    isGone = true;
    tell();
    return { code, signal };
  });

  const until = <T>(look: () => T | undefined, what: string) =>
    new Promise<T>((resolve, reject) => {
      const check = () => {
        const found = look();
        if (found === undefined && !isGone) return;
        waiting.delete(check);
        if (found === undefined) reject(new Error(`the server is gone, without ${what}: ${words}`));
        else resolve(found);
      };
      waiting.add(check);
      check();
    });

  let lastId = 0;
  const server: RunningServer = {
    child,
    answers,
    events,
    send(...messages) {
      for (const message of messages) {
        const isRaw = typeof message === "string" || Buffer.isBuffer(message);
        child.stdin.write(isRaw ? message : `${JSON.stringify(message)}\n`);
      }
    },
    ask(method, params, id = ++lastId) {
      server.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
      return server.answer((answer) => answer.id === id);
    },
    call: (name, args = {}) => server.ask("tools/call", { name, arguments: args }),
    until: (holds) => until(() => (holds() ? true : undefined), "that").then(() => {}),
    answer: (matches) => until(() => answers.find(matches), "that answer"),
    event: (name) => until(() => events.find((event) => event.event === name), name),
    exit: () => closed,
  };
  return server;
}
