import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toCodexArguments } from "../../src/providers/codex-arguments.ts";
import { createCodexProvider } from "../../src/providers/codexSdk.ts";
import { RunnerError } from "../../src/runner-error.ts";
import { installFakeCodex, makeTempDir } from "../scratch.ts";
import { collect, kindsOf, lastOf, type Prompt } from "./contract.ts";

const under = {
  name: "codex",
  create: async (_prompt: Prompt, dir: string) => ({
    provider: createCodexProvider(),
    env: { PATH: `${await installFakeCodex(dir)}:${process.env.PATH}`, FAKE_AGENT_RECORD: join(dir, "record.json") },
  }),
};
const pruner = {
  command: "node",
  args: ["/opt/the pruner/index.js", 'quo"te'],
  env: { PRUNER_URL: "", MCP_PRUNER_CWD: "/a\\b" },
};

describe("the arguments", () => {
  it("J-90 are exactly these with a server, a model and a directory", () => {
    expect(toCodexArguments({ cwd: "/project", env: {}, model: "some-model", mcpServers: { pruner } })).toEqual([
      ...["exec", "--json", "--skip-git-repo-check", "--sandbox", "workspace-write", "--cd", "/project"],
      ...["--model", "some-model"],
      ...["--config", 'mcp_servers.pruner.command="node"'],
      ...["--config", 'mcp_servers.pruner.args=["/opt/the pruner/index.js","quo\\"te"]'],
      ...["--config", 'mcp_servers.pruner.env.PRUNER_URL=""'],
      ...["--config", 'mcp_servers.pruner.env.MCP_PRUNER_CWD="/a\\\\b"'],
      ...["--config", 'mcp_servers.pruner.default_tools_approval_mode="approve"'],
      "-",
    ]);
  });

  it("J-90 args are named only where there are args, and env only where there is env", () => {
    const args = toCodexArguments({ cwd: "/project", env: {}, mcpServers: { bare: { command: "x" } } });
    expect(args.filter((arg) => arg.startsWith("mcp_servers"))).toEqual([
      'mcp_servers.bare.command="x"',
      'mcp_servers.bare.default_tools_approval_mode="approve"',
    ]);
  });

  it("J-90 without servers nothing is said about servers; never a url, a transport or required", () => {
    expect(toCodexArguments({ cwd: "/project", env: {} }).join(" ")).not.toContain("mcp_servers");
    expect(toCodexArguments({ cwd: "/p", env: {}, mcpServers: { pruner } }).join(" ")).not.toMatch(
      /\.url=|transport|streamable_http|required/,
    );
  });

  it("J-90 a real process gets them, the prompt on stdin, and only the environment that was given", async () => {
    const { cwd } = await collect(under, "answer", { mcpServers: { pruner }, env: { ONLY_THIS: "1" } });
    const record = JSON.parse(await readFile(join(cwd, "..", "record.json"), "utf8"));
    expect(record.argv).toEqual(toCodexArguments({ cwd, env: {}, mcpServers: { pruner } }));
    expect(record.prompt).toBe("answer");
    expect(record.env.ONLY_THIS).toBe("1");
    expect(record.env).not.toHaveProperty("HOME");
  });
});

describe("the stream", () => {
  it("J-92 Codex' own tools are told by their own names, a failed command as an error", async () => {
    const { events } = await collect(under, "native");
    const results = events.filter((event) => event.kind === "tool_result");
    expect(results).toMatchObject([
      { tool: "command_execution", isError: true, text: "no" },
      { tool: "file_change", isError: false },
    ]);
  });

  it("J-92 garbage lines and unknown kinds are noticed or passed over, and the run is completed", async () => {
    const { events } = await collect(under, "garbage");
    expect(lastOf(events)).toMatchObject({ status: "completed", text: "The answer." });
    const notices = events.filter((event) => event.kind === "notice");
    expect(notices.map(({ code }) => code)).toEqual(Array(4).fill("garbage_line"));
    expect(notices[1]?.message).toContain("not json at all");
    expect(kindsOf(events).slice(0, 2)).toEqual(["started", "notice"]);
    expect(kindsOf(events).filter((kind) => kind === "started")).toHaveLength(1);
  });

  it("J-92 an event of 50 MB is left out and said, and the run is completed", async () => {
    const { events } = await collect(under, "huge");
    expect(events.find((event) => event.kind === "notice")).toMatchObject({
      code: "event_too_large",
      message: expect.stringMatching(/^an event of 524\d{5} bytes was left out/),
    });
    expect(lastOf(events)).toMatchObject({ status: "completed", text: "The answer." });
  });

  it("J-80 an exit code is an end with the last words of stderr", async () => {
    const { events } = await collect(under, "die");
    expect(lastOf(events)).toMatchObject({ status: "failed", message: "codex ended with 9: out of luck" });
    expect(kindsOf(events)[0]).toBe("started");
    const complaint = await collect(under, "complain");
    expect(lastOf(complaint.events)).toMatchObject({ message: "codex ended with 1: unexpected status 401" });
  });

  it("J-80 an end without an answer is a failure, whatever the exit code", async () => {
    const { events } = await collect(under, "torn");
    expect(lastOf(events)).toMatchObject({ status: "failed", message: "codex ended without an answer" });
  });
});

it("J-90 where codex is missing, the error has the line that installs it", async () => {
  const cwd = await makeTempDir();
  const signal = new AbortController().signal;
  const events = createCodexProvider()
    .run("answer", { cwd, signal, env: { PATH: cwd } })
    [Symbol.asyncIterator]();
  const error = await events.next().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RunnerError);
  expect(error).toMatchObject({ code: "agent_missing", hint: "npm install --global @openai/codex" });
});
