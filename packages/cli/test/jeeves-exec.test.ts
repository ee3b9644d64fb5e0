import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createMeter } from "@jeeves/cut";
import { createDiskStore } from "@jeeves/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHeld } from "../../intercept/src/commands.ts";
import { HELD, NOT_HELD, PIECES } from "../../intercept/test/command-examples.ts";
import { bare, collect, dir, EXEC, envOf, file, run, scratch, start, until } from "./jeeves-exec-given.ts";

const log = [
  ...Array.from({ length: 9_000 }, (_, i) => ` ✓ test/area-${i % 23}.test.ts > case ${i} takes ${i % 13}ms`),
  " FAIL  test/login.test.ts > a wrong password is refused",
  "AssertionError: expected 200 to be 401",
  ...Array.from({ length: 9_000 }, (_, i) => ` ✓ test/part-${i % 23}.test.ts > case ${i} takes ${i % 13}ms`),
  " Tests  1 failed | 18000 passed",
  "",
].join("\n");

describe("which commands", () => {
  const tell = (command: string, args = ["--client=codex"]) =>
    run(command, { args: [...args, "--tell"] })
      .stdout.toString()
      .trim();

  it("agrees with the engine on every example", () => {
    expect(HELD.filter((command) => tell(command) !== "held")).toEqual([]);
    expect(NOT_HELD.filter((command) => tell(command) !== "untouched")).toEqual([]);
  });

  it("agrees with the engine on whatever is made of the words that the rules know", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 9 }), (pieces) => {
        const command = pieces.join(" ");
        expect(tell(command)).toBe(isHeld(command) ? "held" : "untouched");
      }),
      { numRuns: 400 },
    );
  });

  it("sees the model's command inside what Claude Code makes of it, and leaves its servers and hooks alone", () => {
    const wrap = (command: string) =>
      `source /x/snapshot.sh 2>/dev/null || true && { shopt -u extglob; } >/dev/null 2>&1 || true && eval ${command} < /dev/null && pwd -P >| /tmp/claude-cwd`;
    expect(tell(wrap("'npm test'"), [])).toBe("held");
    expect(tell(wrap("\"npm test -- -t 'a b'\""), [])).toBe("held");
    expect(tell(wrap("'echo hi'"), [])).toBe("untouched");
    expect(tell(wrap("'npm start'"), [])).toBe("untouched");
    expect(tell("cat server.js", [])).toBe("untouched");
  });
});

describe("beyond the gate", () => {
  it("X-52 the meter has the model's command as the model wrote it, however Claude Code quoted it", async () => {
    file("long.log", log);
    const env = { JEEVES_STATE_DIR: join(dir, "quoted"), CLAUDE_CODE_SESSION_ID: "q1" };
    const written = `cat "long.log" | grep -v 'it''s "$HOME"'`;
    const single = `'${written.replaceAll("'", `'"'"'`)}'`;
    const double = `"${written.replace(/(["\\$`!])/g, "\\$1")}"`;
    for (const word of [single, double]) {
      run(`true && eval ${word} < /dev/null && pwd -P >| cwd.txt`, { env, args: [] });
    }
    const entries = await createMeter(envOf(env)).entriesOf("q1");
    expect(entries.map(({ kind, what }) => [kind, what])).toEqual([
      ["cut", written],
      ["repeated", written],
    ]);
  });

  it("X-51 X-21 a failing run keeps its failure and its exit code, fits its client, and comes back byte for byte", async () => {
    file("long.log", log);
    const done = run("cat long.log; exit 3", { args: ["--client=claude-code", "--session=s1"] });
    const shown = done.stdout.toString();
    expect(done.status).toBe(3);
    expect(shown).toContain("AssertionError: expected 200 to be 401\n");
    expect(shown).toContain(" Tests  1 failed | 18000 passed\n");
    expect(shown.length).toBeLessThanOrEqual(9_000);
    expect(shown.length).toBeLessThan(4_000);
    const [id = ""] = /prn_[a-z2-7]{12}/.exec(shown) ?? [];
    expect((await createDiskStore({ env: envOf() }).get(id))?.text).toBe(log);
  });

  it("X-52 shadow and off print the bare command's bytes", () => {
    file("long.log", log);
    for (const mode of ["shadow", "off", "Shadow", " OFF"]) {
      expect(run("cat long.log", { env: { JEEVES_MODE: mode } }).stdout.equals(Buffer.from(log))).toBe(true);
    }
  });

  it("X-52 X-21 a mode and a state directory that were named hold where the environment has none", async () => {
    file("long.log", log);
    const bareEnv = { JEEVES_STATE_DIR: "" };
    const shadow = run("cat long.log", { env: bareEnv, args: ["--client=codex", "--mode=shadow"] });
    expect(shadow.stdout.equals(Buffer.from(log))).toBe(true);
    expect(run("cat long.log", { args: ["--client=codex", "--mode=off"] }).stdout.equals(Buffer.from(log))).toBe(true);
    const named = join(dir, "named state");
    const cut = run("cat long.log", { env: bareEnv, args: ["--client=codex", `--state-dir=${named}`] });
    const [id = ""] = /prn_[a-z2-7]{12}/.exec(cut.stdout.toString()) ?? [];
    expect((await createDiskStore({ env: envOf({ JEEVES_STATE_DIR: named }) }).get(id))?.text).toBe(log);
  });

  it("X-56 a session whose cuts cost more than they saved reads so once, and gets everything", async () => {
    file("long.log", log);
    const env = { JEEVES_STATE_DIR: join(dir, "asked"), JEEVES_RUN_ID: "run-1" };
    const meter = createMeter(envOf(env));
    const about = { session: "s9", client: "codex", tool: "Bash", project: dir, raw_tokens: 9, kept_tokens: 1 };
    for (let i = 0; i < 4; i++) {
      await meter.record({ kind: "cut", ...about });
      await meter.record({ kind: "recovered", ...about });
    }
    const args = ["--client=codex", "--session=s9"];
    const said = "[jeeves: cuts cost more than they saved; this session is no longer cut]\n";
    expect(run("cat long.log", { env, args }).stdout.toString()).toBe(log + said);
    expect(run("cat long.log", { env, args }).stdout.toString()).toBe(log);
    expect(run("cat long.log", { env, args: ["--client=codex", "--session=other"] }).stdout.toString()).not.toBe(log);
    expect(await meter.entriesOf("s9").then((entries) => entries.at(-1))).toMatchObject({
      kind: "stopped",
      what: "cat long.log",
      run_id: "run-1",
    });
  });

  it.each([
    [
      "codex",
      { CODEX_THREAD_ID: "0a-1b", CODEX_HOME: "DIR/codex" },
      "codex/sessions/2026/11/15/rollout-2026-0a-1b.jsonl",
    ],
    [
      "claude-code",
      { CLAUDE_CODE_SESSION_ID: "0a-1b", CLAUDE_CONFIG_DIR: "DIR/claude" },
      "claude/projects/x/0a-1b.jsonl",
    ],
  ])(
    "X-52 %s names its session to its commands, and what its user asked is in the transcript",
    async (client, own, path) => {
      file("long.log", log);
      mkdirSync(join(dir, path, ".."), { recursive: true });
      const said = { role: "user", content: [{ type: "input_text", text: "Why is a wrong password not refused?" }] };
      const line =
        client === "codex"
          ? { type: "response_item", payload: { type: "message", ...said } }
          : { type: "user", message: said };
      // Claude's words are of type text.
      file(path, `${JSON.stringify(line).replace("input_text", client === "codex" ? "input_text" : "text")}\n`);
      const places = Object.entries(own).map(([name, value]) => [name, value.replace("DIR", dir)]);
      const env = { ...Object.fromEntries(places), JEEVES_STATE_DIR: join(dir, `named-${client}`) };
      run("cat long.log", { env, args: [`--client=${client}`] });
      expect(await createMeter(envOf(env)).entriesOf("0a-1b")).toMatchObject([
        { kind: "cut", client, what: "cat long.log", focus: "cat long.log\nWhy is a wrong password not refused?" },
      ]);
    },
  );

  it("JEEVES_HOOKS=off prints the bare command's bytes", () => {
    file("long.log", log);
    expect(run("cat long.log", { env: { JEEVES_HOOKS: "off" } }).stdout.equals(Buffer.from(log))).toBe(true);
  });

  it("what the user tells Node to do with the command is told to the command alone", () => {
    file("long.log", log);
    const env = { NODE_OPTIONS: "--require=/nowhere/hook.js" };
    expect(run("cat long.log", { env }).stdout.toString()).toMatch(/recover_text prn_[a-z2-7]{12}\]\n$/);
    expect(run('cat /dev/null; echo "$NODE_OPTIONS"', { env }).stdout.toString()).toBe(`${env.NODE_OPTIONS}\n`);
  });

  it("X-21 where nothing can be stored, everything is printed", () => {
    file("long.log", log);
    const nowhere = { JEEVES_STATE_DIR: "/dev/null/state", JEEVES_STORE_MAX_BYTES: "1" };
    expect(run("cat long.log", { env: nowhere }).stdout.equals(Buffer.from(log))).toBe(true);
  });

  it("without Node everything is printed", () => {
    file("long.log", log);
    expect(run("cat long.log", { env: { JEEVES_NODE: "no-such-node" } }).stdout.equals(Buffer.from(log))).toBe(true);
  });
});

describe("the bare command's", () => {
  it("bytes, whatever the mix of stdout, stderr, binary and partial lines", { timeout: 120_000 }, () => {
    const piece = fc.record({
      to: fc.constantFrom("1", "2"),
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.uint8Array({ minLength: 6_000, maxLength: 9_000 }),
        fc.string({ unit: "grapheme", maxLength: 200 }).map((text) => Buffer.from(text)),
        fc.constant(Buffer.from("line\n".repeat(3_000))),
      ),
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), fc.integer({ min: 0, max: 255 }), (pieces, exitCode) => {
        const names = pieces.map(({ bytes }, index) => file(`piece-${index}`, Buffer.from(bytes)));
        const cats = pieces.map(({ to }, index) => `cat ${names[index]} >&${to}`);
        const command = ["cat /dev/null", ...cats, `exit ${exitCode}`].join("; ");
        expect(run(command, { env: { JEEVES_MODE: "shadow" } })).toEqual(bare(command));
        expect(run(command, { env: { JEEVES_NODE: "no-such-node" } })).toEqual(bare(command));
      }),
      { numRuns: 12 },
    );
  });

  it("order, where stdout and stderr are one file", () => {
    const command = "cat /dev/null; for i in 1 2 3 4 5 6 7 8; do echo out $i; echo err $i >&2; done";
    const done = spawnSync("/bin/sh", ["-c", '"$0" --client=gemini "$1" 2>&1', EXEC, command], { env: envOf() });
    expect(done.stdout.toString()).toBe([1, 2, 3, 4, 5, 6, 7, 8].map((i) => `out ${i}\nerr ${i}\n`).join(""));
  });

  it("stdin, exit code and death by a signal", () => {
    expect(run("cat - | tr a-z A-Z", { input: "hello" }).stdout.toString()).toBe("HELLO");
    expect(run("cat /dev/null; exit 42").status).toBe(42);
    expect(run("cat /dev/null; kill -9 $$")).toMatchObject({ status: null, signal: "SIGKILL" });
    expect(run("cat /nowhere").status).toBe(bare("cat /nowhere").status);
  });

  it("umask, working directory and environment", () => {
    const command = "cat /dev/null; umask; pwd; env | sort | grep -v -e '^_=' -e SHLVL -e OLDPWD";
    expect(run(command).stdout.toString()).toBe(bare(command).stdout.toString());
  });

  it("freedom to leave a process behind that holds its output", async () => {
    file("leave.sh", "#!/bin/sh\n(while [ ! -e stop-left ]; do sleep 0.1; done) &\nexit 0\n");
    chmodSync(join(dir, "leave.sh"), 0o755);
    const child = start("cat /dev/null; ./leave.sh; echo done");
    const seen = collect(child);
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    await until(() => seen.text() === "done\n");
    file("stop-left", "");
    await once(child, "close");
  });

  it("end, although a process that it left behind goes on printing", async () => {
    const chat = "#!/bin/sh\n(while [ ! -e stop-chat ]; do echo tick; sleep 0.02; done) &\necho started\n";
    file("chat.sh", chat);
    chmodSync(join(dir, "chat.sh"), 0o755);
    const child = start("cat /dev/null; ./chat.sh");
    const seen = collect(child);
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    const ticks = seen.text().length;
    await until(() => seen.text().length > ticks);
    file("stop-chat", "");
    await once(child, "close");
    expect(seen.text()).toMatch(/^(started\n|tick\n)+$/);
  });

  it.each(["SIGINT", "SIGQUIT", "SIGTERM"] as const)("end by a %s that was sent to us alone", async (signal) => {
    const child = start(`cat /dev/null; echo started; touch on-${signal}; exec sleep 300`, { detached: true });
    const seen = collect(child);
    await until(() => existsSync(join(dir, `on-${signal}`)));
    child.kill(signal);
    const [, by] = await once(child, "close");
    expect(by).toBe(signal);
    expect(seen.text()).toBe("started\n");
  });

  it("end on Ctrl-C: nothing is left running, and no file is left behind", async () => {
    const command = "cat /dev/null; echo started; touch before-ctrl-c; sleep 300";
    const child = start(command, { detached: true });
    const seen = collect(child);
    await until(() => existsSync(join(dir, "before-ctrl-c")));
    const group = child.pid ?? 0;
    process.kill(-group, "SIGINT");
    await once(child, "close");
    expect(seen.text()).toBe("started\n");
    await until(() => membersOf(group).length === 0);
    expect(readdirSync(scratch)).toEqual([]);
  });
});

function membersOf(group: number): string[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      return fields[2] === String(group) && fields[0] !== "Z";
    } catch {
      return false;
    }
  });
}
