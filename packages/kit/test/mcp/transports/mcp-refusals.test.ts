// What the SDK refuses on `/mcp` by itself: its statuses and codes, our words (J-23), and no id used twice at once.
import { afterEach, describe, expect, it } from "vitest";
import { createMcpRoute } from "../../../src/mcp/http.ts";
import { createDispatcher } from "../../../src/mcp/index.ts";
import { profile } from "../../fixture-tools.ts";
import { type Serving, serveRoutes } from "../../http/serving.ts";
import { AUTH, quiet, TOKEN } from "../transports.ts";

let server: Serving | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function serve(events = quiet()): Promise<Serving> {
  const dispatcher = createDispatcher(profile, { events, env: {} });
  const route = createMcpRoute(dispatcher, { path: "/mcp", profile, events, maxBodyBytes: 1 << 20 });
  server = await serveRoutes([route], { ownerTokens: [TOKEN], limits: { drainMs: 200 } });
  return server;
}

const STREAM = { "content-type": "application/json", accept: "application/json, text/event-stream", ...AUTH };
const VERSION = "io.modelcontextprotocol/protocolVersion";
const ENVELOPE = { [VERSION]: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
const request = (id: unknown, method: string, params?: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

const HELLO = request(0, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
});

/** Opens a session of the 2025 protocol; the headers of what it asks. */
async function openSession(to: Serving): Promise<Readonly<Record<string, string>>> {
  const { headers } = await to.ask("/mcp", { body: HELLO, headers: STREAM });
  return { ...STREAM, "mcp-session-id": String(headers["mcp-session-id"]) };
}

describe("J-23 2026-07-28", () => {
  const ask = (body: string, method: string, more: Readonly<Record<string, string>> = {}) => {
    const headers = { ...STREAM, "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...more };
    return serve().then((to) => to.ask("/mcp", { body, headers }));
  };

  it.each([
    { ...ENVELOPE, "io.modelcontextprotocol/clientInfo": 5 },
    { ...ENVELOPE, "io.modelcontextprotocol/clientInfo": { name: 1 } },
    { ...ENVELOPE, "io.modelcontextprotocol/clientCapabilities": null },
    { ...ENVELOPE, "io.modelcontextprotocol/logLevel": 5 },
    { ...ENVELOPE, [VERSION]: 5 },
    { [VERSION]: "2026-07-28" },
    undefined,
  ])("J-19 the envelope %j is -32602 of the contract", async (_meta) => {
    const { status, json } = await ask(request(1, "tools/list", { _meta }), "tools/list");
    expect([status, json]).toEqual([
      400,
      {
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -32602,
          message: "Invalid params",
          data: {
            jeeves: { schemaVersion: 1 },
            method: "tools/list",
            issues: [{ path: "_meta", code: "invalid_value", message: "invalid_value" }],
          },
        },
      },
    ]);
  });

  it("a subscription without a filter is -32602 at notifications, one with a filter ends at once", async () => {
    const wrong = await ask(request("w", "subscriptions/listen", { _meta: ENVELOPE }), "subscriptions/listen");
    expect(wrong.json).toMatchObject({
      id: "w",
      error: { code: -32602, data: { issues: [{ path: "notifications" }] } },
    });
    const params = { _meta: ENVELOPE, notifications: { toolsListChanged: true } };
    const right = await ask(request("w", "subscriptions/listen", params), "subscriptions/listen");
    expect(right.text).toContain('"resultType":"complete"');
  });

  it.each([
    ["a header for another method", request(1, "tools/list", { _meta: ENVELOPE }), -32020, "Header mismatch", 1],
    ["parameters that are no object", request(1, "tools/call", 5), -32600, "Invalid Request", 1],
    ["an id that is a fraction", request(1.5, "tools/call", { _meta: ENVELOPE }), -32600, "Invalid Request", 1.5],
    ["an id of 2^53", request(2 ** 53, "tools/call", { _meta: ENVELOPE }), -32600, "Invalid Request", null],
    ["a batch", `[${request(1, "tools/call", { _meta: ENVELOPE })}]`, -32600, "Invalid Request", null],
    ["no JSON", "{", -32700, "Parse error", null],
  ])("%s", async (_what, body, code, message, id) => {
    const { status, json } = await ask(body, "tools/call", { "mcp-name": "who" });
    expect([status, json.id, json.error.code, json.error.message]).toEqual([400, id, code, message]);
    expect(JSON.stringify(json)).not.toMatch(/Bad Request: |request body|expected \w+, received/);
  });

  it("a version that this server does not speak", async () => {
    const _meta = { ...ENVELOPE, [VERSION]: "2099-01-01" };
    const { json } = await ask(request(1, "tools/list", { _meta }), "tools/list", {
      "mcp-protocol-version": "2099-01-01",
    });
    const data = { supported: ["2026-07-28"], requested: "2099-01-01" };
    expect(json.error).toEqual({ code: -32022, message: "Unsupported protocol version", data });
  });
});

describe("J-23 2025", () => {
  it.each([
    ["nothing was initialized", {}, request(1, "ping"), 400, "Bad Request", /initialize/],
    ["Accept names one form", { accept: "text/event-stream" }, request(1, "ping"), 406, "Not Acceptable", /Accept/],
    ["the body is called text", { "content-type": "text/plain" }, "{}", 415, "Unsupported Media Type", /Content-Type/],
  ])("%s: the reason is ours", async (_what, headers, body, status, message, reason) => {
    const answered = await (await serve()).ask("/mcp", { body, headers: { ...STREAM, ...headers } });
    expect(answered.status).toBe(status);
    expect(answered.json.error).toEqual({ code: -32000, message, data: { reason: expect.stringMatching(reason) } });
  });

  it.each([
    ["another version", { "mcp-protocol-version": "1999-01-01" }, request(1, "ping"), -32000, /1999-01-01/],
    ["a second initialize", {}, HELLO, -32600, /Mcp-Session-Id/],
    ["a token that is an object", {}, request(1, "ping", { _meta: { progressToken: {} } }), -32600, /progressToken/],
    ["a batch with a number", {}, `[${request(1, "ping")},5]`, -32600, /batch/],
  ])("in a session, %s", async (_what, more, body, code, reason) => {
    const to = await serve();
    const session = await openSession(to);
    const { status, json } = await to.ask("/mcp", { body, headers: { ...session, ...more } });
    expect([status, json.error.code]).toEqual([400, code]);
    expect(json.error.data.reason).toMatch(reason);
    expect((await to.ask("/mcp", { body: request(1, "ping"), headers: session })).text).toContain('"result":{}');
  });

  it("an id that has no answer yet is refused, in its own batch too; once it is answered it is free", async () => {
    const to = await serve();
    const headers = await openSession(to);
    const wait = request(7, "tools/call", { name: "wait", arguments: { ms: 3_600_000 }, _meta: { progressToken: 1 } });
    const stop = new AbortController();
    const slow = await fetch(`${to.url}/mcp`, { method: "POST", headers, body: wait, signal: stop.signal });
    await slow.body?.getReader().read(); // its progress: the call is under way
    const refused = {
      code: -32600,
      message: "Invalid Request",
      data: { reason: expect.stringContaining("no answer") },
    };
    const again = await to.ask("/mcp", { body: request(7, "ping"), headers });
    expect([again.status, again.json]).toEqual([400, { jsonrpc: "2.0", id: 7, error: refused }]);
    const twice = await to.ask("/mcp", { body: `[${request(8, "ping")},${request(8, "ping")}]`, headers });
    expect([twice.status, twice.json.id]).toEqual([400, 8]);
    for (const _ of [1, 2]) {
      expect((await to.ask("/mcp", { body: request(8, "ping"), headers })).text).toContain('"result":{}');
    }
    stop.abort();
  });
});
