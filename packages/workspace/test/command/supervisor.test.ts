// Children that leave their shell's process group, and what a command sees of the supervisor that contains them.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findSystemPerl } from "@jeeves/base";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { alias } from "../../../../scripts/bundle/alias.mjs";
import { findShell } from "../../src/command/find-shell.ts";
import { killBackground, type Root, type RunCommandOptions, runCommand } from "../../src/index.ts";
import { scratchRoot } from "../scratch.ts";

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"; // as a login shell sets it
const baseEnv = { PATH, HOME: "/nowhere", LANG: "C.UTF-8" };

function run(root: Root, command: string, options: Partial<RunCommandOptions> = {}) {
  return runCommand(root, { command, baseEnv, timeoutMs: 20_000, maxBytes: 1_000_000, ...options });
}

/** Ways out of the shell's process group. Each writes its pid and sleeps. */
const ESCAPES = [
  ["a session of its own", "setsid sh -c 'echo $$ > child.pid; exec sleep 300' &"],
  ["two forks", `(setsid sh -c 'sh -c "echo \\$\\$ > child.pid; exec sleep 300" >/dev/null 2>&1 &' &)`],
  ["an empty environment", "(setsid env -i sh -c 'echo $$ > child.pid; exec sleep 300' >/dev/null 2>&1 </dev/null &)"],
  ["SIGTERM ignored", "(trap '' TERM; setsid sh -c 'echo $$ > child.pid; sleep 300; sleep 300' &)"],
] as const;

const readPid = (dir: string) =>
  existsSync(join(dir, "child.pid")) ? Number(readFileSync(join(dir, "child.pid"), "utf8").trim()) : 0;

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error("waited in vain");
    await delay(5);
  }
}

const SERVER = `
  import { openRoot, runCommand } from "../../src/index.ts";
  const [, , dir, command] = process.argv;
  const root = await openRoot(dir);
  const baseEnv = { PATH: "${PATH}", HOME: "/nowhere" };
  await runCommand(root, { command, baseEnv, timeoutMs: 300000, maxBytes: 1000 });
  setInterval(() => {}, 1000);
`;

function buildServer(dir: string): string {
  const outfile = join(dir, "server.mjs");
  buildSync({
    stdin: { contents: SERVER, resolveDir: fileURLToPath(new URL(".", import.meta.url)), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { ...alias },
    outfile,
    logLevel: "error",
  });
  return outfile;
}

const canContain = process.platform === "linux" && (await findSystemPerl()) !== undefined;

describe.runIf(canContain)("a child that leaves its group", () => {
  it.each(ESCAPES)("J-36 %s: it lives on after the call and ends with the server's background", async (_, start) => {
    const { root, dir } = await scratchRoot();
    expect(await run(root, `${start}\necho started; exit 3`)).toMatchObject({ exitCode: 3, stdout: "started\n" });
    await until(() => readPid(dir) > 0);
    expect(isAlive(readPid(dir))).toBe(true);
    await killBackground();
    expect(isAlive(readPid(dir))).toBe(false);
  });

  it.each(ESCAPES)("J-34 %s: it ends at the timeout of its call", async (_, start) => {
    const { root, dir } = await scratchRoot();
    const outcome = await run(root, `${start}\necho before; sleep 300`, { timeoutMs: 1500 });
    expect(outcome).toMatchObject({ timedOut: true, exitCode: 143, stdout: "before\n" });
    expect(readPid(dir)).toBeGreaterThan(0);
    expect(isAlive(readPid(dir))).toBe(false);
  });

  it("J-82 it ends with an abort", async () => {
    const { root, dir } = await scratchRoot();
    const stop = new AbortController();
    const running = run(root, `${ESCAPES[1][1]}\nsleep 300`, { signal: stop.signal });
    await until(() => readPid(dir) > 0);
    stop.abort(new Error("client is gone"));
    await expect(running).rejects.toThrow("client is gone");
    expect(isAlive(readPid(dir))).toBe(false);
  });

  it("J-36 a command that kills its parent ends, and the next one runs", async () => {
    const { root } = await scratchRoot();
    expect(await run(root, "kill -TERM $PPID; sleep 300")).toMatchObject({ exitCode: 143 });
    expect(await run(root, "echo next")).toMatchObject({ stdout: "next\n", exitCode: 0 });
  });

  it("J-36 a command that kills its supervisor by SIGKILL dies with it, and the next one runs", async () => {
    const { root, dir } = await scratchRoot();
    expect(await run(root, "echo $$ > child.pid; kill -KILL $PPID; sleep 300")).toMatchObject({ exitCode: 137 });
    await until(() => !isAlive(readPid(dir)));
    expect(await run(root, "echo next")).toMatchObject({ stdout: "next\n", exitCode: 0 });
  });

  it.each([
    ["while its command runs", "echo $$ > child.pid; exec sleep 300"],
    ["while a child with a session of its own is left", ESCAPES[0][1]],
    ["while a child of two forks is left", ESCAPES[1][1]],
  ])("X-47 a server that is killed by SIGKILL %s leaves nothing behind", async (_, command) => {
    const { dir } = await scratchRoot();
    const server = spawn(process.execPath, [buildServer(dir), dir, command], { stdio: "ignore" });
    await until(() => readPid(dir) > 0);
    expect(isAlive(readPid(dir))).toBe(true);
    server.kill("SIGKILL");
    await once(server, "exit");
    await until(() => !isAlive(readPid(dir)));
  });
});

describe("what a command sees of its supervisor", () => {
  it("J-33 the environment is its own, Perl's variables too", async () => {
    const { root } = await scratchRoot();
    const env = {
      PERL5OPT: "-MNoSuchModule",
      PERL5LIB: "/nowhere\nélan",
      PERL_UNICODE: "SDA",
      PERL_BADLANG: "1",
      LC_ALL: "xx_XX",
      EMPTY: "",
    };
    const { stdout, stderr } = await run(root, "env -0", { env });
    const entriesOf = (printed: string) =>
      printed.split("\0").filter((entry) => !/^(?:PWD|SHLVL|_|OLDPWD|JEEVES_TEST_HIDE|)=|^$/.test(entry));
    // A login shell's profile may set variables by user: the same shell without a supervisor tells what is expected.
    const shell = await findShell(baseEnv);
    const bare = execFileSync(shell.path, [shell.flag, "env -0"], { env: { ...baseEnv, ...env }, encoding: "utf8" });
    expect(entriesOf(stdout).sort()).toEqual(entriesOf(bare).sort());
    expect(entriesOf(stdout)).toEqual(
      expect.arrayContaining(Object.entries(env).map(([name, value]) => `${name}=${value}`)),
    );
    expect(stderr).not.toContain("perl");
    expect((await run(root, "env")).stdout).not.toMatch(/^PERL/m);
  });

  it("J-33 it leads its session and its group, and has three descriptors and no ignored signals", async () => {
    const { root } = await scratchRoot();
    const ids = await run(root, 'read -r _ _ _ _ group session _ < /proc/$$/stat; echo "$$ $group $session"');
    const [pid, group, session] = ids.stdout.trim().split(" ");
    expect([group, session]).toEqual([pid, pid]);
    // The report's would be 3; others may come from the process that started this test.
    expect((await run(root, "[ -e /proc/$$/fd/3 ] || echo closed")).stdout).toBe("closed\n");
    expect((await run(root, "exec grep -E 'Sig(Ign|Blk)' /proc/self/status")).stdout).toBe(
      "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n",
    );
  });

  it("J-36 a background child with no pipes does not hold the call, not even for the pipes' time", async () => {
    const { root } = await scratchRoot();
    const outcome = await run(root, "nohup sleep 300 >/dev/null 2>&1 & exit 7");
    expect(outcome).toMatchObject({ exitCode: 7, timedOut: false });
  });
});

describe("X-62 without a supervisor that works the command runs bare", () => {
  it("where Perl cannot load a library, and the next one is contained again", async () => {
    const { root, dir } = await scratchRoot({ "lib/libcrypt.so.1": "no library" }); // Debian's perl needs it, bash does not
    const outcome = await run(root, "unset LD_LIBRARY_PATH; echo x >> ran; echo out; exit 5", {
      env: { LD_LIBRARY_PATH: join(dir, "lib") },
    });
    expect(outcome).toMatchObject({ stdout: "out\n", stderr: "", exitCode: 5 });
    expect(readFileSync(join(dir, "ran"), "utf8")).toBe("x\n");
    if (canContain) expect((await run(root, "cat /proc/$PPID/comm")).stdout).toBe("jeeves-command\n");
  });
});
