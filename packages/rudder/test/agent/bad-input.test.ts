// Everything that can be wrong about an agent, and what is left of it: clear words, no process, no half-made thing.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROC } from "@jeeves/base";
import { describe, expect, it } from "vitest";
import { binPath, taskPath } from "../haven-under-test.ts";
import {
  type AgentHaven,
  cleanUpAgents,
  makeAgentHaven,
  processesOf,
  recordOf,
  waitUntil,
  whereIs,
  writes,
} from "./agents-under-test.ts";

cleanUpAgents();

function expectUntouched(test: AgentHaven, taskId = "T001"): void {
  expect(existsSync(join(test.haven, `runs/${taskId}.run`))).toBe(false);
  expect(existsSync(test.worktree(taskId))).toBe(false);
  expect(processesOf(test.dir)).toEqual([]);
}

describe("words that cannot be meant", () => {
  it("RU-17 an unknown provider, task or id, a bad timeout: refused before anything is made", async () => {
    const test = await makeAgentHaven();
    const tries = [
      [["T001", "--provider", "gpt"], "invalid_argument", /claude, codex, scripted/],
      [["T099", "--provider", "scripted"], "not_found", /T099/],
      [["E001"], "invalid_argument", /task id/],
      [["../T001"], "invalid_argument", /task id/],
      [["T001", "--timeout", "0"], "invalid_argument", /seconds/],
      [["T001", "--timeout", "forever"], "invalid_argument", /seconds/],
    ] as const;
    for (const [words, code, text] of tries) {
      const refused = await test.run(["agent", "spawn", "--json", ...words]);
      expect(refused.json).toMatchObject({ error: { code } });
      expect(refused.text).toMatch(text);
    }
    for (const command of ["status", "log", "kill", "reap"]) {
      expect((await test.run(["agent", command, "T001", "--json"])).json).toMatchObject({
        error: { code: "not_found" },
      });
    }
    expect((await test.run(["agent", "list"])).text).toBe("no agents\n");
    expectUntouched(test);
  });

  it("X-31 a task that is Done, or held by another, is refused with the reason", async () => {
    const test = await makeAgentHaven(2);
    await test.json(["task", "done", "T001"]);
    await test.json(["assign", "claim", "T002", "--quiet"], { agent: "bob" });
    const done = await test.run(["agent", "spawn", "T001", "--json"]);
    expect(done.json).toMatchObject({ error: { code: "closed", status: "Done" } });
    for (const more of [[], ["--dry-run"], ["--resume"]]) {
      const held = await test.run(["agent", "spawn", "T002", "--json", ...more]);
      expect(held.json).toMatchObject({ error: { code: "held", holder: "bob" } });
    }
    expect(test.git("branch", "--list")).toBe("* main");
    expect(existsSync(test.worktree("T002"))).toBe(false);
  });

  it("X-28 RU-20 through a server nothing can be started, ended or merged", async () => {
    const test = await makeAgentHaven();
    const place = { project: test.project, projectHash: "0", haven: test.haven };
    for (const words of [
      ["spawn", "T001"],
      ["kill", "T001"],
      ["reap", "T001"],
      ["supervise", "T001", "x"],
    ]) {
      const refused = await test.run(["agent", ...words, "--json"], { place });
      expect(refused.json).toMatchObject({ error: { code: "denied" } });
    }
    expect((await test.run(["agent", "list"], { place })).exitCode).toBe(0);
  });
});

describe("a place that is not as it should be", () => {
  it("RU-17 no repository: no worktree; --no-worktree works, and says that nothing shows its work", async () => {
    const test = await makeAgentHaven(1, { git: false });
    const refused = await test.run(["agent", "spawn", "T001", "--json"]);
    expect(refused.json).toMatchObject({ error: { code: "no_repository" } });
    expect(refused.text).toContain("--no-worktree");
    expectUntouched(test);
    expect((await test.spawn("T001", [{ say: "Hi." }], { args: ["--wait", "--no-worktree"] })).code).toBe(0);
    expect(test.read("memory/T001.log")).toContain("no repository shows what it did");
  });

  it("RU-17 a repository without a commit has nothing to branch from", async () => {
    const test = await makeAgentHaven(1, { git: false });
    test.git("init", "-q");
    const refused = await test.run(["agent", "spawn", "T001", "--json"]);
    expect(refused.json).toMatchObject({ error: { code: "no_repository" } });
    expect(refused.text).toContain("no commit yet");
    // What the refusal advises works.
    const plain = await test.spawn("T001", [{ say: "Hi." }], { args: ["--wait", "--no-worktree"] });
    expect(plain).toMatchObject({ code: 0 });
    expect(test.read("memory/T001.log")).toContain("no repository shows what it did");
  });

  it("RU-17 a branch that exists is refused, and --resume goes on with it", async () => {
    const test = await makeAgentHaven();
    test.git("branch", "task/T001");
    const refused = await test.run(["agent", "spawn", "T001", "--json"]);
    expect(refused.json).toMatchObject({ error: { code: "branch_exists", branch: "task/T001" } });
    expect(refused.text).toContain("--resume");
    expectUntouched(test);
    expect((await test.spawn("T001", [writes("a.txt", "1")], { args: ["--wait", "--resume"] })).code).toBe(0);
    expect(existsSync(join(test.worktree("T001"), "a.txt"))).toBe(true);
    // A worktree that somebody deleted by hand comes back from its branch.
    test.git("-C", test.worktree("T001"), "add", "-A");
    test.git("-C", test.worktree("T001"), "commit", "-qm", "kept");
    rmSync(test.worktree("T001"), { recursive: true });
    await test.json(["task", "update", "T001", "--status", "todo"]);
    expect((await test.spawn("T001", [writes("b.txt", "2")], { args: ["--wait", "--resume"] })).code).toBe(0);
    expect(existsSync(join(test.worktree("T001"), "a.txt"))).toBe(true);
  });

  it("RU-17 a directory where the worktree should be is not taken", async () => {
    const test = await makeAgentHaven();
    mkdirSync(test.worktree("T001"), { recursive: true });
    writeFileSync(join(test.worktree("T001"), "somebody's"), "");
    const args = ["agent", "spawn", "T001", "--json"];
    expect((await test.run(args)).json).toMatchObject({ error: { code: "branch_exists" } });
    expect((await test.run([...args, "--resume"])).exitCode).toBe(1);
    expect(existsSync(join(test.worktree("T001"), "somebody's"))).toBe(true);
  });

  it("RU-20 --sandbox where there is none is refused with what is missing; without a word it is a note", async () => {
    const test = await makeAgentHaven();
    const env = test.env({ PATH: test.fakeSandbox({ without: ["srt", "bwrap"] }).PATH });
    const refused = await test.run(["agent", "spawn", "T001", "--sandbox", "--json"], { env });
    expect(refused.json).toMatchObject({
      error: { code: "sandbox_missing", missing: ["srt", "bwrap", "user namespaces"] },
    });
    expectUntouched(test);
    const planned = await test.run(["agent", "spawn", "T001", "--dry-run"], { env });
    expect(planned.notes.join()).toContain("no sandbox here (srt, bwrap, user namespaces missing)");
  });

  it("RU-17 a damaged record is named, and the others are shown", async () => {
    const test = await makeAgentHaven();
    test.write("agents/T001/agent.json", "{]");
    const listed = await test.run(["agent", "list"]);
    expect(listed.notes.join()).toContain("agents/T001/agent.json");
    expect((await test.run(["agent", "status", "T001", "--json"])).json).toMatchObject({
      error: { code: "broken_state" },
    });
  });
});

describe("an agent that goes wrong", () => {
  it("RU-17 one that cannot be started leaves its task open, and spawn says why", async () => {
    const test = await makeAgentHaven();
    const { PATH } = test.fakeSandbox();
    const failed = await test.rudder(["agent", "spawn", "T001", "--provider", "codex", "--no-sandbox"], { PATH });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/codex is neither on the PATH nor installed/);
    await waitUntil("its end", () => recordOf(test, "T001").state === "error");
    expect(test.read(taskPath(1))).toContain("status: Not Started");
    // The supervisor wrote the record, and ends after that.
    await waitUntil("the end of its supervisor", () => processesOf(test.dir).length === 0);
  });

  it("RU-17 one that never ends is ended by its time limit, with everything that it started", async () => {
    const test = await makeAgentHaven();
    const steps = [{ run: ["sh", "-c", "sleep 1000 & sleep 1000"] }, { say: "never" }];
    const failed = await test.spawn("T001", steps, { args: ["--wait", "--timeout", "1"] });
    expect(failed.code).toBe(1);
    expect(recordOf(test, "T001")).toMatchObject({ state: "error", run_status: "timed_out" });
    await waitUntil("the end of all that it started", () => processesOf(test.dir).length === 0);
    expect(test.read(taskPath(1))).toContain("status: Not Started");
  });

  // What a dead supervisor left is found by /proc alone.
  it.runIf(existsSync(PROC))("RU-17 kill ends what a dead supervisor left running, too", async () => {
    const test = await makeAgentHaven();
    const mark = join(test.dir, "left");
    const left = { run: ["sh", "-c", 'touch "$0"; trap "" TERM; while :; do sleep 1; done', mark] };
    await test.spawn("T001", [left]);
    await waitUntil("its command", () => existsSync(mark));
    process.kill(recordOf(test, "T001").supervisor.pid, "SIGKILL");
    await waitUntil("its end", async () => (await test.run(["agent", "status", "T001"])).text.includes("error"));
    expect(processesOf(mark)).not.toEqual([]);
    const killed = await test.json(["agent", "kill", "T001"]);
    expect(killed.state).toBe("killed");
    expect(killed.leftovers).toBeGreaterThan(0);
    expect(processesOf(mark)).toEqual([]);
    expect((await test.run(["agent", "kill", "T001", "--json"])).json).toMatchObject({ error: { code: "closed" } });
  });

  it("X-30 one whose task was taken over is stopped: no task is worked on twice", async () => {
    const test = await makeAgentHaven();
    await test.spawn("T001", [{ hold: true }], { env: { RUDDER_LEASE_TTL_S: "1" } });
    await test.json(["assign", "release", "T001", "--force", "--status", "todo"], { agent: "bob" });
    await test.json(["assign", "claim", "T001", "--quiet"], { agent: "bob" });
    await waitUntil("its end", () => recordOf(test, "T001").state === "error");
    expect(recordOf(test, "T001").message).toBe("T001 was taken over by bob");
    expect((await test.json(["assign", "list"]))[0]).toMatchObject({ holder: "bob", live: true });
    await waitUntil("its processes' end", () => processesOf(test.dir).length === 0);
  });

  it("RU-17 a haven that vanishes ends its agents, and is not made again by them", async () => {
    const test = await makeAgentHaven();
    await test.spawn("T001", [{ hold: true }], { env: { RUDDER_LEASE_TTL_S: "1" } });
    // At one instant: whoever is in the middle of a write must not keep half of it alive.
    renameSync(test.haven, `${test.haven}-gone`);
    await waitUntil("its end", () => processesOf(test.dir).length === 0);
    expect(existsSync(join(test.haven, "artefacts"))).toBe(false);
  });

  it("RU-17 a spawner that is killed half way leaves nothing that --resume cannot go on with", async () => {
    const test = await makeAgentHaven();
    // A git that takes its time over the worktree.
    const { PATH } = test.fakeSandbox({ without: ["git"] });
    const reached = join(test.dir, "reached");
    writeFileSync(
      join(PATH, "git"),
      `#!/bin/sh\ncase "$*" in *"worktree add"*) "${whereIs("git")}" "$@"; touch '${reached}'; exec sleep 1000;; esac\nexec "${whereIs("git")}" "$@"\n`,
    );
    chmodSync(join(PATH, "git"), 0o755);
    const words = ["agent", "spawn", "T001", "--provider", "scripted", "--no-sandbox"];
    const spawner = spawn(process.execPath, [binPath(), ...words], {
      cwd: test.project,
      env: test.env({ PATH }),
      stdio: "ignore",
    });
    const closed = once(spawner, "close");
    await waitUntil("its worktree", () => existsSync(reached));
    spawner.kill("SIGKILL");
    await closed;
    expect((await test.json(["assign", "list"]))[0]).toMatchObject({ holder: "agent-T001", live: true });
    const refused = { code: "held", holder: "agent-T001", hint: expect.stringContaining("spawn T001 --resume") };
    expect((await test.run(["agent", "spawn", "T001"])).json).toMatchObject({ error: refused });
    expect((await test.spawn("T001", [writes("a.txt", "1")], { args: ["--wait", "--resume"] })).code).toBe(0);
    expect(test.read(taskPath(1))).toContain("status: Done");
  });

  it("X-30 of two spawns at the same instant one wins, and the other names the winner", async () => {
    const test = await makeAgentHaven();
    const both = await Promise.all([test.spawn("T001", [{ hold: true }]), test.spawn("T001", [{ hold: true }])]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    const loser = both.find(({ code }) => code === 1);
    expect(JSON.parse(loser?.stdout ?? "").error).toMatchObject({ holder: "agent-T001" });
    expect(recordOf(test, "T001").attempt).toBe(1);
    expect(await test.json(["agent", "kill", "T001"])).toMatchObject({ state: "killed" });
  });
});
