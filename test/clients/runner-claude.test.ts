import { join } from "node:path";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import { offlineClaude } from "./offline-settings.ts";
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
    ...offlineClaude(join(home, ".claude"), origin),
    // Claude waits half a minute for a server that hangs; a user may shorten that, and so do we.
    MCP_TIMEOUT: "3000",
  }),
});
