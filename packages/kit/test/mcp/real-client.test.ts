// The official client against the fixture server, over real pipes: what a client that we did not write makes of us.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuiltServer, buildFixtureServer } from "../fixture-server.ts";

let built: BuiltServer;
beforeAll(async () => {
  built = await buildFixtureServer();
});
afterAll(() => built.remove());

type Options = NonNullable<ConstructorParameters<typeof Client>[1]>;

async function connect(name: string, options: Options = {}) {
  const client = new Client({ name, version: "9.9" }, options);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [built.file], stderr: "ignore" }));
  return client;
}

describe("the official client", () => {
  it.each([
    ["legacy", {}],
    ["auto", { versionNegotiation: { mode: "auto" } }],
  ] satisfies [string, Options][])("X-04 a client in %s mode connects, lists and calls", async (_mode, options) => {
    const client = await connect("somebody", options);
    try {
      expect(client.getServerVersion()).toMatchObject({ name: "@jeeves/fixture", version: "1.2.3" });
      expect(client.getInstructions()).toBe("be brief");
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual([
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
      expect(tools[0]).toMatchObject({ annotations: { readOnlyHint: true }, _meta: { "example/size": 1 } });
      const result = await client.callTool({ name: "echo", arguments: { text: "ab", times: 2 } });
      expect(result.content).toEqual([{ type: "text", text: "abab" }]);
      expect(result.structuredContent).toEqual({ tool: "echo", length: 4 });
    } finally {
      await client.close();
    }
  });

  it("J-19 bad arguments reach it as a protocol error with our data", async () => {
    const client = await connect("somebody");
    try {
      await expect(client.callTool({ name: "echo", arguments: {} })).rejects.toMatchObject({
        code: -32602,
        data: {
          jeeves: { schemaVersion: 1 },
          tool: "echo",
          issues: [{ path: "arguments.text", code: "invalid_type" }],
        },
      });
    } finally {
      await client.close();
    }
  });

  it("X-18 a client that shows the JSON to its model gets text, and the rest under _meta", async () => {
    const client = await connect("claude-code");
    try {
      const result = await client.callTool({ name: "who", arguments: {} });
      expect(result.structuredContent).toBeUndefined();
      expect(result._meta).toEqual({ "jeeves/result": { tool: "who" } });
      expect(result.content).toEqual([
        {
          type: "text",
          text: JSON.stringify({ client: { name: "claude-code", version: "9.9" }, maxResultChars: 45_000 }),
        },
        { type: "text", text: "second" },
      ]);
    } finally {
      await client.close();
    }
  });

  it("J-82 cancelling a call ends it, and the connection goes on", async () => {
    const client = await connect("somebody");
    try {
      const stop = new AbortController();
      const slow = client.callTool(
        { name: "wait", arguments: { ms: 60_000 } },
        { signal: stop.signal, onprogress: () => stop.abort() },
      );
      await expect(slow).rejects.toThrow();
      const after = await client.callTool({ name: "echo", arguments: { text: "on" } });
      expect(after.content).toEqual([{ type: "text", text: "on" }]);
    } finally {
      await client.close();
    }
  });
});
