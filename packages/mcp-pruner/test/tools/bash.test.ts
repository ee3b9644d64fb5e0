// `bash` with commands that behave and commands that do not.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Server, startServer, type Wire } from "../server-under-test.ts";

let server: Server;
beforeAll(async () => {
  server = await startServer({ env: { KEPT: "yes", PRUNER_TIMEOUT_MS: "1000" } });
  await mkdir(join(server.root, "sub"));
});
afterAll(() => server.stop());

const bash = (args: Record<string, unknown>): Promise<Wire> => server.call("bash", args);
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
async function untilDead(pid: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (isAlive(pid) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isAlive(pid)).toBe(false);
}

it("J-35 J-53 a command comes back with all of its fields and nothing else", async () => {
  const result = await bash({ command: "echo out; echo err >&2" });
  expect(result.isError).toBeUndefined();
  expect(result.structuredContent).toEqual({
    tool: "bash",
    command: "echo out; echo err >&2",
    cwd: server.root,
    stdout: "out\n",
    stderr: "err\n",
    exit_code: 0,
    timed_out: false,
    truncated: false,
    duration_ms: expect.any(Number),
    pruning: { attempted: false, applied: false, fallback: false, reason: "no_focus_question", raw_bytes: 4 },
  });
  expect(result.content).toEqual([{ type: "text", text: "out\n[stderr]\nerr\n" }]);
});

it("X-19 no output says so", async () => {
  expect((await bash({ command: "true" })).content[0].text).toBe("(no output)");
});

it("J-31 runs in a login bash", async () => {
  expect(
    (await bash({ command: "shopt -q login_shell && [[ -n $BASH_VERSION ]] && echo login" })).structuredContent.stdout,
  ).toBe("login\n");
});

describe("J-32 cwd", () => {
  it("is taken from the root and answered absolute", async () => {
    const { structuredContent } = await bash({ command: "pwd", cwd: "sub" });
    expect(structuredContent).toMatchObject({ cwd: join(server.root, "sub"), stdout: `${join(server.root, "sub")}\n` });
  });

  it("X-05 that is missing or a file is invalid_cwd", async () => {
    await writeFile(join(server.root, "file"), "");
    for (const cwd of ["missing", "file"]) {
      const result = await bash({ command: "pwd", cwd });
      expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: "invalid_cwd" } } });
      expect(result.structuredContent.pruning).toMatchObject({ attempted: false, raw_bytes: 0 });
    }
  });
});

describe("J-33 env", () => {
  it("is laid over the server's, without what configures the server", async () => {
    const command = "echo $KEPT $MINE [$PRUNER_TIMEOUT_MS] [$MCP_PRUNER_CWD]";
    expect((await bash({ command, env: { MINE: "a b" } })).structuredContent.stdout).toBe("yes a b [] []\n");
  });

  it("text is data: a value is never interpreted", async () => {
    const { stdout } = (await bash({ command: 'printf %s "$X"', env: { X: "$(echo no) `echo no`; echo no" } }))
      .structuredContent;
    expect(stdout).toBe("$(echo no) `echo no`; echo no");
  });

  it("stdin is empty", async () => {
    expect((await bash({ command: "cat; echo end" })).structuredContent.stdout).toBe("end\n");
  });
});

describe("J-36 failing", () => {
  it("J-16 X-06 a non-zero exit is a tool error that keeps its output", async () => {
    const result = await bash({ command: "echo out; echo why >&2; exit 3" });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toEqual({
      tool: "bash",
      error: { code: "nonzero_exit", message: expect.any(String), exit_code: 3 },
      stdout: "out\n",
      stderr: "why\n",
      pruning: { attempted: false, applied: false, fallback: false, reason: "no_focus_question", raw_bytes: 4 },
    });
    expect(result.content[0].text).toBe("out\n[stderr]\nwhy\n[exit code: 3]");
  });

  it("X-08 with no output and a question it is output_empty", async () => {
    const { pruning } = (await bash({ command: "exit 1", context_focus_question: "q" })).structuredContent;
    expect(pruning).toEqual({
      attempted: false,
      applied: false,
      fallback: false,
      reason: "output_empty",
      raw_bytes: 0,
    });
  });

  it("killed by signal n is 128+n", async () => {
    expect((await bash({ command: "kill -KILL $$" })).structuredContent.error).toMatchObject({
      code: "nonzero_exit",
      exit_code: 137,
    });
  });

  it("a command that is not there is 127 and says so", async () => {
    const { structuredContent } = await bash({ command: "no-such-command-here" });
    expect(structuredContent.error.exit_code).toBe(127);
    expect(structuredContent.stderr).toContain("no-such-command-here");
  });
});

describe("J-34 J-49 time", () => {
  it("a timeout kills the whole group, keeps the output and is logged before the failure", async () => {
    const result = await bash({ command: "echo before; sleep 1000 & echo $!; wait", timeout_ms: 400 });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: "timeout" } } });
    const [before, pid] = result.structuredContent.stdout.trim().split("\n");
    expect(before).toBe("before");
    await untilDead(Number(pid));
    const late = await server.waitForEvent("tool.exec_timeout", ({ data }) => data?.timeout_ms === 400);
    const failed = await server.waitForEvent("tool.exec_failed", ({ request_id }) => request_id === late.request_id);
    expect(server.events.indexOf(late)).toBeLessThan(server.events.indexOf(failed));
    expect(result.content[0].text).toContain("timed out after 400 ms");
  });

  it("a command that ignores SIGTERM is killed all the same", async () => {
    const result = await bash({ command: "trap '' TERM; echo $$; while :; do sleep 0.1; done", timeout_ms: 400 });
    expect(result.structuredContent.error.code).toBe("timeout");
    await untilDead(Number(result.structuredContent.stdout.trim()));
  });

  it("J-36 a daemon that holds the pipe does not hold the call, and dies with the server", async () => {
    const own = await startServer();
    const result = await own.call("bash", { command: "(trap '' HUP; sleep 1000) & echo $!" });
    const pid = Number(result.structuredContent.stdout.trim());
    expect(isAlive(pid)).toBe(true);
    await own.stop();
    await untilDead(pid);
  });
});

describe("J-26 X-50 size", () => {
  it("a flood is cut at the cap, at a code point, and does not stop the command", async () => {
    const { structuredContent, content } = await bash({
      command: "yes é | head -c 30000000; echo done >&2",
      max_output_bytes: 4096,
    });
    expect(content[1].text).toMatch(/^\[cut off after \d+ bytes: it printed more\]$/);
    expect(structuredContent).toMatchObject({ truncated: true, exit_code: 0, stderr: "done\n" });
    expect(Buffer.byteLength(structuredContent.stdout)).toBeLessThanOrEqual(4096);
    expect(structuredContent.stdout).not.toContain("\uFFFD");
  });

  it("stdout and stderr share the cap, each sure of half", async () => {
    const { structuredContent } = await bash({
      command: "head -c 9000 /dev/zero | tr '\\0' o; head -c 9000 /dev/zero | tr '\\0' e >&2",
      max_output_bytes: 4096,
    });
    expect(structuredContent.stdout.length).toBeGreaterThanOrEqual(2048);
    expect(structuredContent.stderr.length).toBeGreaterThanOrEqual(2048);
    expect(structuredContent.stdout.length + structuredContent.stderr.length).toBeLessThanOrEqual(4096);
  });
});

it("J-37 commands may write the filesystem", async () => {
  await bash({ command: "echo made > made.txt" });
  expect((await server.call("read", { file_path: "made.txt" })).structuredContent.content).toBe("made\n");
});

it.each([40, 32])(
  "J-36 a server with %i descriptors answered -32603, or was gone for good: it is spawn_error",
  async (maxOpenFiles) => {
    const small = await startServer({ maxOpenFiles });
    const answers: Wire[] = await Promise.all(
      Array.from({ length: 20 }, () => small.call("bash", { command: "sleep 0.3; echo done" })),
    );
    const codes = answers.map((answer) => answer.structuredContent?.error?.code ?? answer.error ?? "ran");
    expect(new Set(codes)).toEqual(new Set(["ran", "spawn_error"]));
    expect((await small.call("bash", { command: "echo after" })).structuredContent.stdout).toBe("after\n");
    expect((await small.call("grep", { pattern: "x" })).structuredContent.match_count).toBe(0);
    await small.stop();
  },
);
