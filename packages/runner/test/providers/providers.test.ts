// The three providers under one suite, Claude by its SDK and by its own program; what is Codex' or Claude's alone stands in their own files.
import { join } from "node:path";
import { createClaudeProvider } from "../../src/providers/claudeAgentSdk.ts";
import { createCodexProvider } from "../../src/providers/codexSdk.ts";
import { createScriptedProvider, type Script } from "../../src/providers/scripted.ts";
import { installFakeClaudeSdk, installFakeCodex } from "../scratch.ts";
import { claudeProgram } from "./claude-program-under-test.ts";
import { describeProvider, type Prompt } from "./contract.ts";

const codexUnderTest = {
  name: "codex",
  create: async (_prompt: Prompt, dir: string) => ({
    provider: createCodexProvider(),
    env: { PATH: `${await installFakeCodex(dir)}:${process.env.PATH}` },
  }),
};

const claudeUnderTest = {
  name: "claude",
  async create(_prompt: Prompt, dir: string) {
    await installFakeClaudeSdk(join(dir, "project"));
    return { provider: createClaudeProvider(), env: { PATH: process.env.PATH } };
  },
};

const call = (id: string): Script["steps"] => [
  { event: { kind: "tool_call", id, tool: "mcp:pruner/read", input: { file_path: "a.ts" } } },
  {
    event: {
      kind: "tool_result",
      id,
      tool: "mcp:pruner/read",
      isError: false,
      text: "kept lines",
      sizes: { rawBytes: 9000, keptBytes: 900, recoveredBytes: 0 },
    },
  },
];
const usage = { inputTokens: 500, cachedInputTokens: 100, outputTokens: 50 };
const HOLD = "process.on('SIGTERM', () => {}); setInterval(() => {}, 60000)";
const SCRIPTS: Partial<Record<Prompt, Script["steps"]>> = {
  answer: [...call("1"), { event: { kind: "usage", usage } }, { say: "The answer." }],
  calls: [1, 2, 3, 4, 5].flatMap((id) => [
    { run: ["true"] },
    { event: { kind: "notice", code: "agent_warning", message: `${id}` } },
  ]),
  fail: [{ fail: "the model said no" }],
  hold: [{ run: [process.execPath, "-e", HOLD] }, { hold: true }],
};

describeProvider(codexUnderTest);
describeProvider(claudeUnderTest);
describeProvider(claudeProgram);
describeProvider({
  name: "scripted",
  create: async (prompt) => ({
    provider: createScriptedProvider({ steps: SCRIPTS[prompt] ?? [] }),
    env: { PATH: process.env.PATH },
  }),
});
