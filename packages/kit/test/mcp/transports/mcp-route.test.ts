// Streamable HTTP with the official client, in both eras of the protocol, and the plain JSON-RPC beside it.
import { EventEmitter, once } from "node:events";
import { existsSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { queryObjects } from "node:v8";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import type { Events } from "../../../src/events/index.ts";
import type { Exchange, HttpLimits, HttpRoute, HttpServerOptions } from "../../../src/http/index.ts";
import { createMcpRoute } from "../../../src/mcp/http.ts";
import { createDispatcher } from "../../../src/mcp/index.ts";
import { profile } from "../../fixture-tools.ts";
import { type Serving, serveRoutes } from "../../http/serving.ts";
import { AUTH, quiet, TOKEN, type Wire } from "../transports.ts";

let server: Serving | undefined;
const clients: Client[] = [];
afterEach(async () => {
  await Promise.allSettled(clients.splice(0).map((client) => client.close()));
  await server?.stop();
  server = undefined;
});

interface Serve {
  readonly maxSessions?: number;
  readonly sessionIdleMs?: number;
  readonly limits?: Partial<HttpLimits>;
  readonly events?: Events;
  readonly onExchange?: (exchange: Exchange) => void;
  readonly access?: Pick<HttpServerOptions, "ownerTokens" | "trustsUid">;
}

async function serve({ limits, events = quiet(), onExchange, access, ...options }: Serve = {}) {
  const dispatcher = createDispatcher(profile, { events, env: {} });
  const route = createMcpRoute(dispatcher, { path: "/mcp", profile, events, maxBodyBytes: 1 << 20, ...options });
  const watched: HttpRoute = {
    ...route,
    handle(exchange) {
      onExchange?.(exchange);
      return route.handle(exchange);
    },
  };
  server = await serveRoutes([watched], { ownerTokens: [TOKEN], ...access, limits: { drainMs: 200, ...limits } });
  return server;
}

/** With one place; told are the events of calls, and when a client has left. */
async function serveOne() {
  const seen = new EventEmitter();
  const events: Events = { emit: (_level, event) => seen.emit(event), child: () => events };
  const left: Promise<unknown>[] = [];
  const onExchange = ({ signal }: Exchange) => left.push(once(signal, "abort"));
  return { it: await serve({ limits: { maxConcurrent: 1 }, events, onExchange }), seen, left };
}

type Options = NonNullable<ConstructorParameters<typeof Client>[1]>;

async function connect(to: Serving, name = "somebody", options: Options = {}) {
  const client = new Client({ name, version: "9" }, options);
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${to.url}/mcp`), { requestInit: { headers: AUTH } }));
  return client;
}

const STREAM = { "content-type": "application/json", accept: "application/json, text/event-stream", ...AUTH };
const hello = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});
const ping = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });

describe.each([
  ["2025-11-25", {}],
  ["2026-07-28", { versionNegotiation: { mode: "auto" } }],
] satisfies [string, Options][])("the official client, protocol %s", (version, options) => {
  it("connects, lists, calls, and sees our errors whole", async () => {
    const client = await connect(await serve(), "somebody", options);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: "@jeeves/fixture", version: "1.2.3" });
    expect(client.getInstructions()).toBe("be brief");
    expect((await client.listTools()).tools[0]).toMatchObject({ name: "echo", _meta: { "example/size": 1 } });
    const result = await client.callTool({ name: "echo", arguments: { text: "ab", times: 2 } });
    expect(result.content).toEqual([{ type: "text", text: "abab" }]);
    const wrong = await client.callTool({ name: "strict", arguments: { size: 1 } }).catch((error) => error);
    expect(wrong).toMatchObject({ code: -32602, data: { issues: [{ path: "arguments.size", code: "too_small" }] } });
    const refused = await client.callTool({ name: "refuse" }).catch((error) => error);
    expect(refused).toMatchObject({ code: -32004, data: { code: "not_there" } });
  });

  it("X-18 the server knows who asks", async () => {
    const client = await connect(await serve(), "claude-code", options);
    const result: Wire = await client.callTool({ name: "who" });
    expect(JSON.parse(result.content[0].text).client).toEqual({ name: "claude-code", version: "9" });
    expect(result.structuredContent).toBeUndefined();
    expect(result._meta["jeeves/result"]).toEqual({ tool: "who" });
  });

  it("X-23 tells clients with a session apart, and knows that the others have none", async () => {
    const to = await serve();
    const [one, two] = [await connect(to, "one", options), await connect(to, "two", options)];
    const sessionOf = async (client: Client) => {
      const result: Wire = await client.callTool({ name: "session" });
      return JSON.parse(result.content[0].text);
    };
    const [first, again, other] = [await sessionOf(one), await sessionOf(one), await sessionOf(two)];
    const isStateless = version === "2026-07-28";
    expect([first.isStateless, other.isStateless]).toEqual([isStateless, isStateless]);
    expect(again.sessionId === first.sessionId).toBe(!isStateless);
    expect(other.sessionId).not.toBe(first.sessionId);
  });

  it("progress arrives while the call runs", async () => {
    const client = await connect(await serve(), "somebody", options);
    const seen: Wire[] = [];
    await client.callTool({ name: "wait", arguments: { ms: 50 } }, { onprogress: (progress) => seen.push(progress) });
    expect(seen).toEqual([{ progress: 1, total: 2, message: "waiting" }]);
  });

  it("X-01 a call that the stop of the server ends is answered, not left waiting", async () => {
    const running = await serve();
    const client = await connect(running, "somebody", options);
    let stopped: Promise<unknown> | undefined;
    const call = { name: "wait", arguments: { ms: 60_000, throws: true } };
    const given = client.callTool(call, {
      onprogress: () => {
        stopped = running.stop();
      },
    });
    await expect(given).rejects.toMatchObject({ code: -32000, message: expect.stringContaining("stopping") });
    expect(await stopped).toEqual({ graceful: false });
    server = undefined;
  });

  it("a call that the client gives up is aborted, and the next one works", async () => {
    const client = await connect(await serve(), "somebody", options);
    const controller = new AbortController();
    const given = client.callTool(
      { name: "wait", arguments: { ms: 60_000 } },
      { signal: controller.signal, onprogress: () => controller.abort() },
    );
    await expect(given).rejects.toThrow();
    expect((await client.callTool({ name: "hidden" })).content).toEqual([{ type: "text", text: "found me" }]);
  });
});

describe("X-04 initialize on an event stream", () => {
  const initialize = async (params: unknown) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    return (await serve()).ask("/mcp", { body, headers: STREAM });
  };

  it.each([
    {},
    { capabilities: {} },
    { clientInfo: { name: "codex" } },
    { capabilities: {}, clientInfo: { name: "codex" } },
  ])("what only the SDK needs may be absent: %j", async (given) => {
    const { status, headers, text } = await initialize({ protocolVersion: "2025-06-18", ...given });
    expect([status, typeof headers["mcp-session-id"]]).toEqual([200, "string"]);
    expect(text).toContain('"jeeves":{"schemaVersion":1}');
  });

  it.each([
    [undefined, "", "invalid_type"],
    [{}, "protocolVersion", "invalid_type"],
    [{ protocolVersion: 5 }, "protocolVersion", "invalid_type"],
    [{ protocolVersion: "2025-06-18", clientInfo: { name: 7 } }, "clientInfo.name", "invalid_type"],
  ])("J-11 wrong parameters %j are -32602, and open no session", async (params, path, code) => {
    const { status, headers, json } = await initialize(params);
    expect([status, headers["mcp-session-id"]]).toEqual([200, undefined]);
    expect(json).toMatchObject({
      id: 1,
      error: { code: -32602, data: { method: "initialize", issues: [{ path, code }] } },
    });
  });
});

it("X-40 an initialize without an id is a notification like any other: 202", async () => {
  const body = JSON.stringify({ jsonrpc: "2.0", method: "initialize", params: { protocolVersion: "2025-06-18" } });
  const { status, text } = await (await serve()).ask("/mcp", { body, headers: STREAM });
  expect([status, text]).toEqual([202, ""]);
});

/** Objects of a class that are still reachable. */
const heapCount = (made: new (...args: never) => unknown) =>
  queryObjects(made as unknown as Parameters<typeof queryObjects>[0], { format: "count" });

describe("sessions", () => {
  const open = async (to: Serving, more: Readonly<Record<string, string>> = {}) => {
    const { status, headers } = await to.ask("/mcp", { body: hello, headers: { ...STREAM, ...more } });
    return { status, id: String(headers["mcp-session-id"]) };
  };
  const use = async (to: Serving, id: string, more: Readonly<Record<string, string>> = {}) =>
    (await to.ask("/mcp", { body: ping, headers: { ...STREAM, "mcp-session-id": id, ...more } })).status;

  it("X-55 clients that have not proven to be the owner end none of the owner's sessions", async () => {
    const to = await serve({ access: { ownerTokens: ["owners"], trustsUid: false } });
    const proof = { authorization: "Bearer owners" };
    const proven = await open(to, proof);
    const provenLater = await open(to);
    expect(await use(to, provenLater.id, proof)).toBe(200);
    const unproven = await open(to);
    for (let i = 0; i < 300; i++) expect((await open(to)).status).toBe(200);
    expect(await use(to, unproven.id)).toBe(404);
    expect(await use(to, provenLater.id, proof)).toBe(200);
    expect(await use(to, proven.id, proof)).toBe(200);
  });

  it("X-55 of clients without proof 32 sessions are kept, and nothing of the requests that are over", async () => {
    const to = await serve({ access: { ownerTokens: ["owners"], trustsUid: false } });
    await open(to); // loads the transport
    const before = heapCount(Request);
    for (let i = 0; i < 100; i++) expect((await open(to)).status).toBe(200);
    // Some objects go only with the collection after the one that ran their finalizers.
    let left = heapCount(Request) - before;
    for (let tries = 0; tries < 20 && left > 10; tries++) {
      await nextTurn();
      left = heapCount(Request) - before;
    }
    expect(left).toBeLessThanOrEqual(10);
    expect(heapCount(WebStandardStreamableHTTPServerTransport)).toBeLessThanOrEqual(32);
  });

  it("an unknown one is 404, one that was deleted too, none at all is 400", async () => {
    const running = await serve();
    expect(await use(running, "made-up")).toBe(404);
    const { id } = await open(running);
    expect(await use(running, id)).toBe(200);
    expect((await running.ask("/mcp", { method: "DELETE", headers: { ...AUTH, "mcp-session-id": id } })).status).toBe(
      200,
    );
    expect(await use(running, id)).toBe(404);
    expect((await running.ask("/mcp", { body: ping, headers: STREAM })).status).toBe(400);
  });

  it("J-17 bytes that are no UTF-8 are 400 with -32700, and what they name is not run", async () => {
    const running = await serve();
    const { id } = await open(running);
    const headers = { ...STREAM, "mcp-session-id": id };
    const note = join(tmpdir(), `jeeves-not-run-${id}`);
    const params = { name: "wait", arguments: { ms: 0, note: `${note}-?` } };
    const call = JSON.stringify({ jsonrpc: "2.0", id: 3, method: "tools/call", params });
    const [before = "", after = ""] = call.split("?");
    const bytes = (middle: readonly number[]) =>
      Buffer.concat([Buffer.from(before), Buffer.from(middle), Buffer.from(after)]);
    for (const body of [bytes([0xff]), bytes([0xc3]), Buffer.concat([Buffer.from(ping), Buffer.from([0xc3])])]) {
      const { status, json } = await running.ask("/mcp", { body, headers });
      expect([status, json]).toEqual([
        400,
        { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } },
      ]);
    }
    expect(existsSync(`${note}-\ufffd`)).toBe(false);
    expect(await use(running, id)).toBe(200);
  });

  it("a character in two pieces is one", async () => {
    const running = await serve();
    const { id } = await open(running);
    const params = { name: "echo", arguments: { text: "é😀" } };
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 3, method: "tools/call", params }));
    const asked = request(`${running.url}/mcp`, { method: "POST", headers: { ...STREAM, "mcp-session-id": id } });
    asked.setNoDelay(true);
    for (const byte of body) await new Promise((resolve) => asked.write(Buffer.from([byte]), resolve));
    asked.end();
    const [response] = await once(asked, "response");
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part);
    expect(Buffer.concat(parts).toString("utf8")).toContain('"text":"é😀"');
  });

  it("the one that was idle longest makes room for a new one", async () => {
    const running = await serve({ maxSessions: 2 });
    const [first, second] = [await open(running), await open(running)];
    expect(await use(running, first.id)).toBe(200);
    const third = await open(running);
    expect(third.status).toBe(200);
    expect([await use(running, first.id), await use(running, second.id), await use(running, third.id)]).toEqual([
      200, 404, 200,
    ]);
  });

  it("a request that opens none costs no other session", async () => {
    const running = await serve({ maxSessions: 1 });
    const { id } = await open(running);
    for (const body of [ping, "{", "[]"]) {
      expect((await running.ask("/mcp", { body, headers: STREAM })).status, body).toBe(400);
    }
    expect((await running.ask("/mcp", { headers: { ...AUTH, accept: "text/event-stream" } })).status).toBe(400);
    expect(await use(running, id)).toBe(200);
    await running.ask("/mcp", { body: `[${hello}]`, headers: STREAM });
    expect(await use(running, id)).toBe(404);
  });

  it("where all are at work a new one is 503 with Retry-After", async () => {
    const running = await serve({ maxSessions: 1 });
    const client = await connect(running);
    const busy = new Promise<void>((resolve) => {
      const call = { name: "wait", arguments: { ms: 60_000 } };
      client.callTool(call, { onprogress: () => resolve() }).catch(() => {});
    });
    await busy;
    const { status, headers } = await running.ask("/mcp", { body: hello, headers: STREAM });
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
  });

  it("one that was not used for long is forgotten", async () => {
    const running = await serve({ sessionIdleMs: 0 });
    const { id } = await open(running);
    expect(await use(running, id)).toBe(200);
    await open(running);
    expect(await use(running, id)).toBe(404);
  });

  it("a stream whose client is gone may be opened anew", async () => {
    const running = await serve();
    const { id } = await open(running);
    const stream = async () => {
      const controller = new AbortController();
      const headers = { ...AUTH, accept: "text/event-stream", "mcp-session-id": id };
      const { status } = await fetch(`${running.url}/mcp`, { headers, signal: controller.signal });
      controller.abort();
      return status;
    };
    expect(await stream()).toBe(200);
    await expect.poll(stream, { timeout: 5_000 }).toBe(200);
  });

  it("J-76 a call whose client is gone goes on, keeps its place, and is not called answered", async () => {
    const { it, seen, left } = await serveOne();
    const { id } = await open(it);
    const controller = new AbortController();
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 3,
      method: "tools/call",
      params: { name: "wait", arguments: { ms: 60_000 } },
    });
    const [failed, waiting] = [once(seen, "tool.respond_failed"), once(seen, "fixture.waiting")];
    const headers = { ...STREAM, "mcp-session-id": id };
    fetch(`${it.url}/mcp`, { method: "POST", headers, body, signal: controller.signal }).catch(() => {});
    await waiting;
    controller.abort();
    await left[1];
    expect(await use(it, id)).toBe(503);
    expect((await it.ask("/mcp", { method: "DELETE", headers })).status).toBe(200);
    await failed;
    await expect.poll(async () => (await open(it)).status).toBe(200);
  });

  it("an open stream does not hold up the end", async () => {
    const running = await serve();
    const { id } = await open(running);
    const headers = { ...AUTH, accept: "text/event-stream", "mcp-session-id": id };
    const stream = await fetch(`${running.url}/mcp`, { headers });
    expect(stream.status).toBe(200);
    const ended = stream.text().catch(() => "cut");
    expect(await running.stop()).toEqual({ graceful: true });
    await ended;
    server = undefined;
  });
});

describe("2026-07-28 on the wire", () => {
  const MODERN = { ...STREAM, "mcp-protocol-version": "2026-07-28" };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const ask = async (to: Serving, method: string, headers: Readonly<Record<string, string>>) => {
    const params = { ...(method === "tools/call" ? { name: "hidden" } : {}), _meta };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return to.ask("/mcp", { body, headers: { ...MODERN, "mcp-method": method, ...headers } });
  };

  it("an unknown method is 404 with -32601, one of ours is answered", async () => {
    const running = await serve();
    const unknown = await ask(running, "nope/never", {});
    expect([unknown.status, unknown.json.error.code]).toEqual([404, -32601]);
    expect((await ask(running, "health", {})).json.result).toMatchObject({ status: "healthy" });
  });

  it("J-76 a call whose client is gone keeps its place until it has ended, and is not called answered", async () => {
    const { it, seen, left } = await serveOne();
    const controller = new AbortController();
    const [failed, waiting] = [once(seen, "tool.respond_failed"), once(seen, "fixture.waiting")];
    const params = { name: "wait", arguments: { ms: 3_000, stubborn: true }, _meta };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const headers = { ...MODERN, "mcp-method": "tools/call", "mcp-name": "wait" };
    fetch(`${it.url}/mcp`, { method: "POST", headers, body, signal: controller.signal }).catch(() => {});
    await waiting;
    controller.abort();
    await left[0];
    expect((await ask(it, "health", {})).status).toBe(503);
    await failed;
    await expect.poll(async () => (await ask(it, "health", {})).status, { timeout: 30_000 }).toBe(200);
  });

  it("blanks around the name in the header do not matter, another name does", async () => {
    const running = await serve();
    const padded = await ask(running, "tools/call", { "mcp-name": "  hidden  " });
    expect([padded.status, padded.json.result.content[0].text]).toEqual([200, "found me"]);
    expect((await ask(running, "tools/call", { "mcp-name": "echo" })).status).toBe(400);
  });
});

describe("which half answers", () => {
  it("the SDK for clients that name event streams, a session or a protocol version", async () => {
    const running = await serve();
    const asJson = { ...AUTH, "content-type": "application/json" };
    const wrong = { ...asJson, "mcp-protocol-version": "1999-01-01" };
    // The SDK's refusals are JSON-RPC errors with a status of their own; ours are HTTP 200.
    expect((await running.ask("/mcp", { body: ping, headers: wrong })).status).toBeGreaterThanOrEqual(400);
    expect((await running.ask("/mcp", { body: "{", headers: STREAM })).status).toBe(400);
    expect(
      (await running.ask("/mcp", { body: ping, headers: { ...STREAM, "content-type": "text/plain" } })).status,
    ).toBe(415);
    expect((await running.ask("/mcp", { body: "{", headers: asJson })).status).toBe(200);
    expect((await running.ask("/mcp", { body: ping, headers: asJson })).json.result).toEqual({});
  });

  it("D-05 without any of them only POST is answered", async () => {
    const running = await serve();
    for (const method of ["GET", "DELETE", "PUT"]) {
      const { status, json } = await running.ask("/mcp", { method, headers: AUTH });
      expect([status, json.error.code]).toEqual([405, "method_not_allowed"]);
    }
  });

  it("a body over the limit is 413 on both sides, declared or not", async () => {
    const running = await serve({ limits: { maxBodyBytes: 3 << 20 } });
    const bodyOf = (size: number) => JSON.stringify({ ...JSON.parse(ping), params: { fill: "x".repeat(size) } });
    for (const more of [{}, { "transfer-encoding": "chunked" }]) {
      const asJson = { ...AUTH, "content-type": "application/json", ...more };
      expect((await running.ask("/mcp", { body: bodyOf(4 << 20), headers: asJson })).status).toBe(413);
      const headers = { ...STREAM, ...more };
      for (const size of [2 << 20, 4 << 20]) {
        expect((await running.ask("/mcp", { body: bodyOf(size), headers })).status).toBe(413);
      }
    }
  });

  it("bodies together hold no more than their bound on both sides", async () => {
    const running = await serve({ limits: { maxBodyBytes: 1 << 20, maxHeldBytes: 1 << 20 } });
    const client = await connect(running);
    const fill = "x".repeat(600_000);
    const call = { name: "wait", arguments: { ms: 60_000, fill } };
    await new Promise<void>((resolve) => {
      client.callTool(call, { onprogress: () => resolve() }).catch(() => {});
    });
    const body = JSON.stringify({ ...JSON.parse(ping), params: { fill } });
    for (const headers of [STREAM, { ...AUTH, "content-type": "application/json" }]) {
      const { status, headers: answered } = await running.ask("/mcp", { body, headers });
      expect([status, answered["retry-after"]]).toEqual([503, "1"]);
    }
  });
});
