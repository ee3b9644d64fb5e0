import { expect, it } from "vitest";
import { toClaudeOptions } from "../src/providers/claude-options.ts";
import { toCodexArguments } from "../src/providers/codex-arguments.ts";

const rudder = { command: "socat", args: ["-", "UNIX-CONNECT:/h/mcp.sock"], env: { RUDDER_AGENT: "agent-T042" } };
const pruner = { command: "node", args: ["/opt/pruner/index.js"] };
const options = {
  cwd: "/project",
  env: {},
  signal: new AbortController().signal,
  mcpServers: { pruner, rudder },
  mcpConfigFile: { path: "/h/agents/T042/mcp-config.json", servers: ["rudder"] },
};

it("R-32 RU-20 Claude is launched with --mcp-config pointing to the file, and with no server but those of this run", () => {
  expect(toClaudeOptions(options)).toMatchObject({
    mcpServers: { pruner },
    strictMcpConfig: true,
    extraArgs: { "mcp-config": "/h/agents/T042/mcp-config.json" },
    allowedTools: ["mcp__pruner", "mcp__rudder"],
  });
  expect(toClaudeOptions(options).mcpServers).not.toHaveProperty("rudder");
  const { mcpServers: _none, ...alone } = options;
  expect(toClaudeOptions(alone)).not.toHaveProperty("mcpServers");
});

it("R-32 Codex, which reads no such file, is told the same server in its own words", () => {
  const words = toCodexArguments(options);
  expect(words).toContain('mcp_servers.rudder.command="socat"');
  expect(words).toContain('mcp_servers.rudder.env.RUDDER_AGENT="agent-T042"');
  // Without it Codex leaves out a server that needs a second to start, and says nothing.
  expect(words.filter((word) => word.endsWith(".required=true"))).toEqual(["mcp_servers.rudder.required=true"]);
});

it("RU-20 inside a sandbox of the caller's Codex makes none of its own, and outside it always does", () => {
  const sandboxOf = (words: readonly string[]) => words[words.indexOf("--sandbox") + 1];
  expect(sandboxOf(toCodexArguments(options))).toBe("workspace-write");
  expect(sandboxOf(toCodexArguments({ ...options, isSandboxed: true }))).toBe("danger-full-access");
});
