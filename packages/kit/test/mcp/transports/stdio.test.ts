// Raw lines against the fixture server as a real child: every answer that the contract names, and what must not kill it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type BuiltServer, buildFixtureServer, type RunningServer, startServer } from "../../fixture-server.ts";

let built: BuiltServer;
let server: RunningServer | undefined;
beforeAll(async () => {
  built = await buildFixtureServer();
});
afterAll(() => built.remove());
afterEach(async () => {
  server?.child.kill("SIGKILL");
  await server?.exit();
  server = undefined;
});
const start = (env: Readonly<Record<string, string>> = {}) => {
  server = startServer(built.file, env);
  return server;
};

describe("initialize", () => {
  it("J-12 the result has exactly the fields of the contract", async () => {
    const answer = await start().ask("initialize", { protocolVersion: "2025-06-18", clientInfo: { name: "x" } });
    expect(answer).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        protocolVersion: "2025-06-18",
        serverInfo: { name: "@jeeves/fixture", version: "1.2.3" },
        capabilities: { tools: { listChanged: false } },
        instructions: "be brief",
        jeeves: { schemaVersion: 1 },
      },
    });
  });

  it("J-11 X-04 only protocolVersion is required; what is there must be right", async () => {
    const server = start();
    expect((await server.ask("initialize", { protocolVersion: "1999-01-01" })).result?.protocolVersion).toBe(
      "2025-11-25",
    );
    expect((await server.ask("initialize")).error).toEqual(invalid("initialize", [["", "invalid_type"]]));
    expect((await server.ask("initialize", {})).error).toEqual(
      invalid("initialize", [["protocolVersion", "invalid_type"]]),
    );
    expect((await server.ask("initialize", { protocolVersion: 1, clientInfo: {}, capabilities: [] })).error).toEqual(
      invalid("initialize", [
        ["capabilities", "invalid_type"],
        ["clientInfo.name", "invalid_type"],
        ["protocolVersion", "invalid_type"],
      ]),
    );
  });

  it("X-04 R-11 requests before it are answered: unknown methods with -32601, tools as ever", async () => {
    const server = start();
    expect((await server.ask("server/discover", {})).error).toEqual({ code: -32601, message: "Method not found" });
    expect((await server.ask("tools/list")).result?.tools).toHaveLength(9);
    expect((await server.call("echo", { text: "hi" })).result?.content).toEqual([{ type: "text", text: "hi" }]);
    expect((await server.ask("ping")).result).toEqual({});
    expect((await server.ask("initialize", { protocolVersion: "2025-11-25" })).error).toBeUndefined();
  });
});

describe("bad parameters", () => {
  it("J-14 tools/list takes nothing but an object", async () => {
    const server = start();
    expect((await server.ask("tools/list", {})).error).toBeUndefined();
    expect((await server.ask("tools/list", [])).error).toEqual(invalid("tools/list", [["", "invalid_type"]]));
    expect((await server.ask("tools/list", { cursor: "x" })).error).toEqual(
      invalid("tools/list", [["cursor", "invalid_value"]]),
    );
  });

  it("J-20 J-21 J-22 X-16 tools/call names every wrong field once, sorted, in zod's codes without its messages", async () => {
    const server = start();
    const wrong = {
      env: { a: "b", B: "too long" },
      size: 1,
      mode: "x",
      paths: [],
      either: { deep: "x" },
      path: "a\0",
    };
    expect((await server.call("strict", wrong)).error).toEqual(
      invalid(
        "tools/call",
        [
          ["arguments.either.deep", "invalid_type"],
          ["arguments.env.B", "too_big"],
          ["arguments.env.a", "invalid_key"],
          ["arguments.mode", "invalid_value"],
          ["arguments.path", "custom"],
          ["arguments.paths", "too_small"],
          ["arguments.size", "too_small"],
        ],
        "strict",
      ),
    );
    const logged = await server.event("tool.request_invalid");
    expect(logged.request_id).toBe((await server.event("tool.request_received")).request_id);
    expect(logged.data?.states).toEqual(["req:received", "req:validating", "req:invalid_request"]);
    expect(logged.data?.validation_errors).toHaveLength(7);
  });

  it("J-15 X-27 an unknown tool, a missing name and arguments that are no object are -32602", async () => {
    const server = start();
    expect((await server.call("nope")).error).toEqual(invalid("tools/call", [["name", "invalid_value"]], "nope"));
    expect((await server.ask("tools/call", {})).error).toEqual(invalid("tools/call", [["name", "invalid_type"]]));
    expect((await server.ask("tools/call")).error).toEqual(invalid("tools/call", [["", "invalid_type"]]));
    expect((await server.ask("tools/call", { name: "echo", arguments: [] })).error).toEqual(
      invalid("tools/call", [["arguments", "invalid_type"]], "echo"),
    );
    expect((await server.ask("tools/call", { name: "echo" })).error).toEqual(
      invalid("tools/call", [["arguments.text", "invalid_type"]], "echo"),
    );
  });

  it("X-27 a profile may answer both with an isError result instead", async () => {
    const server = start({ FIXTURE_DIALECT: "error_result" });
    expect((await server.call("nope")).result).toEqual({
      content: [{ type: "text", text: "Unknown tool: nope" }],
      isError: true,
    });
    const bad = await server.call("echo", {});
    expect(bad.result?.isError).toBe(true);
    expect(JSON.stringify(bad.result)).toContain("arguments.text (invalid_type)");
  });
});

describe("tools", () => {
  it("J-16 a tool error is a result; X-02 an unlisted tool is answered", async () => {
    const server = start();
    expect((await server.call("fail")).result).toEqual({
      content: [{ type: "text", text: "it went wrong" }],
      structuredContent: { tool: "fail" },
      isError: true,
    });
    expect((await server.call("hidden")).result?.content).toEqual([{ type: "text", text: "found me" }]);
  });

  it("J-18 a throw is -32603 with the request id; the stack is in the event alone", async () => {
    const server = start();
    const { error } = await server.call("throw");
    const logged = await server.event("tool.internal_error");
    expect(error).toEqual({
      code: -32603,
      message: "internal error",
      data: { jeeves: { schemaVersion: 1 }, request_id: logged.request_id },
    });
    expect(logged.data?.stack).toContain("a secret detail");
    expect(logged.data).toMatchObject({ tool: "throw" });
    expect((await server.call("echo", { text: "alive" })).error).toBeUndefined();
  });

  it("J-18 uncaught errors are logged, and the server lives on", async () => {
    const server = start();
    await server.call("stray");
    const stacks = () =>
      server.events.filter(({ event }) => event === "tool.internal_error").map(({ data }) => `${data?.stack}`);
    await server.until(() => stacks().length === 2);
    expect(stacks().join()).toMatch(/rejected astray.*thrown astray/s);
    expect((await server.call("echo", { text: "alive" })).error).toBeUndefined();
  });

  it("J-79 a step that the table does not know is an internal error", async () => {
    const server = start();
    expect((await server.call("illegal")).error?.code).toBe(-32603);
    expect((await server.event("tool.internal_error")).data?.states).toEqual([
      "req:received",
      "req:validating",
      "req:executing_tool",
      "req:internal_error",
    ]);
  });

  it.each([
    ["echo", { text: "x" }, "raw", ["raw_output_ready", "prune_check", "respond_raw", "responded"]],
    [
      "prune",
      { works: true },
      "pruned",
      ["raw_output_ready", "prune_check", "calling_pruner", "respond_pruned", "responded"],
    ],
    [
      "prune",
      { works: false },
      "raw",
      ["raw_output_ready", "prune_check", "calling_pruner", "pruner_error_fallback", "respond_raw", "responded"],
    ],
    ["fail", {}, "raw", ["tool_error"]],
  ])("J-76 J-79 %s %j is logged with its mode and its path", async (name, args, mode, rest) => {
    const server = start();
    await server.call(name, args);
    const logged = await server.event("tool.respond_ok");
    const states = ["received", "validating", "executing_tool", ...rest].map((state) => `req:${state}`);
    expect(logged.data).toEqual({ tool: name, mode, states });
    expect(logged.request_id).toBe((await server.event("tool.request_received")).request_id);
  });

  it("J-76 a result that cannot be written down is logged, answered, and closes the connection", async () => {
    const server = start();
    expect((await server.call("cycle")).error?.code).toBe(-32603);
    expect((await server.event("tool.respond_failed")).data?.tool).toBe("cycle");
    expect(await server.exit()).toEqual({ code: 0, signal: null });
  });
});

describe("hostile input", () => {
  it("J-17 garbage, batches and wrong envelopes are answered with their code, and the next request works", async () => {
    const server = start();
    const cases: [string | Buffer, number, string | number | null][] = [
      ["garbage", -32700, null],
      ['{"jsonrpc":"2.0","id":1', -32700, null],
      ["\u0000\u0001", -32700, null],
      [Buffer.from('{"jsonrpc":"2.0","id":1,"method":"p\xefng"}', "latin1"), -32700, null],
      ["[".repeat(1_000_000), -32700, null],
      ["[]", -32600, null],
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
      ["null", -32600, null],
      ["7", -32600, null],
      ["{}", -32600, null],
      ['{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, "a"],
      ['{"id":"b","method":"ping"}', -32600, "b"],
      ['{"jsonrpc":"2.0","id":"c","method":5}', -32600, "c"],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
      ['{"jsonrpc":"2.0","id":1e400,"method":"ping"}', -32600, null],
    ];
    for (const [index, [line, code, id]] of cases.entries()) {
      server.send(line, "\n");
      await server.ask("ping", {}, `after ${index}`);
      const answer = server.answers.at(-2);
      expect([line, answer?.error?.code, answer?.id]).toEqual([line, code, id]);
    }
    const logged = await server.event("tool.request_parse_failed");
    expect(logged.request_id).toBeDefined();
    expect(logged.data?.states).toEqual(["req:received", "req:invalid_request"]);
    expect(server.answers).toHaveLength(cases.length * 2);
  });

  it("J-10 a refused envelope says why", async () => {
    const server = start();
    server.send("[]\n", "7\n", '{"id":1,"method":"ping"}\n');
    await server.until(() => server.answers.length === 3);
    expect(server.answers.map((answer) => answer.error?.data?.reason)).toEqual([
      "batches are not supported",
      "a message is an object",
      'jsonrpc must be "2.0"',
    ]);
  });

  it("J-10 blank lines, CRLF, a byte order mark, responses and notifications are no requests", async () => {
    const server = start();
    server.send("\n\r\n   \n", '\ufeff{"jsonrpc":"2.0","id":"bom","method":"ping"}\r\n');
    server.send({ jsonrpc: "2.0", id: 5, result: {} }, { jsonrpc: "2.0", id: 5, error: { code: 1, message: "" } });
    server.send(
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "tools/call", params: {} },
    );
    server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: {} } });
    await server.ask("ping", undefined, "last");
    expect(server.answers.map((answer) => answer.id)).toEqual(["bom", "last"]);
  });

  it("J-10 ids come back as they were: empty, long, negative, fractional, huge, text that looks like a number", async () => {
    const server = start();
    for (const id of ["", "x".repeat(100_000), -1, 0, 1.5, 2 ** 53 - 1, "1", "\u{1f600}\n"]) {
      expect((await server.ask("ping", {}, id)).result).toEqual({});
    }
  });

  it("J-10 two requests with one id are both answered", async () => {
    const server = start();
    const twice = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wait", arguments: { ms: 1 } } };
    server.send(twice, twice);
    await server.until(() => server.answers.length === 2);
    expect(server.answers.map((answer) => answer.id)).toEqual([1, 1]);
  });

  it("a line of 20 MB is a line", async () => {
    const server = start();
    const text = "ü".repeat(10 * 1024 * 1024);
    const answer = await server.call("echo", { text });
    expect(answer.result?.structuredContent).toEqual({ tool: "echo", length: text.length });
    expect(answer.result?.content).toEqual([{ type: "text", text }]);
  });

  it("a line past the bound is refused, and the stream goes on after it", async () => {
    const server = start({ FIXTURE_MAX_LINE: "1000" });
    server.send("x".repeat(5_000), "y".repeat(5_000), "\n");
    expect((await server.ask("ping")).result).toEqual({});
    expect(server.answers[0]).toMatchObject({ id: null, error: { code: -32600, message: "Invalid Request" } });
    expect(server.answers).toHaveLength(2);
  });

  it("arguments may be nested as deeply as a line is long", async () => {
    const server = start();
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const params = `{"name":"echo","arguments":{"text":"hi","deep":${deep}}}`;
    server.send(`{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":${params}}\n`);
    expect((await server.answer(({ id }) => id === "deep")).result?.content).toEqual([{ type: "text", text: "hi" }]);
  });

  it("200 calls at once are all answered, with their own answer", async () => {
    const server = start();
    const all = Array.from({ length: 200 }, (_, n) => server.call("echo", { text: `call ${n}` }));
    const texts = (await Promise.all(all)).map((answer) => answer.result?.content);
    expect(texts).toEqual(Array.from({ length: 200 }, (_, n) => [{ type: "text", text: `call ${n}` }]));
  });

  it("a client that reads nothing for a while gets everything in the end", async () => {
    const server = start();
    server.child.stdout.pause();
    const all = Array.from({ length: 40 }, () => server.call("echo", { text: "0123456789", times: 50_000 }));
    await server.event("tool.request_received");
    server.child.stdout.resume();
    for (const answer of await Promise.all(all))
      expect(answer.result?.structuredContent).toMatchObject({ length: 500_000 });
  });
});

function invalid(method: string, issues: readonly (readonly [string, string])[], tool?: string) {
  return {
    code: -32602,
    message: "Invalid params",
    data: {
      jeeves: { schemaVersion: 1 },
      method,
      ...(tool === undefined ? {} : { tool }),
      issues: issues.map(([path, code]) => ({ path, code, message: code })),
    },
  };
}
