// `jeeves serve` on the built bin: everything on one port, what it says, and how it ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const BIN = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));
// biome-ignore lint/suspicious/noExplicitAny: what comes off the wire is looked at field by field
type Wire = any;

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "jeeves-serve-"));
  writeFileSync(join(dir, "a.txt"), "hello\n");
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function launch(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [BIN, "serve", ...args], {
    cwd: dir,
    env: { PATH: process.env.PATH ?? "", HOME: dir, JEEVES_STATE_DIR: join(dir, "state"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (part) => {
    stderr += part;
  });
  const exit = once(child, "close").then(([code]) => ({ code, stderr }));
  return { child, exit };
}

async function start(args: readonly string[] = []) {
  const { child, exit } = launch(["--port", "0", ...args]);
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      said.push(line);
      if (said.length === 5) resolve();
    });
    void exit.then(({ stderr }) => reject(new Error(stderr)));
  });
  const url = /^(http:\/\/[^/]+)\/rpc /.exec(said[0] ?? "")?.[1] ?? "";
  const post = async (path: string, body: unknown): Promise<Wire> =>
    (
      await fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).json();
  return { child, exit, said, url, post };
}

describe("jeeves serve", () => {
  it("X-01 K-09 says one line per endpoint, answers on each, and stops with 0", async () => {
    const { child, exit, said, url, post } = await start();
    expect(said.map((line) => line.split(/\s+/)[0])).toEqual(
      ["/rpc", "/prune", "/mcp", "/health", "/healthz"].map((path) => `${url}${path}`),
    );
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const namesOf = (answer: Wire) => answer.result.tools.map((tool: Wire) => tool.name);
    expect(namesOf(await post("/rpc", list))).toEqual(["prune_text", "recover_text", "health"]);
    expect(namesOf(await post("/mcp", list))).toEqual(["read", "bash", "grep", "recover_text"]);
    expect(await post("/prune", { query: "x", code: "" })).toMatchObject({ pruned_code: "" });
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: "healthy", model_loaded: true });
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ ok: true });
    child.kill("SIGTERM");
    const { code, stderr } = await exit;
    expect(code).toBe(0);
    expect(stderr).toContain('"event":"serve.stopped","data":{"graceful":true');
  });

  it("X-21 what /rpc cut, the tools on /mcp recover", async () => {
    const { child, exit, post } = await start();
    const call = (name: string, args: unknown) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    });
    const options = {
      max_prune_ratio: 0.75,
      min_keep_lines: 1,
      timeout_ms: 30_000,
      annotate_lines: false,
      include_markers: true,
    };
    const text = "L1\nL2\nL3\nL4";
    const cut = await post("/rpc", call("prune_text", { text, goal_hint: "L1", source_type: "docs", options }));
    const { prune_id } = JSON.parse(cut.result.content[0].text);
    const back = await post("/mcp", call("recover_text", { prune_id }));
    expect(back.result.content[0].text).toBe(text);
    child.kill("SIGINT");
    expect((await exit).code).toBe(0);
  });

  it("a bad value, an unknown root and a port in use say what is wrong, without a stack", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const address = holder.address();
    const port = String(typeof address === "object" && address !== null ? address.port : 0);
    const wrong: [string[], number, string][] = [
      [["--port", "http"], 2, "--port"],
      [["--host", "0.0.0.0"], 2, "JEEVES_TOKEN"],
      [["--root", "nowhere"], 1, "nowhere"],
      [["--port", port], 2, `127.0.0.1:${port} is in use by`],
    ];
    for (const [args, code, words] of wrong) {
      const end = await launch(args).exit;
      expect(end.code, args.join(" ")).toBe(code);
      expect(end.stderr).toContain(words);
      expect(end.stderr).not.toContain("    at ");
    }
    holder.close();
  });
});
