import { join } from "node:path";
import { claudeOnPath } from "./claude-code.ts";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import { offlineClaude } from "./offline-settings.ts";
import { describeRunner, type RunnableAgent } from "./runner-suite.ts";

const CLAUDE: RunnableAgent = {
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
};

describeRunner({ ...CLAUDE, by: "the SDK" });
describeRunner({
  ...CLAUDE,
  by: "its own program",
  prepare: async (home, origin) => ({
    ...(await CLAUDE.prepare(home, origin)),
    PATH: await claudeOnPath(home),
  }),
});
