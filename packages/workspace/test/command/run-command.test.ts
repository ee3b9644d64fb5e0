import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { killBackground, type Root, type RunCommandOptions, runCommand } from "../../src/index.ts";
import { scratchRoot } from "../scratch.ts";

// A home without start-up files: a login shell is then quick, and the same everywhere.
const baseEnv = { PATH: process.env.PATH, HOME: join(tmpdir(), `jeeves-no-home-${randomUUID()}`), LANG: "C.UTF-8" };

function run(root: Root, command: string, options: Partial<RunCommandOptions> = {}) {
  return runCommand(root, { command, baseEnv, timeoutMs: 20_000, maxBytes: 1_000_000, ...options });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // The dead who wait for their parent still answer.
  return !/^State:\s+Z/m.test(existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, "utf8") : "");
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error("waited in vain");
    await delay(5);
  }
}

const pidIn = (path: string) => Number(readFileSync(path, "utf8").trim());

describe("runCommand", () => {
  it("J-35 gives both streams, the exit code and where it ran", async () => {
    const { root, dir } = await scratchRoot();
    const outcome = await run(root, "echo out; echo err >&2");
    expect(outcome).toEqual({
      stdout: "out\n",
      stderr: "err\n",
      exitCode: 0,
      timedOut: false,
      truncated: false,
      validUtf8: true,
      durationMs: expect.any(Number),
      cwd: dir,
    });
  });

  it("J-31 the shell is bash, started as a login shell", async () => {
    const { root } = await scratchRoot();
    expect((await run(root, 'shopt -q login_shell && [[ -n "$BASH_VERSION" ]] && echo yes')).stdout).toBe("yes\n");
  });

  it("J-31 a bash in the directory that is worked in is not ours to start", async () => {
    const { root, dir } = await scratchRoot();
    writeFileSync(join(dir, "bash"), "#!/bin/sh\necho trap\n", { mode: 0o755 });
    const { stdout } = await run(root, "echo ran", {
      baseEnv: { ...baseEnv, PATH: `:.:${relative(process.cwd(), dir)}:${baseEnv.PATH}` },
    });
    expect(stdout).toBe("ran\n");
  });

  it("J-36 a failing command is an outcome with its output", async () => {
    const { root } = await scratchRoot();
    expect(await run(root, "echo partial; exit 3")).toMatchObject({ stdout: "partial\n", exitCode: 3 });
    expect(await run(root, "no-such-command-anywhere")).toMatchObject({ exitCode: 127 });
    expect(await run(root, "if")).toMatchObject({ exitCode: 2 });
  });

  it("J-36 killed by signal n is 128+n", async () => {
    const { root } = await scratchRoot();
    expect(await run(root, "kill -KILL $$")).toMatchObject({ exitCode: 137, timedOut: false });
    expect(await run(root, "kill -SEGV $$")).toMatchObject({ exitCode: 139 });
  });

  it("J-33 our settings are not passed on, all else is, and env is laid over", async () => {
    const { root } = await scratchRoot();
    const { stdout } = await run(root, "env", {
      baseEnv: { ...baseEnv, PRUNER_URL: "x", MCP_PRUNER_CWD: "x", MY_PRUNER_X: "kept", OTHER: "old", GONE: undefined },
      env: { OTHER: "new", PRUNER_TIMEOUT_MS: "asked for" },
    });
    const lines = stdout.split("\n");
    expect(lines).toEqual(expect.arrayContaining(["MY_PRUNER_X=kept", "OTHER=new", "PRUNER_TIMEOUT_MS=asked for"]));
    expect(stdout).not.toMatch(/^(PRUNER_URL|MCP_PRUNER_CWD|GONE)=/m);
  });

  it("J-33 stdin is empty", async () => {
    const { root } = await scratchRoot();
    expect(await run(root, "cat; read x || echo none")).toMatchObject({ stdout: "none\n", exitCode: 0 });
  });

  it("J-32 cwd is inside the root, there, and a directory", async () => {
    const { root, dir, outside } = await scratchRoot({ "sub/a.txt": "x" });
    symlinkSync(outside, join(dir, "link"));
    expect(await run(root, "pwd", { cwd: "sub" })).toMatchObject({
      stdout: `${join(dir, "sub")}\n`,
      cwd: join(dir, "sub"),
    });
    for (const cwd of ["none", "sub/a.txt", "link", "..", outside, "a\0b"]) {
      await expect(run(root, "pwd", { cwd })).rejects.toMatchObject({ code: "invalid_cwd" });
    }
  });

  it("J-36 what cannot be started is spawn_error", async () => {
    const { root } = await scratchRoot();
    await expect(run(root, `: ${"x".repeat(200_000)}`)).rejects.toMatchObject({ code: "spawn_error" });
  });

  it("J-34 at the timeout the whole group dies, and what was said stays", async () => {
    const { root, dir } = await scratchRoot();
    const outcome = await run(root, "echo before; sleep 300 & echo $! > child.pid; sleep 300", { timeoutMs: 1500 });
    expect(outcome).toMatchObject({ stdout: "before\n", timedOut: true, exitCode: 143 });
    expect(isAlive(pidIn(join(dir, "child.pid")))).toBe(false);
  });

  it("J-34 a command that ignores SIGTERM is killed", async () => {
    const { root, dir } = await scratchRoot();
    const outcome = await run(root, "trap '' TERM; echo $$ > shell.pid; (while :; do sleep 0.1; done)", {
      timeoutMs: 1500,
    });
    expect(outcome).toMatchObject({ timedOut: true, exitCode: 137 });
    expect(isAlive(pidIn(join(dir, "shell.pid")))).toBe(false);
  });

  it("J-34 a shell that ends at SIGTERM while its child ignores it leaves nothing behind", async () => {
    const { root, dir } = await scratchRoot();
    const outcome = await run(root, "(trap '' TERM; echo $BASHPID > child.pid; while :; do sleep 0.1; done) & wait", {
      timeoutMs: 1500,
    });
    expect(outcome.timedOut).toBe(true);
    expect(isAlive(pidIn(join(dir, "child.pid")))).toBe(false);
  });

  it("J-34 a shell that has ended cannot time out while its pipes are waited for", async () => {
    const { root } = await scratchRoot();
    const limits = Array.from({ length: 24 }, (_, i) => 40 + i * 40);
    const outcomes = await Promise.all(limits.map((timeoutMs) => run(root, "sleep 300 & exit 0", { timeoutMs })));
    // One may end in the very moment between our look and the signal; five would, if the pipes counted.
    expect(outcomes.filter((outcome) => outcome.exitCode === 0 && outcome.timedOut).length).toBeLessThanOrEqual(1);
    expect(outcomes.filter((outcome) => outcome.exitCode === 0)).not.toEqual([]);
  });

  it("J-36 what is left in the background does not hold the call, lives on though its output goes nowhere, and dies with us", async () => {
    const { root, dir } = await scratchRoot();
    const outcome = await run(
      root,
      "(while :; do echo noise; echo $BASHPID > alive.pid; sleep 0.05; done) & echo started",
    );
    expect(outcome).toMatchObject({ exitCode: 0, timedOut: false, stdout: expect.stringContaining("started\n") });
    let pid = 0; // the file is empty for a moment each time that it is written
    await until(() => {
      pid = existsSync(join(dir, "alive.pid")) ? pidIn(join(dir, "alive.pid")) : 0;
      return pid > 0;
    });
    writeFileSync(join(dir, "alive.pid"), ""); // it must still be writing after the call
    await until(() => readFileSync(join(dir, "alive.pid"), "utf8") !== "");
    await killBackground();
    expect(isAlive(pid)).toBe(false);
  });

  it("X-47 killBackground ends what is still at work, too", async () => {
    const { root, dir } = await scratchRoot();
    const running = run(root, "echo $$ > shell.pid; sleep 300");
    await until(() => existsSync(join(dir, "shell.pid")) && pidIn(join(dir, "shell.pid")) > 0);
    await killBackground();
    expect(await running).toMatchObject({ exitCode: 143, timedOut: false });
  });

  it("J-82 an abort kills the group and rejects with its reason", async () => {
    const { root, dir } = await scratchRoot();
    const stop = new AbortController();
    const running = run(root, "sleep 300 & echo $! > child.pid; wait", { signal: stop.signal });
    await until(() => existsSync(join(dir, "child.pid")) && pidIn(join(dir, "child.pid")) > 0);
    stop.abort(new Error("client is gone"));
    await expect(running).rejects.toThrow("client is gone");
    expect(isAlive(pidIn(join(dir, "child.pid")))).toBe(false);
    await expect(run(root, "touch never", { signal: stop.signal })).rejects.toThrow("client is gone");
    expect(existsSync(join(dir, "never"))).toBe(false);
  });

  it("J-82 an abort at any moment is heard", async () => {
    const { root } = await scratchRoot();
    for (let turns = 0; turns < 15; turns++) {
      const stop = new AbortController();
      const rejected = expect(run(root, "exec sleep 300", { signal: stop.signal, timeoutMs: 300_000 })).rejects.toThrow(
        "client is gone",
      );
      for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next));
      stop.abort(new Error("client is gone"));
      await rejected;
    }
  }, 30_000);

  it("J-26 a flood is drained to its end, and its beginning kept", async () => {
    const { root } = await scratchRoot();
    const before = process.memoryUsage().rss;
    const outcome = await run(root, "head -c 60000000 /dev/zero | tr '\\0' x; echo done >&2", { maxBytes: 10_000 });
    expect(outcome).toMatchObject({ exitCode: 0, truncated: true, stderr: "done\n" });
    expect(outcome.stdout).toBe("x".repeat(9_995));
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 2 ** 20);
  });

  it("X-50 each stream is sure of half, and gets what the other leaves", async () => {
    const { root } = await scratchRoot();
    const sizes = async (out: number, err: number) => {
      const both = await run(root, `printf '%*s' ${out} ''; printf '%*s' ${err} '' >&2`, { maxBytes: 1001 });
      return [both.stdout.length, both.stderr.length, both.truncated];
    };
    expect(await sizes(2000, 2000)).toEqual([501, 500, true]);
    expect(await sizes(2000, 100)).toEqual([901, 100, true]);
    expect(await sizes(100, 2000)).toEqual([100, 901, true]);
    expect(await sizes(501, 500)).toEqual([501, 500, false]);
    expect(await sizes(1001, 0)).toEqual([1001, 0, false]);
  });

  it("J-26 streams are cut at a code point, and bytes that are no UTF-8 stay within the limit", async () => {
    const { root } = await scratchRoot();
    const wide = await run(root, "printf '😀%.0s' {1..500}", { maxBytes: 1026 });
    expect(wide).toMatchObject({ stdout: "😀".repeat(256), validUtf8: true, truncated: true });
    const invalid = await run(root, "printf '\\377%.0s' {1..1000}", { maxBytes: 1024 });
    expect(invalid).toMatchObject({ stdout: "\ufffd".repeat(341), validUtf8: false, truncated: true });
    expect(await run(root, "printf 'a\\0b'")).toMatchObject({ stdout: "a\0b", validUtf8: true });
  });

  it("J-37 many children at once all end with the command", async () => {
    const { root } = await scratchRoot();
    const outcome = await run(root, "for i in {1..50}; do (echo $i) & done; wait");
    expect(
      outcome.stdout
        .trim()
        .split("\n")
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });
});
