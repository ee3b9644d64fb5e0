// JSON-RPC in one POST: batches, and everything that is not a message.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Events } from "../../../src/events/index.ts";
import { createRpcRoute } from "../../../src/mcp/http.ts";
import { createDispatcher } from "../../../src/mcp/index.ts";
import { profile } from "../../fixture-tools.ts";
import { type Serving, serveRoutes } from "../../http/serving.ts";
import { quiet, type Wire } from "../transports.ts";

let server: Serving;
beforeAll(async () => {
  const dispatcher = createDispatcher(profile, { events: quiet(), env: {} });
  server = await serveRoutes([createRpcRoute(dispatcher, { path: "/rpc" })], { limits: { maxBodyBytes: 8 << 20 } });
});
afterAll(() => server.stop());

const JSON_TYPE = { "content-type": "application/json" };
const post = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = JSON_TYPE) =>
  server.ask("/rpc", { body, headers });
const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });

describe("batches", () => {
  it("each request has its answer, in order; notifications have none", async () => {
    const { status, json } = await post(
      JSON.stringify([
        ping(1),
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { jsonrpc: "2.0", id: "b", method: "nope" },
        7,
        ping(2),
      ]),
    );
    expect(status).toBe(200);
    expect(json.map((each: Wire) => [each.id, each.error?.code])).toEqual([
      [1, undefined],
      ["b", -32601],
      [null, -32600],
      [2, undefined],
    ]);
  });

  it("X-40 only notifications: 202 and no body", async () => {
    const only = JSON.stringify([{ jsonrpc: "2.0", method: "notifications/initialized" }]);
    const { status, text, headers } = await post(only);
    expect([status, text, headers["content-type"]]).toEqual([202, "", undefined]);
  });

  it("answers that are too long together: the rest is refused by its id and not run, notifications are heard", async () => {
    const dispatcher = createDispatcher(profile, { events: quiet(), env: {} });
    const own = await serveRoutes([createRpcRoute(dispatcher, { path: "/rpc", batch: { maxAnswerChars: 2_000 } })]);
    const params = { name: "echo", arguments: { text: "x".repeat(1_000) } };
    const calls = Array.from({ length: 40 }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/call", params }));
    const body = JSON.stringify([...calls, { jsonrpc: "2.0", method: "notifications/initialized" }]);
    const { status, json } = await own.ask("/rpc", { body, headers: JSON_TYPE });
    await own.stop();
    expect(status).toBe(200);
    expect(json.map(({ id }: Wire) => id)).toEqual(calls.map(({ id }) => id));
    const refused = json.filter((each: Wire) => each.error !== undefined);
    expect(refused.length).toBeGreaterThan(20);
    expect(json.length - refused.length).toBeGreaterThan(2);
    expect(refused[0].error).toMatchObject({ code: -32600, message: "Invalid Request" });
    expect(refused[0].error.data.reason).toMatch(
      /^the answers before it hold \d+ characters; send this one by itself$/,
    );
  });

  it("an empty batch, and one of more than 100, are one -32600", async () => {
    for (const batch of [[], Array.from({ length: 101 }, (_, id) => ping(id))]) {
      const { status, json } = await post(JSON.stringify(batch));
      expect([status, json.id, json.error.code]).toEqual([200, null, -32600]);
    }
  });
});

it("X-01 a call that the stop of the server ends is answered, never with 202", async () => {
  let isWaiting = false;
  const events: Events = {
    emit: (_level, event) => {
      isWaiting ||= event === "fixture.waiting";
    },
    child: () => events,
  };
  const dispatcher = createDispatcher(profile, { events, env: {} });
  const own = await serveRoutes([createRpcRoute(dispatcher, { path: "/rpc" })], { limits: { drainMs: 1 } });
  const params = { name: "wait", arguments: { ms: 60_000, throws: true } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 5, method: "tools/call", params });
  const given = own.ask("/rpc", { body, headers: JSON_TYPE });
  await expect.poll(() => isWaiting, { timeout: 30_000 }).toBe(true);
  expect(await own.stop()).toEqual({ graceful: false });
  const { status, json } = await given;
  expect([status, json]).toEqual([
    200,
    { jsonrpc: "2.0", id: 5, error: { code: -32000, message: "the server is stopping" } },
  ]);
});

describe("what is not a message", () => {
  it.each([
    ["nothing", ""],
    ["blanks", " \n\t "],
    ["half a message", '{"jsonrpc":"2.0",'],
    ["two messages", `${JSON.stringify(ping(1))}${JSON.stringify(ping(2))}`],
    ["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0x22])],
  ])("D-04 %s is -32700 with HTTP 200", async (_what, body) => {
    const { status, json } = await post(body);
    expect([status, json]).toEqual([
      200,
      { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } },
    ]);
  });

  it.each([
    ["a number", "7", null],
    ["another jsonrpc", '{"jsonrpc":"1.0","id":1,"method":"ping"}', 1],
    ["no jsonrpc", '{"id":1,"method":"ping"}', 1],
    ["no method", '{"jsonrpc":"2.0","id":"x"}', "x"],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
    ["an id that is null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
    ["an id beyond all numbers", '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', null],
    ["an id that would come back as another", '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', null],
    ["the same below 0", '{"jsonrpc":"2.0","id":-9007199254740993,"method":"ping"}', null],
  ])("D-04 J-10 %s is -32600", async (_what, body, id) => {
    const { status, json } = await post(body);
    expect([status, json.id, json.error.code]).toEqual([200, id, -32600]);
  });

  it("J-10 the largest id that is read exactly comes back, and so does a fraction", async () => {
    for (const id of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0.5]) {
      expect((await post(JSON.stringify(ping(id)))).json).toEqual({ jsonrpc: "2.0", id, result: {} });
    }
  });

  it("a request without an id is a notification: 202", async () => {
    const { status, text } = await post('{"jsonrpc":"2.0","method":"tools/list"}');
    expect([status, text]).toEqual([202, ""]);
  });

  it("of duplicate keys the last one counts", async () => {
    const { json } = await post('{"jsonrpc":"2.0","id":1,"id":2,"method":"nope","method":"ping"}');
    expect(json).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  });

  it("a million levels deep is an answer, not an end", async () => {
    const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;
    const { status, json } = await post(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":${deep}}}}`,
    );
    expect(status).toBe(200);
    expect([-32602, -32700]).toContain(json.error.code);
    expect((await post(JSON.stringify(ping(1)))).json.result).toEqual({});
  });

  it("__proto__ among the arguments changes no prototype", async () => {
    const { json } = await post(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a","__proto__":{"times":9}}}}',
    );
    expect(json.result.content[0].text).toBe("a");
  });
});

describe("what HTTP refuses", () => {
  it.each([
    ["none", {}],
    ["text", { "content-type": "text/plain" }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["something like JSON", { "content-type": "application/jsonp" }],
    ["packed JSON", { ...JSON_TYPE, "content-encoding": "gzip" }],
  ])("D-05 a body of the wrong media type (%s) is 415", async (_what, headers) => {
    const { status, json } = await post(JSON.stringify(ping(1)), headers as Record<string, string>);
    expect([status, json.ok, json.error.code]).toEqual([415, false, "unsupported_media_type"]);
  });

  it("parameters and case of the media type do not matter", async () => {
    const { json } = await post(JSON.stringify(ping(1)), { "content-type": "Application/JSON; charset=utf-8" });
    expect(json.result).toEqual({});
  });

  it("D-05 GET is 405", async () => {
    const { status, json } = await server.ask("/rpc");
    expect([status, json.error.code]).toEqual([405, "method_not_allowed"]);
  });
});
