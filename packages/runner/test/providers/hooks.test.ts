// How each provider ties the hooks of a run in. That the real agents obey is in test/clients/runner-hooks.test.ts.
import { describe, expect, it } from "vitest";
import type { RunHooks } from "../../src/provider.ts";
import { createClaudeReader } from "../../src/providers/claude-messages.ts";
import { toClaudeOptions } from "../../src/providers/claude-options.ts";
import { toCodexArguments } from "../../src/providers/codex-arguments.ts";

const signal = new AbortController().signal;
const hooks: RunHooks = {
  execPath: "/opt/jeeves exec",
  server: "pruner",
  answer: async (event) => ({ asked: event.tool_name }),
  sizesOf: (id) => (id === "call_1" ? { rawBytes: 100, keptBytes: 10, recoveredBytes: 0 } : undefined),
};

describe("Claude", () => {
  it("is given callbacks for reads and edits, and the program that its commands run under", async () => {
    const { env, hooks: given } = toClaudeOptions({ cwd: "/p", env: { HOME: "/h" }, signal, hooks });
    expect(env).toMatchObject({ HOME: "/h", CLAUDE_CODE_SHELL_PREFIX: "/opt/jeeves exec", JEEVES_HOOKS: "runner" });
    expect(given?.PreToolUse[0]?.matcher).toBe("Read|Grep|Glob|Edit|MultiEdit|Write|NotebookEdit");
    expect(given?.PostToolUse[0]?.matcher).toBe("Read|Grep|Glob|WebFetch|Agent|Task|mcp__.*");
    const [callback] = given?.PostToolUse[0]?.hooks ?? [];
    expect(await callback?.({ tool_name: "Read" }, "call_1", { signal })).toEqual({ asked: "Read" });
  });

  it("keeps a wrapper of its user's own, and gets neither callbacks nor variables without hooks", () => {
    const own = { CLAUDE_CODE_SHELL_PREFIX: "/mine" };
    expect(toClaudeOptions({ cwd: "/p", env: own, signal, hooks }).env).toMatchObject(own);
    expect(toClaudeOptions({ cwd: "/p", env: {}, signal })).toMatchObject({ env: {} });
    expect(toClaudeOptions({ cwd: "/p", env: {}, signal })).not.toHaveProperty("hooks");
  });

  it("a result that a hook has cut says from what to what", () => {
    const reader = createClaudeReader(hooks);
    const content = [{ type: "tool_use", id: "call_1", name: "Read", input: {} }];
    reader.read({ type: "assistant", message: { id: "m", content } });
    const result = { type: "tool_result", tool_use_id: "call_1", content: "short" };
    expect(reader.read({ type: "user", message: { content: [result] }, tool_use_result: {} }).events).toMatchObject([
      { kind: "tool_result", tool: "Read", sizes: { rawBytes: 100, keptBytes: 10 } },
    ]);
  });
});

describe("Codex", () => {
  const words = toCodexArguments({ cwd: "/p", env: { CODEX_HOME: "/c" }, hooks });
  const settings = words.flatMap((word, index) => (words[index - 1] === "--config" ? [word] : []));

  it("is given both hooks on the command line, answered by the run's own server", () => {
    expect(settings).toHaveLength(3);
    expect(settings[0]).toMatch(/^hooks\.PreToolUse=\[\{"matcher"="Bash\|apply_patch",/);
    expect(settings[1]).toMatch(/^hooks\.PostToolUse=\[\{"matcher"="mcp__\.\*",/);
    expect(settings[0]).toContain('"server"="pruner"');
    expect(settings[0]).toContain('"exec_path"="/opt/jeeves exec"');
    expect(settings[0]).toContain('"rules_dir"="/c/rules"');
    // Codex leaves out a hook that names what its moment does not have.
    expect(settings[0]).not.toContain("tool_response");
  });

  it("trusts exactly these two, for this run alone, and never asks for the trust of all", () => {
    expect(words).not.toContain("--dangerously-bypass-hook-trust");
    const keys = [...(settings[2] ?? "").matchAll(/"([^"]+)"=\{"trusted_hash"="sha256:[0-9a-f]{64}"\}/g)];
    expect(keys.map(([, key]) => key)).toEqual([
      "/<session-flags>/config.toml:pre_tool_use:0:0",
      "/<session-flags>/config.toml:post_tool_use:0:0",
    ]);
    const other = toCodexArguments({ cwd: "/p", env: { CODEX_HOME: "/other" }, hooks });
    expect(other.find((word) => word.startsWith("hooks.state="))).not.toBe(settings[2]);
  });

  it("gets none of it without hooks", () => {
    expect(toCodexArguments({ cwd: "/p", env: {} }).join(" ")).not.toContain("hooks.");
  });
});
