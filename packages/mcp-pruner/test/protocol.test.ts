// The wire: initialize, tools/list, tools/call and the deterministic -32602, through the built bin on real stdio.

import { readFileSync } from "node:fs";
import { VERSION } from "@jeeves/base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectClient, type Server, serverEnv, startServer, type Wire } from "./server-under-test.ts";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
let server: Server;
beforeAll(async () => {
  server = await startServer({ initialize: false });
});
afterAll(() => server.stop());

const invalid = async (name: string, args: unknown): Promise<Wire> =>
  (await server.request("tools/call", { name, arguments: args })).error;

describe("the package", () => {
  it("J-01 J-02 is a workspace package whose bin is its built index", () => {
    expect(manifest.name).toBe("@jeeves/mcp-pruner");
    expect(manifest.bin["mcp-pruner"]).toBe("./dist/index.js");
    const root = JSON.parse(readFileSync(new URL("../../../tsconfig.json", import.meta.url), "utf8"));
    expect(root.references).toContainEqual({ path: "packages/mcp-pruner" });
    for (const file of ["index.ts", "pruner.ts", "tools/read.ts", "tools/bash.ts", "tools/grep.ts"]) {
      expect(readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8")).not.toBe("");
    }
  });

  it("J-93 CLAUDE.md and the README list every variable and a minimal call", () => {
    const variables = [
      "PRUNER_URL",
      "PRUNER_TIMEOUT_MS",
      "MCP_PRUNER_CWD",
      "PRUNER_ENGINE",
      "MCP_PRUNER_TOOLS",
      "MCP_PRUNER_DENY",
    ];
    for (const file of ["../CLAUDE.md", "../README.md"]) {
      const text = readFileSync(new URL(file, import.meta.url), "utf8");
      for (const variable of variables) expect(text).toContain(variable);
    }
    const docs = readFileSync(new URL("../CLAUDE.md", import.meta.url), "utf8");
    expect(docs).toContain('"method": "tools/call"');
    expect(docs).toContain("file_path");
    expect(docs).toContain("context_focus_question");
  });
});

describe("before initialize", () => {
  it("X-04 an unknown method is -32601 and the server lives on", async () => {
    expect((await server.request("server/discover", {})).error.code).toBe(-32601);
    expect((await server.request("ping")).result).toEqual({});
  });

  it("X-04 J-11 initialize without protocolVersion is -32602", async () => {
    const { error } = await server.request("initialize", { clientInfo: { name: "x" } });
    expect(error).toEqual({
      code: -32602,
      message: "Invalid params",
      data: {
        jeeves: { schemaVersion: 1 },
        method: "initialize",
        issues: [{ path: "protocolVersion", code: "invalid_type", message: "invalid_type" }],
      },
    });
  });

  it("J-10 J-11 J-12 X-04 initialize needs no clientInfo and answers with the schema version", async () => {
    const message = await server.request("initialize", { protocolVersion: "2025-06-18" });
    expect(message.jsonrpc).toBe("2.0");
    expect(message.result).toMatchObject({
      protocolVersion: "2025-06-18",
      serverInfo: { name: "@jeeves/mcp-pruner", version: VERSION },
      capabilities: { tools: { listChanged: false } },
      jeeves: { schemaVersion: 1 },
    });
  });
});

describe("methods", () => {
  it("J-14 X-02 tools/list names read, bash, grep, recover_text, in this order", async () => {
    const { result } = await server.request("tools/list");
    expect(result.tools.map((tool: Wire) => tool.name)).toEqual(["read", "bash", "grep", "recover_text"]);
    for (const tool of result.tools) {
      expect(tool.description).not.toBe("");
      expect(tool.inputSchema.type).toBe("object");
      expect(tool).not.toHaveProperty("outputSchema");
    }
    expect((await server.request("tools/list", {})).result).toEqual(result);
  });

  it("J-07 the three tools take a context_focus_question", async () => {
    const { result } = await server.request("tools/list");
    const takers = result.tools.filter((tool: Wire) => "context_focus_question" in tool.inputSchema.properties);
    expect(takers.map((tool: Wire) => tool.name)).toEqual(["read", "bash", "grep"]);
  });

  it("J-14 tools/list with invalid params is -32602", async () => {
    const { error } = await server.request("tools/list", "all");
    expect(error).toMatchObject({ code: -32602, message: "Invalid params", data: { method: "tools/list" } });
  });

  it("J-16 an unknown method is -32601", async () => {
    expect((await server.request("tools/destroy", {})).error.code).toBe(-32601);
  });

  it("X-27 an unknown tool is -32602", async () => {
    expect(await invalid("write", {})).toMatchObject({
      code: -32602,
      data: { tool: "write", issues: [{ path: "name" }] },
    });
  });

  it("J-17 a line that is no JSON is -32700 with id null, and an event", async () => {
    server.write("{this is not json\n");
    const line = await server.waitForLine((text) => text.includes("-32700"));
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32700 } });
    expect(await server.waitForEvent("tool.request_parse_failed")).toHaveProperty("request_id");
  });

  it("J-15 J-16 a tool failure is a result with isError, not a JSON-RPC error", async () => {
    const message = await server.request("tools/call", { name: "read", arguments: { file_path: "absent.txt" } });
    expect(message.error).toBeUndefined();
    expect(message.result).toMatchObject({ isError: true, content: [{ type: "text" }] });
  });
});

describe("invalid params", () => {
  it("J-19 J-20 J-21 J-23 the error is exactly this", async () => {
    expect(await invalid("read", {})).toEqual({
      code: -32602,
      message: "Invalid params",
      data: {
        jeeves: { schemaVersion: 1 },
        method: "tools/call",
        tool: "read",
        issues: [{ path: "arguments.file_path", code: "invalid_type", message: "invalid_type" }],
      },
    });
  });

  it("J-20 without a name there is no tool in the data", async () => {
    const { error } = await server.request("tools/call", { arguments: {} });
    expect(error.data).not.toHaveProperty("tool");
    expect(error.data.issues).toEqual([{ path: "name", code: "invalid_type", message: "invalid_type" }]);
  });

  it("J-21 the root's path is empty", async () => {
    const { error } = await server.request("tools/call", []);
    expect(error.data.issues[0]).toMatchObject({ path: "" });
  });

  it("J-22 issues are sorted by path, then code", async () => {
    const error = await invalid("grep", { pattern: "", timeout_ms: 1.5, max_matches: "x", case_sensitive: 1 });
    const keys = error.data.issues.map((issue: Wire) => `${issue.path} ${issue.code}`);
    expect(keys).toEqual([...keys].sort());
    expect(new Set(keys.map((key: string) => key.split(" ")[0]))).toEqual(
      new Set(["arguments.case_sensitive", "arguments.max_matches", "arguments.pattern", "arguments.timeout_ms"]),
    );
  });

  const long = (length: number) => "x".repeat(length);
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`V${index}`, "x"]));
  it.each([
    ["J-25", "read", { file_path: "a", context_focus_question: "  " }, "arguments.context_focus_question", "too_small"],
    [
      "J-25",
      "read",
      { file_path: "a", context_focus_question: long(1001) },
      "arguments.context_focus_question",
      "too_big",
    ],
    ["J-26", "read", { file_path: "a", max_output_bytes: 1023 }, "arguments.max_output_bytes", "too_small"],
    ["J-26", "bash", { command: "a", max_output_bytes: 10_485_761 }, "arguments.max_output_bytes", "too_big"],
    ["J-26", "grep", { pattern: "a", max_output_bytes: 2048.5 }, "arguments.max_output_bytes", "invalid_type"],
    ["J-27", "read", { file_path: "" }, "arguments.file_path", "too_small"],
    ["J-27", "read", { file_path: 7 }, "arguments.file_path", "invalid_type"],
    ["J-27 X-05", "read", { file_path: "a\0b" }, "arguments.file_path", "custom"],
    ["J-27 X-05", "read", { file_path: "../a" }, "arguments.file_path", "custom"],
    ["J-27 X-05", "read", { file_path: "/etc/passwd" }, "arguments.file_path", "custom"],
    ["J-27 X-05", "read", { file_path: "a/".repeat(100_000) }, "arguments.file_path", "too_big"],
    ["J-28", "read", { file_path: "a", encoding: "latin1" }, "arguments.encoding", "invalid_value"],
    ["X-02", "read", { file_path: "a", start_line: 0 }, "arguments.start_line", "too_small"],
    ["X-02", "read", { file_path: "a", start_line: 9, end_line: 3 }, "arguments.end_line", "custom"],
    ["J-31", "bash", { command: "" }, "arguments.command", "too_small"],
    ["J-31", "bash", { command: long(50_001) }, "arguments.command", "too_big"],
    ["X-05", "bash", { command: "echo \0" }, "arguments.command", "custom"],
    ["J-32 X-05", "bash", { command: "ls", cwd: "../.." }, "arguments.cwd", "custom"],
    ["J-32 X-05", "bash", { command: "ls", cwd: long(4097) }, "arguments.cwd", "too_big"],
    ["J-33", "bash", { command: "ls", env: { lower: "x" } }, "arguments.env.lower", "invalid_key"],
    ["J-33", "bash", { command: "ls", env: { LONG: long(4001) } }, "arguments.env.LONG", "too_big"],
    ["J-33 X-05", "bash", { command: "ls", env: { NUL: "\0" } }, "arguments.env.NUL", "custom"],
    ["J-33", "bash", { command: "ls", env: many }, "arguments.env", "custom"],
    ["J-34", "bash", { command: "ls", timeout_ms: 99 }, "arguments.timeout_ms", "too_small"],
    ["J-34", "bash", { command: "ls", timeout_ms: 300_001 }, "arguments.timeout_ms", "too_big"],
    ["J-38", "grep", { pattern: long(10_001) }, "arguments.pattern", "too_big"],
    ["X-05", "grep", { pattern: "a\0" }, "arguments.pattern", "custom"],
    ["J-39", "grep", { pattern: "a", paths: [] }, "arguments.paths", "too_small"],
    ["J-39", "grep", { pattern: "a", paths: Array(101).fill("a") }, "arguments.paths", "too_big"],
    ["J-39 X-05", "grep", { pattern: "a", path: "a", paths: ["b"] }, "arguments.paths", "custom"],
    ["J-39 X-05", "grep", { pattern: "a", paths: ["ok", "../no"] }, "arguments.paths.1", "custom"],
    ["J-39 X-05", "grep", { pattern: "a", paths: ["ok", long(4097)] }, "arguments.paths.1", "too_big"],
    ["J-40", "grep", { pattern: "a", cwd: "/" }, "arguments.cwd", "custom"],
    ["J-41", "grep", { pattern: "a", fixed_string: "yes" }, "arguments.fixed_string", "invalid_type"],
    ["J-42", "grep", { pattern: "a", max_matches: 0 }, "arguments.max_matches", "too_small"],
    ["J-42", "grep", { pattern: "a", max_matches: 5001 }, "arguments.max_matches", "too_big"],
    ["X-02", "grep", { pattern: "a", context_lines: 21 }, "arguments.context_lines", "too_big"],
    ["X-02", "recover_text", {}, "arguments.prune_id", "invalid_type"],
    ["X-02", "recover_text", { prune_id: long(1001) }, "arguments.prune_id", "too_big"],
    [
      "X-02",
      "recover_text",
      { prune_id: "prn_x", ranges: [{ start_line: 1 }] },
      "arguments.ranges.0.end_line",
      "invalid_type",
    ],
  ])("%s X-16 %s %j → %s %s", async (_id, tool, args, path, code) => {
    const error = await invalid(tool, args);
    expect(error).toMatchObject({ code: -32602, message: "Invalid params" });
    expect(error.data.issues).toContainEqual({ path, code, message: code });
  });

  const manyWrong = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`v${index}`, 0]));
  it.each([
    ["J-33", "bash", "env", { command: "ls", env: manyWrong }, "custom"],
    ["J-39", "grep", "paths", { pattern: "a", paths: Array(101).fill(0) }, "too_big"],
    ["X-02", "recover_text", "ranges", { prune_id: "prn_x", ranges: Array(10_001).fill(0) }, "too_big"],
  ])("%s J-22 %s: too many %s are one issue, however wrong each is", async (_id, tool, name, args, code) => {
    const error = await invalid(tool, args);
    expect(error.data.issues).toEqual([{ path: `arguments.${name}`, code, message: code }]);
  });

  it("X-05 unknown argument names are ignored", async () => {
    const result = await server.call("bash", { command: "echo hi", shell: "zsh" });
    expect(result.structuredContent.stdout).toBe("hi\n");
  });

  it("J-24 nothing runs when the arguments are wrong", async () => {
    const before = server.events.length;
    await invalid("bash", { command: "touch ran", timeout_ms: 1 });
    const names = () => server.events.slice(before).map((event) => event.event);
    await expect.poll(names, { timeout: 30_000 }).toContain("tool.request_invalid");
    expect(names()).not.toContain("tool.exec_start");
    expect((await server.call("read", { file_path: "ran" })).structuredContent.error.code).toBe("not_found");
  });
});

describe("the real MCP client", () => {
  it("J-05 J-13 connects over stdio, lists and calls", async () => {
    const client = await connectClient(serverEnv(server.root, server.stateDir));
    try {
      expect(client.getServerVersion()?.name).toBe("@jeeves/mcp-pruner");
      expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual([
        "read",
        "bash",
        "grep",
        "recover_text",
      ]);
      const result: Wire = await client.callTool({ name: "bash", arguments: { command: "printf real" } });
      expect(result.content).toEqual([{ type: "text", text: "real" }]);
      await expect(client.callTool({ name: "read", arguments: {} })).rejects.toMatchObject({ code: -32602 });
    } finally {
      await client.close();
    }
  });
});
