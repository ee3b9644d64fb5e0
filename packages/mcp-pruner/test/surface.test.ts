// What every turn pays for. The figure is printed, and pinned from above.
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, it } from "vitest";
import { meterLinesIn, type Server, startServer, type Wire } from "./server-under-test.ts";

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

it("X-22 X-53 tools and instructions are at most 750 tokens (o200k)", async () => {
  const { tools } = (await server.request("tools/list")).result;
  const { instructions } = (await server.request("initialize", { protocolVersion: "2025-06-18" })).result;
  const tokens = encode(JSON.stringify(tools)).length + encode(instructions).length;
  console.log(`surface of mcp-pruner: ${tokens} tokens (o200k), limit 750`);
  expect(tokens).toBeLessThanOrEqual(750);
});

it("X-22 descriptions are short, begin with what one would search for, and fit every client", async () => {
  const { tools } = (await server.request("tools/list")).result;
  const words = tools.map((tool: Wire) =>
    tool.description
      .split(/[\s:]+/)
      .slice(0, 2)
      .join(" ")
      .toLowerCase(),
  );
  expect(words).toEqual(["read file", "run command", "search code", "recover lines"]);
  for (const tool of tools) expect(tool.description.length).toBeLessThan(2_048);
});

it("the tool list is what it was", async () => {
  expect((await server.request("tools/list")).result).toMatchSnapshot();
});

it("X-02 MCP_PRUNER_TOOLS offers a subset", async () => {
  const some = await startServer({ env: { MCP_PRUNER_TOOLS: "read, grep,recover_text" } });
  try {
    const { tools } = (await some.request("tools/list")).result;
    expect(tools.map((tool: Wire) => tool.name)).toEqual(["read", "grep", "recover_text"]);
    expect((await some.call("bash", { command: "echo no" })).error.code).toBe(-32602);
  } finally {
    await some.stop();
  }
});

it("X-56 MCP_PRUNER_TOOLS=none: no tool, no instructions, nothing counted as our surface; hooks are answered", async () => {
  const none = await startServer({ clientName: "claude-code", env: { MCP_PRUNER_TOOLS: "none" } });
  try {
    expect((await none.request("initialize", { protocolVersion: "2025-06-18" })).result).not.toHaveProperty(
      "instructions",
    );
    expect((await none.request("tools/list")).result.tools).toEqual([]);
    expect((await none.call("recover_text", { prune_id: "prn_abcdefghijkl" })).error.code).toBe(-32602);
    const event = { hook_event_name: "PreToolUse", tool_name: "Read", tool_input: {}, session_id: "s1" };
    expect((await none.call("jeeves_hook", event)).content).toEqual([{ type: "text", text: "{}" }]);
    const [surface] = meterLinesIn(none.stateDir);
    expect(surface).toMatchObject({ kind: "surface", raw_tokens: 0 });
  } finally {
    await none.stop();
  }
});

it("X-22 where nothing takes a question, none is asked for", async () => {
  const some = await startServer({ env: { MCP_PRUNER_TOOLS: "recover_text" } });
  try {
    const { instructions } = (await some.request("initialize", { protocolVersion: "2025-06-18" })).result;
    expect(instructions).not.toContain("context_focus_question");
    expect(instructions).toContain("recover_text");
  } finally {
    await some.stop();
  }
});
