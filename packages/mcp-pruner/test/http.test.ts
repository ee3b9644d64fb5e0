// The tools over HTTP, on the built jeeves-mcp-pruner: what the draft says of /mcp, /healthz, its flags and variables.
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { VERSION } from "@jeeves/base";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { canBeOtherUser, startOtherUser, tellsPeers } from "../../kit/test/http/other-user.ts";
import { launchHttp, startHttp, stopHttpServers } from "./http-server-under-test.ts";
import { makeTempDir, type Wire } from "./server-under-test.ts";

let root: { readonly path: string; remove(): Promise<void> };
beforeAll(async () => {
  root = await makeTempDir();
  writeFileSync(join(root.path, "a.txt"), "hello\n");
});
afterEach(stopHttpServers);
afterAll(() => root.remove());

const launch = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  launchHttp(root.path, args, env);
const start = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  startHttp(root.path, args, env);

describe("X-55 only its own user", () => {
  it("X-55 a call needs the uid or the token; asking what there is needs neither", async () => {
    const { url, ready } = await start();
    const token = readFileSync(join(root.path, ".state", "token"), "utf8").trim();
    const other = canBeOtherUser ? startOtherUser() : startOtherUser({ as: "self" });
    const stranger = canBeOtherUser ? {} : { origin: url };
    const post = (method: string, headers: Readonly<Record<string, string>>) =>
      other.ask({
        port: ready.port,
        path: "/mcp",
        method: "POST",
        headers: { "content-type": "application/json", ...stranger, ...headers },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method,
          params: { name: "read", arguments: { file_path: "a.txt" } },
        }),
      });
    expect((await post("tools/list", {})).status).toBe(200);
    const refused = await post("tools/call", {});
    expect([refused.status, refused.authenticate]).toEqual([401, "Bearer"]);
    expect(refused.text).toContain("`jeeves token` prints it");
    expect((await post("tools/call", { authorization: `Bearer ${token}` })).text).toContain("hello");
    expect((await other.ask({ port: ready.port, path: "/healthz", headers: stranger })).status).toBe(200);
    await other.close();
  });

  it.runIf(tellsPeers)(
    "X-55 a state directory that holds no token is said, and its own user is still served",
    async () => {
      const { rpc, event } = await start([], { JEEVES_STATE_DIR: join(root.path, "a.txt", "state") });
      const { data } = await event("http.token_unavailable");
      expect(data.hint).toContain("JEEVES_TOKEN");
      const { result } = await rpc("tools/call", { name: "read", arguments: { file_path: "a.txt" } });
      expect(result.content[0].text).toContain("hello");
    },
  );
});

describe("/healthz", () => {
  it("D-02 says who it is and for how long", async () => {
    const { url } = await start();
    const response = await fetch(`${url}/healthz`);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        ok: true,
        status: "ok",
        server: { name: "@jeeves/mcp-pruner", version: VERSION },
        time: { started_at: expect.stringMatching(/^\d{4}-.*Z$/), uptime_ms: expect.any(Number) },
      },
    ]);
    expect((await fetch(`${url}/healthz`, { method: "POST" })).status).toBe(405);
  });
});

describe("/mcp, plain JSON-RPC", () => {
  it("D-03 initialize, tools/list, tools/call", async () => {
    const { rpc } = await start();
    expect((await rpc("initialize", { protocolVersion: "2025-06-18" })).result.serverInfo.name).toBe(
      "@jeeves/mcp-pruner",
    );
    const { result } = await rpc("tools/list");
    expect(result.tools.map((tool: Wire) => tool.name)).toEqual(["read", "bash", "grep", "recover_text"]);
    const read = await rpc("tools/call", { name: "read", arguments: { file_path: "a.txt" } });
    expect(read.result.content[0].text).toBe("hello\n");
  });

  it("X-23 X-58 callers without a session are not told apart, so that no search is another's repeat", async () => {
    const matches = Array.from(
      { length: 200 },
      (_, i) => `const row${i} = needle(${i === 7 ? "voucher" : `rows[${i}]`});`,
    );
    writeFileSync(join(root.path, "needles.ts"), matches.join("\n"));
    const { rpc } = await start([], { PRUNER_ENGINE: "embedded" });
    const search = { pattern: "needle", path: "needles.ts", context_focus_question: "which one has the voucher?" };
    for (let call = 0; call < 2; call++) {
      const { result } = await rpc("tools/call", { name: "grep", arguments: search });
      expect(result.structuredContent.pruning).toMatchObject({ applied: true });
      expect(result.structuredContent.other_matches[0].lines.length).toBeGreaterThan(100);
    }
  });

  it("D-04 errors of JSON-RPC are HTTP 200", async () => {
    const { post } = await start();
    const call = (params: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    for (const [body, code] of [
      ["{", -32700],
      ["[]", -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"nope"}', -32601],
      [call({ name: "read", arguments: {} }), -32602],
    ] as const) {
      const { status, json } = await post(body);
      expect([status, json.error.code]).toEqual([200, code]);
    }
  });

  it("D-05 D-06 X-14 wrong media type 415, wrong method 405, in the draft's shape", async () => {
    const { post, url, auth } = await start();
    const { status, json } = await post("{}", { "content-type": "text/plain" });
    expect([status, json]).toEqual([
      415,
      { ok: false, error: { code: "unsupported_media_type", message: expect.any(String) } },
    ]);
    const response = await fetch(`${url}/mcp`, { method: "PUT", headers: auth });
    const refused: Wire = await response.json();
    expect([response.status, refused.ok, refused.error.code]).toEqual([405, false, "method_not_allowed"]);
    expect((await fetch(`${url}/mcp`, { headers: auth })).status).toBe(405);
  });

  it("D-07 D-20 X-14 -32602 carries J's data and field_errors beside it, and is logged", async () => {
    const { rpc, event } = await start();
    const { error } = await rpc("tools/call", { name: "read", arguments: {} });
    expect(error).toEqual({
      code: -32602,
      message: "Invalid params",
      data: {
        jeeves: { schemaVersion: 1 },
        method: "tools/call",
        tool: "read",
        issues: [{ path: "arguments.file_path", code: "invalid_type", message: "invalid_type" }],
        field_errors: [{ field: "arguments.file_path", message: "invalid_type" }],
      },
    });
    const logged = await event("tool.request_invalid");
    expect(logged.data.validation_errors).toEqual(error.data.issues);
    expect(logged.data.field_errors).toEqual(error.data.field_errors);
  });

  it("a foreign Host or Origin is 403", async () => {
    const { post } = await start();
    const headers = { "content-type": "application/json", origin: "https://evil.example" };
    expect((await post("{}", headers)).status).toBe(403);
    expect((await post("{}", { ...headers, accept: "text/event-stream" })).status).toBe(403);
  });
});

describe("/mcp, Streamable HTTP", () => {
  it("X-01 the official client connects, lists and calls", async () => {
    const { url, auth } = await start();
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: auth } }));
    try {
      expect((await client.listTools()).tools).toHaveLength(4);
      const result: Wire = await client.callTool({ name: "bash", arguments: { command: "cat a.txt" } });
      expect(result.structuredContent.stdout).toBe("hello\n");
    } finally {
      await client.close();
    }
  });
});

describe("flags and variables", () => {
  it("D-01 D-08 D-14 by default: loopback, any free port, the current directory, JSON", async () => {
    const { ready, lines } = await start();
    expect(ready).toEqual({ host: "127.0.0.1", port: expect.any(Number), root: root.path });
    expect(ready.port).toBeGreaterThan(0);
    expect(JSON.parse(lines[0] ?? "")).toHaveProperty("event");
  });

  it("D-01 D-09 --root, --host and --port; the variables; flags win", async () => {
    const other = await makeTempDir();
    try {
      const env = {
        JEEVES_MCP_PRUNER_ROOT_DIR: other.path,
        JEEVES_MCP_PRUNER_HOST: "::1",
        JEEVES_MCP_PRUNER_PORT: "0",
      };
      expect((await start([], env)).ready).toMatchObject({ root: other.path, host: "::1" });
      const flags = ["--root", root.path, "--host", "127.0.0.1"];
      expect((await start(flags, { ...env, JEEVES_MCP_PRUNER_PORT: "0" })).ready).toMatchObject({
        root: root.path,
        host: "127.0.0.1",
      });
    } finally {
      await other.remove();
    }
  });

  it("D-01 --log-format text writes lines for people", async () => {
    const { lines, child, exit } = launch(["--log-format", "text"]);
    await expect.poll(() => lines.some((line) => line.includes("mcp_pruner.ready")), { timeout: 20_000 }).toBe(true);
    expect(lines[0]).toMatch(/^\d{4}-\S+ info +mcp_pruner\.ready host=127\.0\.0\.1 port=\d+ root=/);
    child.kill("SIGTERM");
    expect(await exit).toEqual({ code: 0, signal: null });
  });

  it.each([
    ["D-08 X-15", [], { JEEVES_MCP_PRUNER_HOST: "0.0.0.0" }, "invalid_host"],
    ["D-08 X-15", [], { JEEVES_MCP_PRUNER_HOST: "0.0.0.0", JEEVES_TOKEN: "t" }, "invalid_host"],
    ["X-15", ["--host", "0.0.0.0"], {}, "invalid_host"],
    ["D-09", [], { JEEVES_MCP_PRUNER_PORT: "65536" }, "invalid_port"],
    ["D-09", ["--port", "1.5"], {}, "invalid_port"],
    ["D-09", ["--port", ""], {}, "invalid_port"],
    ["D-09", ["--port", "0x10"], {}, "invalid_port"],
    ["D-09", [], { JEEVES_MCP_PRUNER_PORT: " " }, "invalid_port"],
    ["D-09", [], { JEEVES_MCP_PRUNER_ROOT_DIR: "/nowhere/at/all" }, "invalid_root_dir"],
    ["D-09", ["--root", "a.txt"], {}, "invalid_root_dir"],
    ["D-10", [], { JEEVES_PRUNER_ENDPOINT: "ftp://x" }, "invalid_pruner_endpoint"],
    ["D-10", [], { JEEVES_PRUNER_ENDPOINT: "prune" }, "invalid_pruner_endpoint"],
    ["D-10", [], { JEEVES_PRUNER_TIMEOUT_MS: "99" }, "invalid_timeout_ms"],
    ["D-10", [], { JEEVES_PRUNER_TIMEOUT_MS: "30001" }, "invalid_timeout_ms"],
    ["D-11", [], { JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: "1023" }, "invalid_max_prune_input_bytes"],
    ["D-11", [], { JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: "2097153" }, "invalid_max_prune_input_bytes"],
    ["D-01", ["--verbose"], {}, "invalid_config"],
    ["X-15", [], { JEEVES_TOKEN: "two words" }, "invalid_config"],
  ] as [string, string[], Record<string, string>, string][])("%s %j %j → exit 2, %s", async (_id, args, env, code) => {
    const { exit, events } = launch(args, env);
    expect(await exit).toEqual({ code: 2, signal: null });
    expect(events()).toContainEqual(
      expect.objectContaining({ event: "mcp_pruner.config_invalid", data: expect.objectContaining({ code }) }),
    );
  });

  it("X-15 --host beyond loopback wants JEEVES_TOKEN, and then every request wants it", async () => {
    const { ready } = await start(["--host", "0.0.0.0"], { JEEVES_TOKEN: "s3cret" });
    const url = `http://127.0.0.1:${ready.port}/healthz`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: "Bearer s3cret" } })).status).toBe(200);
  });

  it("D-10 D-11 X-09 X-15 the pruner that it asks: PRUNER_URL, else the draft's; larger texts are not sent", async () => {
    const asked: string[] = [];
    const pruner = createServer((request, response) => {
      asked.push(request.url ?? "");
      request.resume().on("end", () => response.end(JSON.stringify({ pruned_code: "pruned" })));
    }).listen(0, "127.0.0.1");
    await once(pruner, "listening");
    const address = pruner.address();
    const base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    writeFileSync(join(root.path, "long.txt"), "x".repeat(2_000));
    writeFileSync(join(root.path, "longer.txt"), "x".repeat(262_145));
    const read = (file_path: string) => ({ name: "read", arguments: { file_path, context_focus_question: "why?" } });
    try {
      const draft = await start([], { PRUNER_ENGINE: "auto", JEEVES_PRUNER_ENDPOINT: `${base}/draft` });
      expect((await draft.rpc("tools/call", read("long.txt"))).result.content[0].text).toBe("pruned");
      const larger = await draft.rpc("tools/call", read("longer.txt"));
      expect(larger.result.structuredContent.pruning).toMatchObject({ attempted: false, reason: "too_large" });
      const final = await start([], {
        PRUNER_ENGINE: "auto",
        PRUNER_URL: `${base}/final`,
        JEEVES_PRUNER_ENDPOINT: `${base}/draft`,
      });
      await final.rpc("tools/call", read("long.txt"));
      expect(asked).toEqual(["/draft", "/final"]);
    } finally {
      pruner.close();
      pruner.closeAllConnections();
    }
  });

  it("D-10 the draft's timeout is 2 s and holds", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    writeFileSync(join(root.path, "long.txt"), "x".repeat(2_000));
    try {
      const env = {
        PRUNER_ENGINE: "auto",
        JEEVES_PRUNER_ENDPOINT: `http://127.0.0.1:${port}/`,
        JEEVES_PRUNER_TIMEOUT_MS: "100",
      };
      const { rpc } = await start([], env);
      const params = { name: "read", arguments: { file_path: "long.txt", context_focus_question: "why?" } };
      const { result } = await rpc("tools/call", params);
      expect(result.structuredContent.pruning).toMatchObject({ fallback: true, error: { code: "timeout" } });
      expect(result.structuredContent.pruning.error.message).toContain("100 ms");
    } finally {
      silent.close();
      silent.closeAllConnections();
    }
  });
});

describe("the end", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "X-01 %s: it logs mcp_pruner.stopped and exits 0 within 5 s, whatever runs",
    async (signal) => {
      const server = await start();
      const params = { name: "bash", arguments: { command: "sleep 60", timeout_ms: 60_000 } };
      const running = server.rpc("tools/call", params).catch(() => undefined);
      await server.event("tool.exec_start");
      server.child.kill(signal);
      expect(await server.exit).toEqual({ code: 0, signal: null });
      const stopped = server.events().at(-1);
      expect(stopped).toMatchObject({ event: "mcp_pruner.stopped", data: { graceful: false } });
      expect(stopped.data.duration_ms).toBeLessThan(5_000);
      await running;
    },
  );

  it("X-01 a port in use: exit 2 and mcp_pruner.start_failed says who might hold it", async () => {
    const { ready } = await start();
    const second = launch(["--port", String(ready.port)]);
    expect(await second.exit).toEqual({ code: 2, signal: null });
    const failed = second.events().find((each) => each.event === "mcp_pruner.start_failed");
    expect(failed.data).toMatchObject({ code: "port_in_use", message: expect.stringContaining(String(ready.port)) });
  });
});
