// The provider claude with the stand-in for Claude Code's own program on the PATH, and no SDK.
import { dirname, join } from "node:path";
import { createClaudeProvider } from "../../src/providers/claudeAgentSdk.ts";
import { installFakeClaude } from "../scratch.ts";
import type { ProviderUnderTest } from "./contract.ts";

export const claudeProgram: ProviderUnderTest = {
  name: "claude by its own program",
  async create(_prompt, dir) {
    await installFakeClaude(join(dir, "bin"));
    const PATH = `${join(dir, "bin")}:${dirname(process.execPath)}:/usr/bin:/bin`;
    return { provider: createClaudeProvider(), env: { PATH, FAKE_AGENT_RECORD: join(dir, "record.json") } };
  },
};
