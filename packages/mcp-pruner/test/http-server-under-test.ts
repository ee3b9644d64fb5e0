// The built jeeves-mcp-pruner as a real child on a real port, with its events and, for what no client sends, plain posts.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Wire } from "./server-under-test.ts";

const BIN = fileURLToPath(new URL("../dist/jeeves-mcp-pruner.js", import.meta.url));
const running: ChildProcess[] = [];

/** Ends what was launched since the last time. */
export async function stopHttpServers(): Promise<void> {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

/** Starts it in `root`, with its state in `root/.state`, and does not wait for anything. */
export function launchHttp(root: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const state = { PATH: process.env.PATH ?? "", HOME: root, JEEVES_STATE_DIR: join(root, ".state") };
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: root,
    env: { ...state, PRUNER_ENGINE: "embedded", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stderr }).on("line", (line) => {
    lines.push(line);
    for (const look of [...waiting]) look();
  });
  const exit = once(child, "close").then(([code, signal]) => ({ code, signal }));
  const events = () => lines.filter((line) => line.startsWith("{")).map((line): Wire => JSON.parse(line));
  const event = (name: string): Promise<Wire> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = events().find((each) => each.event === name);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void exit.then(() => reject(new Error(`ended without ${name}: ${lines.join("\n")}`)));
    });
  return { child, lines, events, event, exit };
}

/** Starts it and waits until it listens. */
export async function startHttp(
  root: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const server = launchHttp(root, args, env);
  const { data } = await server.event("mcp_pruner.ready");
  const url = `http://${data.host.includes(":") ? `[${data.host}]` : data.host}:${data.port}`;
  // Not every system tells the user at the other end of a connection, so requests carry the token.
  const auth = authOf({ JEEVES_STATE_DIR: join(root, ".state"), ...env });
  const post = async (
    body: string,
    headers: Readonly<Record<string, string>> = { "content-type": "application/json" },
  ) => {
    const response = await fetch(`${url}/mcp`, { method: "POST", headers: { ...auth, ...headers }, body });
    const text = await response.text();
    return { status: response.status, json: text === "" ? undefined : (JSON.parse(text) as Wire) };
  };
  const rpc = async (method: string, params?: unknown) =>
    (await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, ...(params === undefined ? {} : { params }) }))).json;
  return { ...server, ready: data, url, auth, post, rpc };
}

function authOf({ JEEVES_STATE_DIR = "", JEEVES_TOKEN }: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const file = join(JEEVES_STATE_DIR, "token");
  const token = JEEVES_TOKEN ?? (existsSync(file) ? readFileSync(file, "utf8").trim() : undefined);
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
