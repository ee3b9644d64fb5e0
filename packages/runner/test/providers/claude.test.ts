import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findClaude } from "../../src/process/find-agent.ts";
import type { RunHooks } from "../../src/provider.ts";
import { toClaudeOptions } from "../../src/providers/claude-options.ts";
import { createClaudeProvider } from "../../src/providers/claudeAgentSdk.ts";
import { RunnerError } from "../../src/runner-error.ts";
import { installFakeClaude, installFakeClaudeSdk, makeTempDir } from "../scratch.ts";
import { claudeProgram } from "./claude-program-under-test.ts";
import { collect, lastOf, type Prompt } from "./contract.ts";

const under = {
  name: "claude",
  async create(_prompt: Prompt, dir: string) {
    await installFakeClaudeSdk(join(dir, "project"));
    return {
      provider: createClaudeProvider(),
      env: { PATH: process.env.PATH, FAKE_AGENT_RECORD: join(dir, "record.json") },
    };
  },
};
const signal = new AbortController().signal;
const pruner = { command: "node", args: ["/opt/pruner/index.js"], env: { PRUNER_URL: "" } };

describe("the options", () => {
  it("J-89 are exactly these, with the servers passed on as they were given", () => {
    const options = { cwd: "/project", env: { PATH: "/bin" }, signal, model: "m", maxTurns: 7, mcpServers: { pruner } };
    expect(toClaudeOptions(options)).toStrictEqual({
      cwd: "/project",
      env: { PATH: "/bin" },
      permissionMode: "acceptEdits",
      settingSources: ["user", "project", "local"],
      allowedTools: ["mcp__pruner"],
      model: "m",
      maxTurns: 7,
      mcpServers: { pruner },
    });
  });

  it("J-89 the key mcpServers is absent where no servers are given", () => {
    expect(toClaudeOptions({ cwd: "/project", env: {}, signal })).not.toHaveProperty("mcpServers");
  });

  it("J-89 the SDK that is installed gets them", async () => {
    const { cwd } = await collect(under, "answer", { mcpServers: { pruner } });
    const record = JSON.parse(await readFile(join(cwd, "..", "record.json"), "utf8"));
    expect(record.prompt).toBe("answer");
    expect(record.options).toMatchObject({ cwd, mcpServers: { pruner }, allowedTools: ["mcp__pruner"] });
  });
});

describe("the stream", () => {
  it("J-80 a server that failed is told, one that is pending is not", async () => {
    const { events } = await collect(under, "answer");
    expect(events.filter((event) => event.kind === "server")).toEqual([
      { kind: "server", name: "pruner", status: "failed" },
      { kind: "server", name: "other", status: "connected" },
    ]);
  });

  it("J-92 the price is in the last usage, and Claude's own tools keep their names", async () => {
    const { events } = await collect(under, "native");
    expect(events.findLast((event) => event.kind === "usage")?.costUsd).toBe(0.0125);
    expect(events.find((event) => event.kind === "tool_result")).toMatchObject({ tool: "Bash", isError: false });
    expect(events.find((event) => event.kind === "tool_result")).not.toHaveProperty("sizes");
  });

  it("J-92 a model that does not answer is told each time that Claude tries again", async () => {
    const { events } = await collect(under, "retry");
    expect(events.flatMap((event) => (event.kind === "notice" ? [event.message] : []))).toEqual([
      "the model gave no answer (401 no_key): retry 1 of 10",
      "the model gave no answer (no connection): retry 2 of 10",
    ]);
  });

  it("J-92 messages that it does not know are passed over", async () => {
    const { events } = await collect(under, "garbage");
    expect(lastOf(events)).toMatchObject({ status: "completed", text: "The answer." });
  });

  it("J-80 a process that dies is an end with the last words of stderr", async () => {
    const { events } = await collect(under, "die");
    expect(lastOf(events)).toMatchObject({
      status: "failed",
      message: "Claude Code process exited with code 9: out of luck",
    });
  });
});

describe("the SDK", () => {
  async function errorFrom(cwd: string): Promise<unknown> {
    const events = createClaudeProvider().run("answer", { cwd, signal, env: {} })[Symbol.asyncIterator]();
    return events.next().catch((reason: unknown) => reason);
  }

  it("J-89 where it is missing, the error has the line that installs it", async () => {
    const error = await errorFrom(await makeTempDir());
    expect(error).toBeInstanceOf(RunnerError);
    expect(error).toMatchObject({
      code: "agent_missing",
      message: "Claude Code is not installed: there is no claude on the PATH",
      hint: "npm install --global @anthropic-ai/claude-code",
    });
  });

  it("J-89 one that cannot be used is named with its place", async () => {
    const cwd = await makeTempDir();
    const dir = join(cwd, "node_modules", "@anthropic-ai", "claude-agent-sdk");
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, "package.json"), JSON.stringify({ name: "x", type: "module", exports: "./sdk.mjs" }));
    await writeFile(join(dir, "sdk.mjs"), "export const nothing = 1;\n");
    expect(await errorFrom(cwd)).toMatchObject({
      code: "agent_not_started",
      message: expect.stringContaining(join(dir, "sdk.mjs")),
    });
  });
});

describe("Claude Code's own program", () => {
  const hooks: RunHooks = {
    execPath: "/opt/jeeves-exec",
    server: "pruner",
    answer: async (event) => ({ asked: event.tool_name }),
    sizesOf: () => undefined,
  };

  it("is started by its command line where there is no SDK, and its hooks are answered", async () => {
    const { cwd, events } = await collect(claudeProgram, "native", { mcpServers: { pruner }, hooks, model: "m" });
    expect(lastOf(events)).toMatchObject({ status: "completed", text: "The answer." });
    const { words, lines } = JSON.parse(await readFile(join(cwd, "..", "record.json"), "utf8"));
    expect(words.join(" ")).toContain("--permission-mode acceptEdits --setting-sources=user,project,local");
    expect(words).toContain(JSON.stringify({ mcpServers: { pruner } }));
    expect(words.join(" ")).toContain("--allowedTools mcp__pruner --model m");
    expect(lines[0].request.hooks.PreToolUse[0]).toMatchObject({ hookCallbackIds: ["hook_0"] });
    expect(lines[2]).toEqual({
      type: "control_response",
      response: { subtype: "success", request_id: "r1", response: { asked: "Read" } },
    });
  });

  it("comes before an SDK in the project; an entry of the PATH that is not absolute does not count", async () => {
    const cwd = await makeTempDir();
    await installFakeClaudeSdk(cwd);
    await installFakeClaude(join(cwd, "bin"));
    const env = { PATH: join(cwd, "bin") };
    expect(await findClaude({ cwd, env })).toEqual({ kind: "program", path: join(cwd, "bin", "claude") });
    expect(await findClaude({ cwd, env: { PATH: "bin:./bin:" } })).toMatchObject({ kind: "sdk" });
  });
});
