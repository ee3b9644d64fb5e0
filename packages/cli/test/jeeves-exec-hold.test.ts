// What a command prints is held back until it is known what of it to show; and nothing of it is ever lost.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isProcessThere, PROC } from "@jeeves/base";
import { createMeter } from "@jeeves/cut";
import { createDiskStore } from "@jeeves/state";
import { afterEach, describe, expect, it } from "vitest";
import { bare, collect, dir, EXEC, envOf, file, run, scratch, start, until } from "./jeeves-exec-given.ts";

const CUT = fileURLToPath(new URL("../dist/jeeves-exec-cut.js", import.meta.url));
const REST = /\[rest: recover_text (prn_[a-z2-7]{12})\]\n/;
const log = [
  ...Array.from({ length: 3_000 }, (_, i) => ` ✓ test/area-${i % 23}.test.ts > case ${i} takes ${i % 13}ms`),
  " FAIL  test/login.test.ts > a wrong password is refused",
  "AssertionError: expected 200 to be 401",
  ...Array.from({ length: 3_000 }, (_, i) => ` ✓ test/part-${i % 23}.test.ts > case ${i} takes ${i % 13}ms`),
  " Tests  1 failed | 6000 passed",
  "",
].join("\n");
file("long.log", log);
/** More than is held in memory. */
const MUCH_TIMES = Math.ceil(1_400_000 / log.length);
const MUCH = `for i in $(seq ${MUCH_TIMES}); do cat long.log; done`;
/** The command goes on until this file is there. */
const waitFor = (name: string) => `while [ ! -e ${name} ]; do sleep 0.05; done`;
const isThere = (name: string) => existsSync(join(dir, name));

const children: ChildProcess[] = [];
function startOne(...args: Parameters<typeof start>) {
  const child = start(...args);
  children.push(child);
  return { child, seen: collect(child), closed: once(child, "close") };
}
afterEach(() => {
  for (const { pid, exitCode, signalCode } of children.splice(0))
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(pid, "SIGKILL");
});

describe("X-56 a command that ends", () => {
  it("is shown as one cut, its first lines like all others", async () => {
    const shown = run("cat long.log; exit 1").stdout.toString();
    expect(shown.startsWith(log.slice(0, 1_000))).toBe(false);
    expect(shown).toContain("AssertionError: expected 200 to be 401\n");
    expect(shown.length).toBeLessThan(2_000);
    const [, id = ""] = REST.exec(shown) ?? [];
    expect((await createDiskStore({ env: envOf() }).get(id))?.text).toBe(log);
  });

  it("and has printed more than is held in memory: a cut of all of it", async () => {
    const shown = run(`${MUCH}; exit 1`).stdout.toString();
    expect(shown).toContain("AssertionError: expected 200 to be 401\n");
    const [, id = ""] = REST.exec(shown) ?? [];
    expect((await createDiskStore({ env: envOf() }).get(id))?.text).toBe(log.repeat(MUCH_TIMES));
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("and has printed little is shown as it is, and Node is not started", () => {
    file("asked-node", "#!/bin/sh\ntouch node-was-asked\nexit 1\n");
    chmodSync(join(dir, "asked-node"), 0o755);
    const env = { JEEVES_NODE: join(dir, "asked-node") };
    for (const bytes of [1, 1_599]) {
      const done = run(`head -c ${bytes} long.log; exit 3`, { env });
      expect(done.stdout.equals(Buffer.from(log).subarray(0, bytes))).toBe(true);
      expect(done.status).toBe(3);
    }
    expect(isThere("node-was-asked")).toBe(false);
    expect(run("head -c 1600 long.log", { env }).stdout.equals(Buffer.from(log).subarray(0, 1_600))).toBe(true);
    expect(isThere("node-was-asked")).toBe(true);
  });

  it.each([
    ["prints nothing", "cat /dev/null; exit 7"],
    ["prints binary", "cat bytes.bin"],
    ["prints invalid UTF-8", "cat latin1.txt"],
    ["prints half a character last", "head -c 8002 umlauts.txt"],
    ["is not there", "no-such-program --now"],
  ])("and %s has the bare command's bytes and exit code", (_what, command) => {
    file("bytes.bin", Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 256)));
    file("latin1.txt", Buffer.from("Zeile mit ü und ß\n".repeat(1_000), "latin1"));
    file("umlauts.txt", "aüü".repeat(4_000));
    expect(run(command)).toEqual(bare(command));
  });

  it("gets what it reads from stdin", () => {
    expect(run("cat | tr a-z A-Z", { input: "held\n" }).stdout.toString()).toBe("HELD\n");
  });
});

describe("X-21 what is held", () => {
  it("leaves no file and no line of ours when the command ends, however long it took", () => {
    const untilHeld = 'until ls "$TMPDIR"/jeeves-held-*/* >copies 2>/dev/null; do sleep 0.05; done';
    const shown = run(`echo a; ${untilHeld}; echo b; cat copies`).stdout.toString();
    expect(shown).toMatch(/^a\nb\n\S+\/jeeves-held-\d+\/none-\d+\n$/);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("is in a file that has the same name on each run", () => {
    const command = `cat /dev/null; echo a; sleep 0.2; ls "$TMPDIR"/jeeves-held-*`;
    const shown = run(command).stdout.toString();
    expect(shown).toMatch(/^a\nnone-\d+\n$/);
    expect(run(command).stdout.toString()).toBe(shown);
  });

  it.each(["/nowhere/tmp", "/dev/null"])("is shown at once where no file can be made (TMPDIR=%s)", async (TMPDIR) => {
    const name = `go${TMPDIR.replaceAll("/", "-")}`;
    const { seen, closed } = startOne(`cat long.log; ${waitFor(name)}; echo end`, { env: { TMPDIR } });
    await until(() => seen.text() === log);
    file(name, "");
    expect(await closed).toEqual([0, null]);
    expect(seen.text()).toBe(`${log}end\n`);
  });

  it("is shown at once where the file cannot grow: its copy is ours, and its limit is not", () => {
    const limited =
      'ulimit -f 100; "$0" --client=codex "cat /dev/null; head -c 80000 long.log; sleep 0.3; tail -c +80001 long.log"';
    const env = envOf();
    const done = spawnSync("/bin/bash", ["-c", limited, EXEC], { cwd: dir, env, maxBuffer: 1 << 28 });
    expect(done.status).toBe(0);
    expect(done.stdout.toString()).toBe(log);
    expect(readdirSync(scratch)).toEqual([]);
  });

  const small = join(dir, "small-disk");
  const MOUNT = `mkdir -p ${small} && mount -t tmpfs -o size=64k tmpfs ${small}`;
  const unshared = ["--mount", "--user", "--map-root-user", "/bin/sh", "-c"];
  const canMount = spawnSync("unshare", [...unshared, MOUNT]).status === 0;
  it.skipIf(!canMount).each([20_000, 200_000])("is shown at once where the disk is full (after %i bytes)", (bytes) => {
    const command = `head -c ${bytes} long.log; sleep 0.3; tail -c +${bytes + 1} long.log`;
    const line = `${MOUNT} && TMPDIR=${small} "$0" --client=codex "${command}"; ls ${small}`;
    const env = envOf();
    const done = spawnSync("unshare", [...unshared, line, EXEC], { cwd: dir, env, maxBuffer: 1 << 28 });
    expect(done.stdout.toString()).toBe(log);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const)(
    "is shown at once on %s, and Node is not asked",
    async (signal) => {
      file("asked-node", `#!/bin/sh\ntouch asked-on-${signal}\nexit 1\n`);
      chmodSync(join(dir, "asked-node"), 0o755);
      const env = { JEEVES_NODE: join(dir, "asked-node") };
      const { child, seen, closed } = startOne(`cat long.log; touch printed-${signal}; exec sleep 300`, { env });
      await until(() => isThere(`printed-${signal}`));
      child.kill(signal);
      expect(await closed).toEqual([null, signal]);
      expect(seen.text()).toBe(log);
      expect(isThere(`asked-on-${signal}`)).toBe(false);
    },
  );

  it("is shown at once on a SIGTERM that the command ignores, and then everything streams", async () => {
    const { child, seen, closed } = startOne(
      `trap '' TERM; cat long.log; touch stubborn; ${waitFor("go-stubborn")}; echo end`,
    );
    await until(() => isThere("stubborn"));
    child.kill("SIGTERM");
    await until(() => seen.text() === log);
    file("go-stubborn", "");
    expect(await closed).toEqual([0, null]);
    expect(seen.text()).toBe(`${log}end\n`);
  });

  it("is shown in full on a SIGTERM, although the beginning of much of it is in its file alone", async () => {
    const { child, seen, closed } = startOne(`${MUCH}; touch much-printed; ${waitFor("never")}`);
    await until(() => isThere("much-printed"));
    child.kill("SIGTERM");
    await closed;
    expect(seen.text()).toBe(log.repeat(MUCH_TIMES));
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("is shown when it is too much, and a command without end streams until its reader leaves", async () => {
    const child = start("yes");
    children.push(child);
    let bytes = 0;
    child.stdout?.on("data", (more: Buffer) => {
      bytes += more.length;
      if (bytes > 65 * 1024 * 1024) child.stdout?.destroy();
    });
    expect(await once(child, "exit")).toEqual([null, "SIGPIPE"]);
    expect(bytes).toBeGreaterThan(65 * 1024 * 1024);
  });
});

describe("X-51 a command that goes on", () => {
  /** What was shown of `printed` before the command went on: a cut, and behind it the last lines as they are. */
  function expectCut(shown: string, printed: string, last: string) {
    expect(shown.length).toBeLessThan(5_000);
    expect(shown).toContain("AssertionError: expected 200 to be 401\n");
    expect(shown).toMatch(REST);
    const behind = shown.slice(shown.search(REST)).replace(REST, "");
    expect(behind.endsWith(last)).toBe(true);
    expect(printed.endsWith(behind)).toBe(true);
  }

  it("shows what it asks, and is answered", async () => {
    const env = { JEEVES_EXEC_QUESTION_MS: "100" };
    const { child, seen, closed } = startOne("printf 'Name? '; read -r name; echo \"hello $name\"", { env });
    await until(() => seen.text() === "Name? ");
    child.stdin?.end("you\n");
    expect(await closed).toEqual([0, null]);
    expect(seen.text()).toBe("Name? hello you\n");
  });

  it("shows a cut of much that stands above its question, and goes on", async () => {
    const env = { JEEVES_EXEC_QUESTION_MS: "100" };
    const { child, seen, closed } = startOne(`${MUCH}; printf 'Name? '; read -r name; echo "hello $name"`, { env });
    await until(() => seen.text().endsWith("Name? "));
    expectCut(seen.text(), `${log.repeat(MUCH_TIMES)}Name? `, "Name? ");
    child.stdin?.end("you\n");
    expect(await closed).toEqual([0, null]);
    expect(seen.text().endsWith("Name? hello you\n")).toBe(true);
  });

  it("shows a cut of what stands above its question, the last lines and the question in full", async () => {
    const env = { JEEVES_EXEC_QUESTION_MS: "100" };
    const { child, seen, closed } = startOne(
      "cat long.log; printf 'Overwrite 3 files? [y/N] '; read -r yes; echo \"said $yes\"; tail -n 100 long.log",
      { env },
    );
    await until(() => seen.text().endsWith("Overwrite 3 files? [y/N] "));
    const question = "Overwrite 3 files? [y/N] ";
    expectCut(seen.text(), log + question, ` Tests  1 failed | 6000 passed\n${question}`);
    const before = seen.text();
    child.stdin?.end("n\n");
    expect(await closed).toEqual([0, null]);
    expect(seen.text()).toBe(`${before}said n\n${log.split("\n").slice(-101).join("\n")}`);
  });

  it.each([
    "tests/test_area.py ..F.s",
    "tests/test_area.py ",
    "tests/test_area.py::test_login ",
    "test login ... ",
    " 40% [====    ]\r",
    "checking for gcc...",
  ])("is not taken to ask where its last line shows progress: %j", (line) => {
    const env = { JEEVES_EXEC_QUESTION_MS: "50" };
    file("progress.txt", line);
    const shown = run("cat long.log progress.txt; sleep 0.5; echo; echo end", { env }).stdout.toString();
    // One cut of all, and nothing behind it.
    expect(shown.match(new RegExp(REST, "g"))).toHaveLength(1);
    expect(shown).toMatch(/recover_text prn_\w+\]\n$/);
  });

  // Half a line, work, and the rest: a program whose output is written in blocks. `work` is the count of a loop.
  file(
    "blocks.pl",
    `my $log = do { local (@ARGV, $/) = 'long.log'; <> };
syswrite STDOUT, substr $log, 0, 4_000;
my $sum = 0; $sum += $_ for 1 .. do { local @ARGV = 'work'; <> };
syswrite STDOUT, substr $log, 4_000; exit 1;
`,
  );

  it.runIf(existsSync(PROC))("was taken to ask while it worked: a slow machine showed everything", () => {
    const env = { JEEVES_EXEC_QUESTION_MS: "100", JEEVES_EXEC_RAW_SILENT_MS: "300" };
    const shown = ["1", "40000000"].map((count) => {
      file("work", count);
      return run("perl blocks.pl", { env }).stdout.toString();
    });
    expect(shown[0]).toMatch(REST);
    expect(shown[1]).toBe(shown[0]);
  });

  it("was taken to work for as long as it lived, once it had used a processor, so that its question was not shown", async () => {
    file("ask.pl", 'my $sum = 0; $sum += $_ for 1 .. 5_000_000; syswrite STDOUT, "Name? "; print "hello ", <STDIN>;');
    const { child, seen, closed } = startOne("perl ask.pl", { env: { JEEVES_EXEC_QUESTION_MS: "100" } });
    await until(() => seen.text() === "Name? ");
    child.stdin?.end("you\n");
    expect(await closed).toEqual([0, null]);
    expect(seen.text()).toBe("Name? hello you\n");
  });

  it("a launcher that is named from where it is started holds as any other", () => {
    const words = ["--client=claude-code", `cat ${join(dir, "long.log")}; exit 1`];
    const done = spawnSync(`./${basename(EXEC)}`, words, { cwd: dirname(EXEC), env: envOf(), encoding: "utf8" });
    expect(done).toMatchObject({ status: 1, stderr: "", stdout: expect.stringMatching(REST) });
  });

  it("shows a cut of what it printed when it falls silent, and then everything", async () => {
    const env = { JEEVES_EXEC_RAW_SILENT_MS: "200" };
    // A pipe, not a loop that looks for a file: on a busy machine a loop runs, or would run, at every look.
    execFileSync("mkfifo", [join(dir, "go-silent")]);
    const { seen, closed } = startOne("cat long.log; echo HANGS HERE; read -r go < go-silent; cat long.log", { env });
    await until(() => seen.text().endsWith("HANGS HERE\n"));
    expectCut(seen.text(), `${log}HANGS HERE\n`, " Tests  1 failed | 6000 passed\nHANGS HERE\n");
    const before = seen.text();
    file("go-silent", "\n");
    expect(await closed).toEqual([0, null]);
    expect(seen.text()).toBe(before + log);
  });

  it("shows a cut of what it printed after its time, and loses nothing of what it prints meanwhile", async () => {
    const env = { JEEVES_EXEC_RAW_AFTER_MS: "200" };
    const ticks = 'i=0; while [ ! -e go-late ]; do i=$((i + 1)); echo "tick $i"; sleep 0.01; done';
    const { seen, closed } = startOne(`cat long.log; ${ticks}; echo end`, { env });
    await until(() => REST.test(seen.text()) && /\ntick \d+\n$/.test(seen.text()));
    file("go-late", "");
    expect(await closed).toEqual([0, null]);
    const [, id = ""] = REST.exec(seen.text()) ?? [];
    const stored = (await createDiskStore({ env: envOf() }).get(id))?.text ?? "";
    const all = stored + seen.text().slice(seen.text().search(REST)).replace(REST, "");
    const count = all.match(/^tick /gm)?.length ?? 0;
    const printed = Array.from({ length: count }, (_, index) => `tick ${index + 1}\n`).join("");
    expect(all).toBe(`${log}${printed}end\n`);
  });

  /** As long as what the report of a small test suite prints, and no longer than the client shows. */
  const report = [
    ...Array.from({ length: 110 }, (_, i) => `tests/test_area_${i}.py ${".".repeat(20 + (i % 30))}  [ 7%]`),
    "E       AssertionError: expected 200 to be 401",
    ...Array.from({ length: 40 }, (_, i) => `tests/test_area_${i}.py:${i}: DeprecationWarning: use the new call`),
    "1 failed, 4000 passed",
    "",
  ].join("\n");

  it.each(["JEEVES_EXEC_RAW_AFTER_MS", "JEEVES_EXEC_RAW_SILENT_MS"])(
    "X-57 has the bare command's bytes where the client shows all of it, wherever its time ends (%s)",
    async (limit) => {
      file("report.txt", report);
      for (const lines of [60, 100, 140]) {
        // A command that waits in `read` does nothing; a loop would look as if it worked, on a busy machine.
        const goOn = join(dir, `go-${limit}-${lines}`);
        execFileSync("mkfifo", [goOn]);
        const command = `head -n ${lines} report.txt; read -r go < ${goOn}; tail -n +${lines + 1} report.txt; exit 1`;
        const { seen, closed } = startOne(command, { env: { [limit]: "100" } });
        await until(() => seen.text().split("\n").length > lines || REST.test(seen.text()));
        await writeFile(goOn, "\n");
        expect(await closed).toEqual([1, null]);
        expect(seen.text()).toBe(report);
      }
    },
  );

  it.each(["claude-code", "codex"])(
    "X-57 prints no more bytes than the bare one, the same on each run (%s)",
    (name) => {
      file("report.txt", report);
      const args = [`--client=${name}`];
      for (const lines of [30, 60, 100, 140, 152]) {
        for (const code of [0, 1]) {
          const command = `head -n ${lines} report.txt; exit ${code}`;
          const shown = run(command, { args }).stdout;
          expect(shown.length).toBeLessThanOrEqual(bare(command).stdout.length);
          expect(run(command, { args }).stdout.equals(shown)).toBe(true);
        }
      }
    },
  );

  it("has a last line without end that is shown in full, or nothing is cut", async () => {
    file("endless.txt", `${log}${"question ".repeat(3_000)}? `);
    const env = { JEEVES_EXEC_QUESTION_MS: "100" };
    const { child, seen, closed } = startOne("cat endless.txt; read -r answer", { env });
    const whole = readFileSync(join(dir, "endless.txt"), "utf8");
    await until(() => seen.text() === whole);
    child.stdin?.end("\n");
    await closed;
  });
});

describe("X-52 in shadow and off", () => {
  it.each(["shadow", "off"])("%s: output streams as it comes", async (mode) => {
    const state = join(dir, `in-${mode}`);
    mkdirSync(state);
    writeFileSync(join(state, "mode"), `${mode}\n`);
    const env = { JEEVES_STATE_DIR: state, CLAUDE_CODE_SESSION_ID: "s1" };
    const { seen, closed } = startOne(`cat long.log; ${waitFor(`go-${mode}`)}; echo end`, { env });
    await until(() => seen.text() === log);
    file(`go-${mode}`, "");
    expect(await closed).toEqual([0, null]);
    expect(seen.text()).toBe(`${log}end\n`);
    const kinds = (await createMeter(envOf(env)).entriesOf("s1")).map(({ kind }) => kind);
    expect(kinds).toEqual(mode === "shadow" ? ["shadow"] : []);
  });

  it.each(["shadow", "off", " Shadow", "OFF"])("%j in the environment: the same", (mode) => {
    const env = { JEEVES_MODE: mode };
    expect(run("cat long.log; sleep 0.3; echo end", { env }).stdout.toString()).toBe(`${log}end\n`);
    expect(run("cat /dev/null; echo a; sleep 0.3; echo b", { env }).stdout.toString()).toBe("a\nb\n");
  });
});

describe("a launcher that an earlier init wrote", () => {
  const ask = (more: Readonly<Record<string, string>>) => {
    const about = { JEEVES_EXEC_CLIENT: "claude-code", JEEVES_EXEC_COMMAND: "npm test", JEEVES_EXEC_CODE: "1" };
    const env = envOf({ ...about, ...more });
    const { status, stdout, stderr } = spawnSync(process.execPath, [CUT], { cwd: dir, env, input: log });
    return { status, stdout: stdout.toString(), stderr: stderr.toString() };
  };

  it("has printed the first bytes already, so it prints the rest as it is", () => {
    expect(ask({ JEEVES_EXEC_PASSED_ON: "6144" })).toEqual({ status: 3, stdout: "", stderr: "" });
  });

  it.each([{ JEEVES_EXEC_PASSED_ON: "0" }, {}])("is answered where it has printed nothing: %j", (more) => {
    const { status, stdout } = ask(more);
    expect(status).toBe(0);
    const [length = ""] = stdout.split("\n", 1);
    expect(Buffer.byteLength(stdout)).toBe(length.length + 1 + Number(length));
    expect(stdout).toMatch(REST);
  });
});

describe("a process that is left behind", () => {
  it("goes on printing where the command printed, without a word of ours", async () => {
    file("left.sh", `#!/bin/sh\n(${waitFor("go-left")}; echo late) &\n`);
    chmodSync(join(dir, "left.sh"), 0o755);
    const child = spawn(EXEC, ["--client=codex", `./left.sh; echo done`], { cwd: dir, env: envOf() });
    const seen = collect(child);
    await once(child, "exit");
    file("go-left", "");
    await once(child, "close");
    expect(seen.text()).toBe("done\nlate\n");
  });

  // tmux, Gradle and ssh-agent start such daemons, and people expect them to be there for the next command.
  it.each([
    ["when the command ends", ""],
    ["when its client ends the command's process group", "; sleep 1000"],
  ])("X-62 a daemon lives on as it would without us, %s", async (_, then) => {
    const pids: number[] = [];
    file(
      "daemon.sh",
      "#!/bin/sh\nsetsid sh -c 'echo $$ > $1; exec sleep 1000' sh \"$1\" >/dev/null 2>&1 </dev/null &\n",
    );
    chmodSync(join(dir, "daemon.sh"), 0o755);
    const pidIn = (name: string) => (isThere(name) ? Number(readFileSync(join(dir, name), "utf8")) : 0);
    for (const [name, program, args] of [
      ["held", EXEC, ["--client=claude-code"]],
      ["bare", "/bin/bash", ["-c"]],
    ] as const) {
      const pidFile = `daemon-${name}${then === "" ? "" : "-ended"}.pid`;
      const command = `./daemon.sh ${pidFile}; cat long.log${then}`;
      const child = spawn(program, [...args, command], { cwd: dir, env: envOf(), detached: true, stdio: "ignore" });
      await until(() => pidIn(pidFile) > 0);
      pids.push(pidIn(pidFile));
      if (then !== "" && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
    try {
      expect(pids.map((pid) => isProcessThere(pid))).toEqual([true, true]);
    } finally {
      for (const pid of pids) process.kill(pid, "SIGKILL");
    }
  });
});
