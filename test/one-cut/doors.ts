// Every door to a cut, as its clients use it: built bins, real transports.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { FILE, type Place, SESSION, type Wire } from "./given.ts";

const binOf = (path: string) => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));
const MCP_PRUNER = binOf("mcp-pruner/dist/index.js");
const PRUNER_SERVICE = binOf("pruner-service/dist/jeeves-pruner.js");
const JEEVES = binOf("cli/dist/jeeves.js");
const JEEVES_EXEC = binOf("cli/bin/jeeves-exec");

/** `mcp-pruner` on stdio, with the real client library. */
export async function openTools({ env }: Place, clientName: string) {
  const client = new Client({ name: clientName, version: "1" });
  const server = { command: process.execPath, args: [MCP_PRUNER], env };
  await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { content }: Wire = await client.callTool({ name, arguments: args });
    return content[0].text;
  };
  return { call, close: () => client.close() };
}

/** Claude Code's own Read of the file, as its hook reports it; the answer is what its model sees instead. */
export function toReadEvent(text: string, { root, transcript }: Place, name = FILE) {
  const path = `${root}/${name}`;
  const numLines = text.split("\n").length;
  const file = { filePath: path, content: text, numLines, startLine: 1, totalLines: numLines };
  return {
    session_id: SESSION,
    cwd: root,
    transcript_path: transcript,
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: JSON.stringify({ file_path: path }),
    tool_response: JSON.stringify({ type: "text", file }),
  };
}

/** What a command prints under `jeeves-exec`. */
export function runUnderExec(command: string, { root, env, transcript }: Place): string {
  const args = ["--client=claude-code", `--session=${SESSION}`, `--transcript=${transcript}`, command];
  const { stdout, status } = spawnSync(JEEVES_EXEC, args, { cwd: root, env, maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`jeeves-exec ended with ${status}`);
  return String(stdout);
}

/** `jeeves ARGS`; stdout. */
export function runJeeves(args: readonly string[], { root, env }: Place): string {
  return execFileSync(process.execPath, [JEEVES, ...args], { cwd: root, env, encoding: "utf8", stdio: "pipe" });
}

interface HttpDoor {
  post(path: string, body: unknown): Promise<Wire>;
  get(path: string): Promise<Wire>;
  close(): Promise<void>;
}

/** `jeeves-pruner`: /rpc and /prune. */
export function openService(place: Place): Promise<HttpDoor> {
  return openHttp([PRUNER_SERVICE, "--port", "0"], place, "stderr", (line) => {
    const { event, data } = line.startsWith("{") ? JSON.parse(line) : { event: "", data: {} };
    return event === "pruner.ready" ? `http://${data.host}:${data.port}` : undefined;
  });
}

/** `jeeves viewer`: the page's API. */
export function openPage(place: Place): Promise<HttpDoor> {
  return openHttp([JEEVES, "viewer", "--port", "0"], place, "stdout", (line) => /^(http:\S+?)\/#/.exec(line)?.[1]);
}

async function openHttp(
  argv: readonly string[],
  { root, env }: Place,
  stream: "stdout" | "stderr",
  urlIn: (line: string) => string | undefined,
): Promise<HttpDoor> {
  const child = spawn(process.execPath, argv, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child[stream] }).on("line", (line) => {
      const found = urlIn(line);
      if (found !== undefined) resolve(found);
    });
    ended.then(([code]) => reject(new Error(`${argv[0]} ended with ${code}`)), reject);
  });
  child[stream === "stdout" ? "stderr" : "stdout"].resume();
  // A connection each: while a command runs synchronously here, a kept one may be closed unseen.
  const ask = async (path: string, body?: unknown): Promise<Wire> => {
    const method = body === undefined ? "GET" : "POST";
    const asked = request(`${url}${path}`, { method, agent: false, headers: { "content-type": "application/json" } });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    const answer = await text(response);
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${answer}`);
    return JSON.parse(answer);
  };
  return {
    post: ask,
    get: (path) => ask(path),
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
