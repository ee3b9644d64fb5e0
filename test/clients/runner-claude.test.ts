import { join } from "node:path";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import { describeRunner } from "./runner-suite.ts";

describeRunner({
  provider: "claude",
  findTools: (tools) => [
    {
      call: { tool: "ToolSearch" },
      with: { query: `select:${tools.map((tool) => `mcp__pruner__${tool}`).join(",")}` },
    },
  ],
  startModel: startFakeAnthropic,
  prepare: async (home, origin) => ({
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_API_KEY: "x",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // Claude waits half a minute for a server that hangs; a user may shorten that, and so do we.
    MCP_TIMEOUT: "3000",
  }),
});
