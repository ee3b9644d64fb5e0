// Every version of the protocol on every transport: the official client of both eras, and what only the wire shows.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, it } from "vitest";
import { createRpcRoute } from "../../src/mcp/http.ts";
import { createDispatcher, serveSocket, serveTcp } from "../../src/mcp/index.ts";
import { buildFixtureServer, startServer } from "../fixture-server.ts";
import { profile } from "../fixture-tools.ts";
import { serveRoutes } from "../http/serving.ts";
import { SocketClientTransport } from "./socket-client-transport.ts";
import { connectTo, quiet, speakLines, TOKEN, type Wire } from "./transports.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const options = { events: quiet(), env: {} };

const LINES: readonly [string, () => Promise<Transport>][] = [
  [
    "stdio",
    async () => {
      const built = await buildFixtureServer();
      closers.push(() => built.remove());
      return new StdioClientTransport({ command: process.execPath, args: [built.file], stderr: "ignore" });
    },
  ],
  [
    "a Unix socket",
    async () => {
      const dir = await mkdtemp(join(tmpdir(), "jeeves-kit-"));
      const server = await serveSocket(profile, { ...options, path: join(dir, "s") });
      closers.push(
        () => rm(dir, { recursive: true, force: true }),
        () => server.stop(),
      );
      return new SocketClientTransport(await connectTo(server));
    },
  ],
  [
    "TCP",
    async () => {
      const server = await serveTcp(profile, { ...options, port: 0, tokens: [TOKEN] });
      closers.push(() => server.stop());
      return new SocketClientTransport(await connectTo({ port: server.port }));
    },
  ],
];

describe.each(LINES)("the official client over %s", (_name, open) => {
  it.each([
    ["2025-11-25", undefined],
    ["2026-07-28", { mode: "auto" as const }],
    ["2026-07-28", { mode: { pin: "2026-07-28" } }],
  ])("X-45 J-02 speaks %s (%j): lists, calls, hears progress, cancels", async (version, versionNegotiation) => {
    const client = new Client(
      { name: "claude-code", version: "9" },
      versionNegotiation === undefined ? {} : { versionNegotiation },
    );
    await client.connect(await open());
    closers.push(() => client.close());
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: "@jeeves/fixture", version: "1.2.3" });
    expect(client.getInstructions()).toBe("be brief");
    expect((await client.listTools()).tools[0]).toMatchObject({ name: "echo", _meta: { "example/size": 1 } });

    const _meta = { "jeeves/token": TOKEN };
    const call = (name: string, args: Record<string, unknown> = {}, more: object = {}) =>
      client.callTool({ name, arguments: args, _meta }, more) as Promise<Wire>;
    const who = await call("who");
    expect(JSON.parse(who.content[0].text).client).toEqual({ name: "claude-code", version: "9" });
    // this client shows its model the JSON, in every version.
    expect([who.structuredContent, who._meta["jeeves/result"]]).toEqual([undefined, { tool: "who" }]);

    const wrong = await call("strict", { size: 1 }).catch((error: unknown) => error);
    expect(wrong).toMatchObject({ code: -32602, data: { issues: [{ path: "arguments.size", code: "too_small" }] } });
    expect(await call("refuse").catch((error: unknown) => error)).toMatchObject({ code: -32004 });

    const stop = new AbortController();
    const seen: Wire[] = [];
    const slow = call(
      "wait",
      { ms: 60_000 },
      {
        signal: stop.signal,
        onprogress: (progress: unknown) => {
          seen.push(progress);
          stop.abort();
        },
      },
    );
    await expect(slow).rejects.toThrow();
    expect(seen).toEqual([{ progress: 1, total: 2, message: "waiting" }]);
    expect((await call("hidden")).content).toEqual([{ type: "text", text: "found me" }]);
  });
});

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "9" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const request = (id: unknown, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

describe("2026-07-28 in one POST to /rpc", () => {
  const post = async (body: string): Promise<Wire> => {
    const server = await serveRoutes([createRpcRoute(createDispatcher(profile, options), { path: "/rpc" })]);
    closers.push(() => server.stop());
    return (await server.ask("/rpc", { body, headers: { "content-type": "application/json" } })).json;
  };

  it("X-45 a call is answered as its version says, and X-18 in the form of its client", async () => {
    const { result } = await post(request(1, "tools/call", { name: "who", arguments: {}, _meta: ENVELOPE }));
    expect(result).toMatchObject({ resultType: "complete", _meta: { "jeeves/result": { tool: "who" } } });
    expect(result.structuredContent).toBeUndefined();
    expect((await post(request(1, "server/discover", { _meta: ENVELOPE }))).result).toMatchObject({
      supportedVersions: ["2026-07-28"],
      instructions: "be brief",
    });
  });

  it("J-23 an envelope that is wrong is refused in our words", async () => {
    for (const wrong of [
      { ...ENVELOPE, "io.modelcontextprotocol/clientCapabilities": 5 },
      { ...ENVELOPE, "io.modelcontextprotocol/clientInfo": "me" },
    ]) {
      const { error } = await post(request(1, "tools/list", { _meta: wrong }));
      expect(error).toMatchObject({
        code: -32602,
        message: "Invalid params",
        data: { method: "tools/list", issues: [{ path: "_meta", code: "invalid_value" }] },
      });
    }
    const unknown = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    expect((await post(request(1, "tools/list", { _meta: unknown }))).error).toMatchObject({
      message: "Unsupported protocol version",
      data: { supported: ["2026-07-28"], requested: "2099-01-01" },
    });
  });
});

describe("on lines", () => {
  const open = async () => {
    const built = await buildFixtureServer();
    const server = startServer(built.file);
    closers.push(
      () => built.remove(),
      async () => {
        server.child.stdin.end();
        await server.exit();
      },
    );
    const lines = speakLines(server.child.stdout, server.child.stdin);
    return { ...lines, server };
  };
  const hello = (protocolVersion: string) =>
    request("hello", "initialize", { protocolVersion, clientInfo: { name: "raw" }, capabilities: {} });

  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("X-45 %s is agreed on", async (version) => {
    const { send } = await open();
    expect((await send(hello(version), "hello")).result.protocolVersion).toBe(version);
  });

  it("an unknown version gets our latest, and the server goes on", async () => {
    const { send } = await open();
    expect((await send(hello("1999-01-01"), "hello")).result.protocolVersion).toBe("2025-11-25");
    expect((await send(request(1, "ping"), 1)).result).toEqual({});
  });

  it("a 2025-03-26 client may send batches; in any other version they are -32600", async () => {
    const { send, server } = await open();
    const batch = `[${request(1, "ping")},${request(2, "tools/call", { name: "hidden", arguments: {} })},7]\n`;
    server.child.stdin.write(batch);
    await server.until(() => server.answers.some(({ error }) => error?.code === -32600));
    await send(hello("2025-03-26"), "hello");
    server.child.stdin.write(batch);
    const answered = () => server.answers.find((answer) => Array.isArray(answer)) as unknown as Wire[] | undefined;
    await server.until(() => answered() !== undefined);
    expect(answered()?.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, undefined],
      [2, undefined],
      [null, -32600],
    ]);
    server.child.stdin.write("[]\n");
    await server.until(() => server.answers.filter(({ error }) => error?.code === -32600).length === 2);
  });

  it("X-45 the first message decides the era: after a 2026-07-28 one, initialize and bare requests are refused", async () => {
    const { send } = await open();
    expect((await send(request(1, "tools/list", { _meta: ENVELOPE }), 1)).result.resultType).toBe("complete");
    expect((await send(hello("2025-11-25"), "hello")).error).toMatchObject({ message: "Unsupported protocol version" });
    expect((await send(request(2, "tools/list"), 2)).error).toMatchObject({ code: -32602, message: "Invalid params" });
    expect((await send(request(3, "tools/list", { _meta: ENVELOPE }), 3)).result.tools).toBeDefined();
  });

  it("X-45 after a bare first message, an envelope still tells who the client is", async () => {
    const { send } = await open();
    await send(request(1, "ping"), 1);
    const { result } = await send(request(2, "tools/call", { name: "who", arguments: {}, _meta: ENVELOPE }), 2);
    expect(result.resultType).toBeUndefined();
    expect(JSON.parse(result.content[0].text).client).toEqual({ name: "claude-code", version: "9" });
  });

  it("X-45 a 2026-07-28 connection that names another version later is refused", async () => {
    const { send } = await open();
    const as = (version: string) => ({ _meta: { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": version } });
    await send(request(1, "tools/list", as("2026-07-28")), 1);
    let id = 1;
    for (const version of ["2025-11-25", "2099-01-01", ""]) {
      for (const method of ["tools/list", "tools/call", "server/discover", "subscriptions/listen"]) {
        const { error } = await send(request(++id, method, as(version)), id);
        expect(error, `${method} ${version}`).toEqual({
          code: -32022,
          message: "Unsupported protocol version",
          data: { supported: ["2026-07-28"], requested: version },
        });
      }
    }
    expect((await send(request(++id, "tools/list", as("2026-07-28")), id)).result.resultType).toBe("complete");
  });

  it("X-45 X-47 a subscription is acknowledged under its own id and ends at once: it keeps no connection", async () => {
    const { send, server } = await open();
    const params = { _meta: ENVELOPE, notifications: { toolsListChanged: true } };
    const { result } = await send(request("watch", "subscriptions/listen", params), "watch");
    const about = { "io.modelcontextprotocol/subscriptionId": "watch" };
    expect(result).toMatchObject({ resultType: "complete", _meta: about });
    expect(server.answers.filter(({ method }) => method !== undefined)).toMatchObject([
      { method: "notifications/subscriptions/acknowledged", params: { notifications: {}, _meta: about } },
    ]);
    server.child.stdin.end();
    await server.exit();
    expect(server.events.find(({ event }) => event === "fixture.stopped")?.data).toMatchObject({ graceful: true });
  });

  it("J-19 J-20 J-21 a wrong subscription names its filter, a wrong envelope its _meta and the tool", async () => {
    const { send } = await open();
    await send(request(1, "tools/list", { _meta: ENVELOPE }), 1);
    const { error } = await send(request(2, "subscriptions/listen", { _meta: ENVELOPE, notifications: 5 }), 2);
    expect(error).toMatchObject({ code: -32602, data: { issues: [{ path: "notifications" }] } });
    const bare = await send(request(3, "tools/call", { name: "who" }), 3);
    expect(bare.error).toMatchObject({ code: -32602, data: { tool: "who", issues: [{ path: "_meta" }] } });
  });

  it("a batch right behind the initialize of 2025-03-26 is answered", async () => {
    const { server } = await open();
    server.child.stdin.write(`${hello("2025-03-26")}\n[${request(1, "ping")}]\n`);
    const isBatch = (answer: unknown) => Array.isArray(answer);
    expect(await server.answer(isBatch)).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  });

  it("progress tokens and _meta of every type are no reason not to answer", async () => {
    const { send } = await open();
    let id = 0;
    for (const _meta of [5, null, [], { progressToken: {} }, { progressToken: 1.5 }, { progressToken: null }, "x"]) {
      const answer = await send(request(++id, "tools/call", { name: "hidden", arguments: {}, _meta }), id);
      expect(answer.result.content[0].text, JSON.stringify(_meta)).toBe("found me");
    }
  });

  it("K-11 J-16 methods that a server does not have are -32601, notifications that it does not know are not answered", async () => {
    const { send, tell } = await open();
    await tell(JSON.stringify({ jsonrpc: "2.0", method: "notifications/unheard", params: 5 }));
    await tell(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: {} } }));
    for (const method of [
      "resources/list",
      "prompts/list",
      "logging/setLevel",
      "completion/complete",
      "server/discover",
    ]) {
      const { error } = await send(request(method, method, { level: "debug" }), method);
      expect(error).toEqual({ code: -32601, message: "Method not found" });
    }
  });

  it("a call that is cancelled once it was answered changes nothing", async () => {
    const { send, tell } = await open();
    await send(request(1, "tools/call", { name: "hidden", arguments: {} }), 1);
    await tell(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }));
    expect((await send(request(1, "ping"), 1)).result).toEqual({});
  });
});
