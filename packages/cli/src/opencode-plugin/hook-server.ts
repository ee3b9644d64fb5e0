// Our server as a child of opencode, for its hooks alone: started with the first question, asked in JSON lines, and
// ended with opencode, because its stdin closes. Any failure is no answer.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { isRecord } from "@jeeves/base";

interface HookServerOptions {
  /** The launcher in the data directory; of a package, Node. */
  readonly launcher: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly waitMs?: number;
}

interface HookServer {
  readonly isRunning: boolean;
  /** The hook's answer; undefined where there is none in time. Never rejects. */
  ask(event: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>> | undefined>;
}

const HOOK_TOOL = "jeeves_hook";
/** A server that hangs ends this, nothing else: what is cut must not depend on what else the machine does. */
const WAIT_MS = 60_000;
/** So many failures in a row, and nothing more is asked in this session. */
const MAX_FAILURES = 2;
const HELLO = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "opencode", version: "plugin" },
};

/** Starts nothing before the first question. After two failures in a row it gives no more answers. */
export function createHookServer({ launcher, args = [], env, cwd, waitMs = WAIT_MS }: HookServerOptions): HookServer {
  let child: ChildProcess | undefined;
  let failures = 0;
  let lastId = 0;
  const waiting = new Map<number, (result: unknown) => void>();

  function start(): ChildProcess {
    const started = spawn(launcher, args, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "ignore"] });
    const end = () => {
      if (child === started) child = undefined;
      for (const answer of waiting.values()) answer(undefined);
      waiting.clear();
    };
    started.on("error", end).on("exit", end);
    started.stdin?.on("error", () => {});
    started.unref();
    if (started.stdout)
      createInterface({ input: started.stdout })
        .on("line", hear)
        .on("error", () => {});
    return started;
  }

  function hear(line: string): void {
    try {
      const { id, result } = JSON.parse(line);
      waiting.get(id)?.(result);
    } catch {
      // no answer to anything
    }
  }

  function send(message: Readonly<Record<string, unknown>>): void {
    child?.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  function request(method: string, params: unknown): Promise<unknown> {
    const id = ++lastId;
    return new Promise((done) => {
      const answer = (result: unknown) => {
        clearTimeout(timer);
        waiting.delete(id);
        done(result);
      };
      const timer = setTimeout(answer, waitMs, undefined);
      waiting.set(id, answer);
      send({ id, method, params });
    });
  }

  return {
    get isRunning() {
      return child !== undefined;
    },
    async ask(event) {
      if (failures >= MAX_FAILURES) return undefined;
      try {
        if (child === undefined) {
          child = start();
          void request("initialize", HELLO);
          send({ method: "notifications/initialized" });
        }
        const answer = parseAnswer(await request("tools/call", { name: HOOK_TOOL, arguments: event }));
        failures = answer === undefined ? failures + 1 : 0;
        return answer;
      } catch {
        failures++;
        return undefined;
      }
    },
  };
}

function parseAnswer(result: unknown): Readonly<Record<string, unknown>> | undefined {
  const content = isRecord(result) && Array.isArray(result.content) ? result.content : [];
  const first: unknown = content[0];
  if (!isRecord(first) || typeof first.text !== "string") return undefined;
  const answer: unknown = JSON.parse(first.text);
  return isRecord(answer) ? answer : undefined;
}
