// One suite for every transport: the same calls, the same answers.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, TRANSPORTS, type Wire } from "./transports.ts";

describe.each(TRANSPORTS)("over $name", ({ name, open }) => {
  let client: Client & { close(): Promise<void> };
  let lastId = 0;
  beforeAll(async () => {
    client = await open();
  });
  afterAll(() => client.close());
  const ask = (method: string, params?: unknown): Promise<Wire> => {
    const id = ++lastId;
    return client.send(JSON.stringify({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) }), id);
  };
  const call = (tool: string, args: object = {}) => ask("tools/call", { name: tool, arguments: args });

  it("J-11 X-04 initialize says who we are, in the version asked for", async () => {
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const { jsonrpc, result } = await ask("initialize", hello);
    expect(jsonrpc).toBe("2.0");
    expect(result).toEqual({
      protocolVersion: "2025-06-18",
      serverInfo: { name: "@jeeves/fixture", version: "1.2.3" },
      capabilities: { tools: { listChanged: false } },
      instructions: "be brief",
      jeeves: { schemaVersion: 1 },
    });
  });

  it("J-14 tools/list names what is listed", async () => {
    const { result } = await ask("tools/list");
    expect(result.tools.map((tool: Wire) => tool.name)).toEqual([
      "echo",
      "strict",
      "who",
      "fail",
      "throw",
      "cycle",
      "illegal",
      "prune",
      "wait",
    ]);
    expect(result.tools[0].inputSchema.required).toEqual(["text"]);
  });

  it("X-18 a call gives its result, an unlisted tool too", async () => {
    expect((await call("echo", { text: "é😀" })).result).toEqual({
      content: [{ type: "text", text: "é😀" }],
      structuredContent: { tool: "echo", length: 3 },
    });
    expect((await call("hidden")).result.content[0].text).toBe("found me");
  });

  it("X-23 calls of one connection are of one session; a lone POST is stateless", async () => {
    const sessions = [await call("session"), await call("session")].map(({ result }) =>
      JSON.parse(result.content[0].text),
    );
    const isStateless = name === "/rpc";
    expect(sessions.map((session) => session.isStateless)).toEqual([isStateless, isStateless]);
    expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(isStateless ? 2 : 1);
  });

  it("J-19 J-22 wrong arguments are -32602 with their paths", async () => {
    expect((await call("strict", { size: 1, mode: "c" })).error).toEqual({
      code: -32602,
      message: "Invalid params",
      data: {
        jeeves: { schemaVersion: 1 },
        method: "tools/call",
        tool: "strict",
        issues: [
          { path: "arguments.mode", code: "invalid_value", message: "invalid_value" },
          { path: "arguments.size", code: "too_small", message: "too_small" },
        ],
      },
    });
  });

  it("J-15 a tool's failure is a result, J-18 a bug is -32603 without its words", async () => {
    expect((await call("fail")).result).toMatchObject({ isError: true, content: [{ text: "it went wrong" }] });
    const { error } = await call("throw");
    expect(error).toMatchObject({ code: -32603, message: "internal error", data: { request_id: expect.any(String) } });
    expect(JSON.stringify(error)).not.toContain("secret");
  });

  it("K-37 a tool may answer with a JSON-RPC error of its own", async () => {
    const { error, result } = await call("refuse");
    expect(error).toEqual({ code: -32004, message: "not_there", data: { code: "not_there" } });
    expect(result).toBeUndefined();
  });

  it("K-12 a profile's own methods answer; J-16 any other is -32601", async () => {
    expect((await ask("health")).result).toEqual({ status: "healthy" });
    expect((await ask("toString")).error.code).toBe(-32601);
    expect((await ask("server/discover", {})).error.code).toBe(-32601);
  });

  it("X-40 a notification has no answer, and the next request works", async () => {
    await client.tell(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    expect((await ask("ping")).result).toEqual({});
  });

  it("J-17 garbage is -32700 with id null, and the next request works", async () => {
    expect((await client.send("{this is not json", null)).error.code).toBe(-32700);
    expect((await ask("ping")).result).toEqual({});
  });

  it("100 calls at once each get their own answer", async () => {
    const texts = Array.from({ length: 100 }, (_, index) => `call ${index}`);
    const answers = await Promise.all(texts.map((text) => call("echo", { text })));
    expect(answers.map((answer) => answer.result.content[0].text)).toEqual(texts);
  });

  it("a megabyte goes in and out", async () => {
    const text = "0123456789abcdef".repeat(65_536);
    expect((await call("echo", { text })).result.content[0].text === text).toBe(true);
  });

  it(`a string, a fraction and a long id come back as they were (${name})`, async () => {
    for (const id of ["", "é", 1.5, -7, "x".repeat(100_000)]) {
      const answer = await client.send(JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }), id);
      expect(answer.id === id).toBe(true);
    }
  });
});
