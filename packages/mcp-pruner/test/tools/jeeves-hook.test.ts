import { readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { type Server, startServer } from "../server-under-test.ts";
import { pythonModule } from "../texts.ts";

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});
async function start(env: Readonly<Record<string, string>> = {}) {
  const server = await startServer({ clientName: "claude-code", env });
  open.push(server);
  return server;
}

const text = pythonModule(160);
const lineCount = text.split("\n").length;
const event = {
  hook_event_name: "PostToolUse",
  tool_name: "mcp__other__fetch",
  tool_input: JSON.stringify({ query: "How long does the retry delay wait between two attempts?" }),
  tool_response: JSON.stringify([{ type: "text", text }]),
  session_id: "s1",
};

it("X-02 jeeves_hook is answered, and tools/list does not name it", async () => {
  const server = await start({ MCP_PRUNER_TOOLS: "recover_text" });
  const { result } = await server.request("tools/list");
  expect(result.tools.map((tool: { name: string }) => tool.name)).toEqual(["recover_text"]);
  expect((await server.call("jeeves_hook", event)).content).toHaveLength(1);
});

it("X-02 X-21 its text is the hook's answer, and what it cut comes back through recover_text", async () => {
  const server = await start();
  const { content, isError, structuredContent } = await server.call("jeeves_hook", event);
  expect(isError ?? false).toBe(false);
  expect(structuredContent).toBeUndefined();
  const { hookSpecificOutput } = JSON.parse(content[0].text);
  expect(hookSpecificOutput.hookEventName).toBe("PostToolUse");
  const shown: string = hookSpecificOutput.updatedToolOutput[0].text;
  expect(shown.split("\n").length).toBeLessThan(lineCount / 2);
  const [id] = /prn_[a-z2-7]{12}/.exec(shown) ?? [];
  const back = await server.call("recover_text", { prune_id: id, ranges: [{ start_line: 1, end_line: 40 }] });
  expect(back.content[0].text).toBe(text.split("\n").slice(0, 40).join("\n"));
});

it("X-20 X-21 without recover_text a cut names the stored file, and that holds the whole text", async () => {
  const server = await start({ MCP_PRUNER_TOOLS: "none" });
  const { content } = await server.call("jeeves_hook", event);
  const shown: string = JSON.parse(content[0].text).hookSpecificOutput.updatedToolOutput[0].text;
  expect(shown).not.toContain("recover_text");
  const [, file = ""] = /\[(?:weak match; )?rest: Read (\S+\/prn_[a-z2-7]{12}\.txt) by lines\]$/.exec(shown) ?? [];
  expect(readFileSync(file.replace(/^~/, server.stateDir), "utf8")).toBe(text);
});

it("an event of an unknown kind or shape is an empty answer, and is told once", async () => {
  const server = await start();
  for (const odd of [{}, { hook_event_name: "Later" }, { hook_event_name: "Later" }, { ...event, tool_input: "x" }]) {
    expect((await server.call("jeeves_hook", odd)).content).toEqual([{ type: "text", text: "{}" }]);
  }
  await server.waitForEvent("hook.unknown_shape");
  const told = server.events.filter(({ event: name }) => name === "hook.unknown_shape");
  expect(new Set(told.map(({ data }) => data?.what)).size).toBe(told.length);
});

it.each(["runner", "off"])(
  "JEEVES_HOOKS=%s: the hooks of the client's settings are not answered here",
  async (hooks) => {
    const server = await start({ JEEVES_HOOKS: hooks });
    expect((await server.call("jeeves_hook", event)).content).toEqual([{ type: "text", text: "{}" }]);
  },
);
