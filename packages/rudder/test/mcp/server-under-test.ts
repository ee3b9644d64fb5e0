// Real servers in real processes, and a client that speaks lines: what the tests of the server share.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type NetConnectOpts, type Socket } from "node:net";
import { join } from "node:path";
import { binPath, type Json, type TestHaven } from "../haven-under-test.ts";

export function builtPath(name: "rudder-server.js" | "rudder-bridge.js"): string {
  return join(binPath(), "..", name);
}

export interface TestServer {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Everything that it wrote to stderr so far. */
  stderr(): string;
  /** Resolves once stderr holds this; refuses when the server ends first. */
  said(words: string | RegExp): Promise<void>;
  /** Its exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

export function startServer(
  test: TestHaven,
  argv: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly file?: string } = {},
): TestServer {
  const child = spawn(process.execPath, [options.file ?? builtPath("rudder-server.js"), ...argv], {
    cwd: test.project,
    env: test.env(options.env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stderr = "";
  const listeners = new Set<() => void>();
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
    for (const listener of listeners) listener();
  });
  const ended = once(child, "close").then(([code, signal]) => {
    for (const listener of listeners) listener();
    return (signal ?? code) as number | NodeJS.Signals | null;
  });
  return {
    child,
    pid: child.pid ?? 0,
    stderr: () => stderr,
    ended,
    said: (words) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const isThere = typeof words === "string" ? stderr.includes(words) : words.test(stderr);
          if (!isThere && child.exitCode === null && child.signalCode === null) return;
          listeners.delete(look);
          if (isThere) resolve();
          else reject(new Error(`it ended without saying ${words}: ${stderr}`));
        };
        listeners.add(look);
        look();
      }),
    async stop(signal = "SIGTERM") {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}

export interface TestClient {
  readonly socket: Socket;
  request(method: string, params?: unknown): Promise<Json>;
  notify(method: string, params: unknown): void;
  /** The text of the answer, and whether it is an error. */
  call(name: string, args?: object): Promise<{ readonly text: string; readonly isError: boolean; readonly raw: Json }>;
  close(): void;
}

export async function openClient(where: NetConnectOpts): Promise<TestClient> {
  const socket = connect(where);
  await once(socket, "connect");
  const waiting = new Map<number, (answer: Json) => void>();
  let rest = "";
  let last = 0;
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const answer = JSON.parse(line);
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    }
  });
  const end = (): void => {
    for (const answer of waiting.values()) answer({ gone: true });
    waiting.clear();
  };
  socket.on("close", end).on("error", end);
  const request = (method: string, params?: unknown): Promise<Json> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      socket.write(
        `${JSON.stringify({ jsonrpc: "2.0", id: last, method, ...(params === undefined ? {} : { params }) })}\n`,
      );
    });
  return {
    socket,
    request,
    notify: (method, params) => void socket.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`),
    async call(name, args = {}) {
      const raw = await request("tools/call", { name, arguments: args });
      const text = raw.result?.content?.map((item: Json) => item.text).join("\n") ?? "";
      return { text, isError: raw.result?.isError === true, raw };
    },
    close: () => void socket.destroy(),
  };
}

/** One command of another program, with something on its stdin. */
export async function piped(
  command: string,
  argv: readonly string[],
  options: { readonly input: string; readonly env?: Readonly<Record<string, string>> },
): Promise<{ readonly stdout: string; readonly stderr: string; readonly code: number | null }> {
  const child = spawn(command, argv, {
    env: { PATH: process.env.PATH ?? "", ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(options.input);
  const [code] = await once(child, "close");
  return { stdout, stderr, code };
}
