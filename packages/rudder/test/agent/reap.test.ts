// What becomes of an agent's work: merged back, or not and why, and in no case lost.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROC } from "@jeeves/base";
import { describe, expect, it } from "vitest";
import { type Json, taskPath } from "../haven-under-test.ts";
import {
  type AgentHaven,
  cleanUpAgents,
  makeAgentHaven,
  processesOf,
  recordOf,
  type Step,
  waitUntil,
  writeIn,
  writes,
} from "./agents-under-test.ts";

cleanUpAgents();

const COMMIT: Step = { run: ["sh", "-c", "git add -A && git commit -qm 'by the agent'"] };

async function ended(steps: readonly Step[]): Promise<AgentHaven> {
  const test = await makeAgentHaven();
  await test.spawn("T001", steps, { args: ["--wait"] });
  return test;
}

const reap = (test: AgentHaven, ...args: readonly string[]) => test.run(["agent", "reap", "T001", "--json", ...args]);
const codeOf = async (test: AgentHaven): Promise<unknown> => ((await reap(test)).json as Json).error?.code;

/** Everything that a refused merge must leave as it was. */
function picture(test: AgentHaven): unknown {
  return {
    main: test.git("rev-parse", "main"),
    branch: test.git("rev-parse", "task/T001"),
    status: test.git("status", "--porcelain"),
    stash: test.git("stash", "list"),
    inWorktree: test.git("-C", test.worktree("T001"), "status", "--porcelain"),
    isMerging: existsSync(join(test.project, ".git/MERGE_HEAD")),
    state: recordOf(test, "T001").state,
  };
}

describe("agent reap", () => {
  it("RU-17 merges the branch back, removes worktree and branch, and says so", async () => {
    const test = await ended([writes("a.txt", "1"), COMMIT]);
    const done = await reap(test);
    expect(done.json).toMatchObject({ state: "reaped", merged_commits: 1 });
    expect(readFileSync(join(test.project, "a.txt"), "utf8")).toBe("1");
    expect(test.git("log", "-1", "--format=%s %P").split(" ").slice(0, 2)).toEqual(["Merge", "task/T001:"]);
    expect(test.git("branch", "--list")).toBe("* main");
    expect(test.git("worktree", "list").split("\n")).toHaveLength(1);
    expect(existsSync(test.worktree("T001"))).toBe(false);
    expect((await reap(test)).json).toMatchObject({ error: { code: "closed" } });
    expect((await test.run(["agent", "list"])).text).toMatch(/T001 {2}agent-T001 {2}reaped/);
  });

  it("RU-17 a dirty worktree is refused by the names of its files; --commit takes them along as the agent's commit", async () => {
    const test = await ended([writes("a.txt", "1"), writes("base.txt", "changed")]);
    const before = picture(test);
    const refused = await reap(test);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "dirty", files: ["base.txt", "a.txt"] } } });
    expect(picture(test)).toEqual(before);
    const env = test.env({ GIT_AUTHOR_NAME: "Bob", GIT_AUTHOR_EMAIL: "bob@example.invalid" });
    const done = await test.run(["agent", "reap", "T001", "--commit", "--json"], { env });
    expect(done.json).toMatchObject({ state: "reaped", merged_commits: 1 });
    expect(test.git("log", "-1", "--format=%an %s", "HEAD^2")).toBe("agent-T001 T001: Task 1");
    expect(readFileSync(join(test.project, "base.txt"), "utf8")).toBe("changed");
  });

  it("RU-17 a merge that conflicts is said with its files, and both sides stay as they were", async () => {
    const test = await ended([writes("base.txt", "the agent's\n"), COMMIT]);
    writeFileSync(join(test.project, "base.txt"), "mine\n");
    test.git("commit", "-qam", "mine");
    // Uncommitted work of the user beside it: an abort that is not exact would lose it.
    writeIn(test.project, ".gitignore", ".sailing\nlocal\n");
    writeIn(test.project, "new.txt", "not added yet");
    const before = picture(test);
    const refused = await reap(test);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "conflict", files: ["base.txt"] } } });
    expect(refused.text).toContain("git merge task/T001");
    expect(picture(test)).toEqual(before);
    expect(readFileSync(join(test.project, ".gitignore"), "utf8")).toBe(".sailing\nlocal\n");
    expect(readFileSync(join(test.project, "base.txt"), "utf8")).toBe("mine\n");
    // As the hint says: by hand, and then there is nothing left to merge.
    test.git("checkout", "-q", "--", ".gitignore");
    test.git("merge", "-q", "-X", "ours", "-m", "by hand", "task/T001");
    expect((await reap(test)).json).toMatchObject({ state: "reaped", merge: null });
  });

  it("RU-17 --commit on a conflict committed in the branch and said that nothing changed: it names the commit", async () => {
    const test = await ended([writes("base.txt", "the agent's\n")]);
    writeFileSync(join(test.project, "base.txt"), "mine\n");
    test.git("commit", "-qam", "mine");
    const head = test.git("rev-parse", "main");
    const refused = await reap(test, "--commit");
    const committed = test.git("rev-parse", "task/T001");
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "conflict", committed } } });
    expect(refused.text).toContain(`its uncommitted work is now commit ${committed.slice(0, 12)} on task/T001`);
    expect(refused.text).not.toContain("nothing was changed");
    expect(test.git("rev-parse", "main")).toBe(head);
    expect(test.git("log", "-1", "--format=%an", "task/T001")).toBe("agent-T001");
    // Once more there is nothing to commit: then it is true that nothing changes.
    expect((await reap(test, "--commit")).text).toContain("nothing was changed");
  });

  it("RU-17 uncommitted changes of the user that are in the way are named, and kept", async () => {
    const test = await ended([writes("base.txt", "the agent's\n"), COMMIT]);
    writeFileSync(join(test.project, "base.txt"), "mine, not committed\n");
    const before = picture(test);
    const refused = await reap(test);
    expect(refused.json).toMatchObject({ error: { code: "dirty", files: ["base.txt"] } });
    expect(picture(test)).toEqual(before);
    expect(readFileSync(join(test.project, "base.txt"), "utf8")).toBe("mine, not committed\n");
  });

  it("RU-17 a merge that is under way is not touched", async () => {
    const test = await ended([writes("a.txt", "1"), COMMIT]);
    test.git("checkout", "-qb", "other");
    writeFileSync(join(test.project, "base.txt"), "other\n");
    test.git("commit", "-qam", "other");
    test.git("checkout", "-q", "main");
    writeFileSync(join(test.project, "base.txt"), "main\n");
    test.git("commit", "-qam", "main");
    expect(() => test.git("merge", "-q", "other")).toThrow();
    const before = picture(test);
    expect((await reap(test)).exitCode).toBe(1);
    expect(picture(test)).toEqual(before);
    expect(readFileSync(join(test.project, "base.txt"), "utf8")).toContain("<<<<<<<");
  });

  it("RU-17 only into the branch that the work came from", async () => {
    const test = await ended([writes("a.txt", "1"), COMMIT]);
    test.git("checkout", "-qb", "elsewhere");
    const refused = await reap(test);
    expect(refused.json).toMatchObject({ error: { code: "conflict" } });
    expect(refused.text).toContain("git switch main");
    expect(test.git("log", "--format=%s")).toBe("begin");
  });

  it("RU-17 commits that are on no branch are not lost with the worktree: reap refuses, and says how to keep them", async () => {
    const test = await ended([
      { run: ["sh", "-c", "git checkout -q --detach && echo 1 > a.txt && git add -A && git commit -qm x"] },
    ]);
    for (const args of [[], ["--commit"], ["--reject"]]) {
      expect((await reap(test, ...args)).json).toMatchObject({ error: { code: "conflict" } });
    }
    test.git("-C", test.worktree("T001"), "switch", "-q", "-C", "task/T001");
    expect((await reap(test)).json).toMatchObject({ state: "reaped", merged_commits: 1 });
    expect(test.git("show", "main:a.txt")).toBe("1");
  });

  it("RU-17 a worktree that was deleted by hand leaves nothing behind, and its commits are merged", async () => {
    const test = await ended([writes("a.txt", "1"), COMMIT]);
    rmSync(test.worktree("T001"), { recursive: true });
    expect((await reap(test)).json).toMatchObject({ state: "reaped", merged_commits: 1 });
    expect(test.git("branch", "--list")).toBe("* main");
    expect(test.git("worktree", "list").split("\n")).toHaveLength(1);
  });

  it("RU-17 a worktree that git would not remove is left and said, and the work is merged all the same", async () => {
    const test = await makeAgentHaven();
    const part = join(test.dir, "part");
    test.git("init", "-q", part);
    test.git(
      "-C",
      part,
      "-c",
      "user.name=Ada",
      "-c",
      "user.email=a@example.invalid",
      "commit",
      "-qm",
      "1",
      "--allow-empty",
    );
    test.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", part, "part");
    test.git("commit", "-qm", "with a part");
    const init: Step = { run: ["git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init"] };
    await test.spawn("T001", [init, writes("a.txt", "1"), COMMIT], { args: ["--wait"] });
    const done = await test.run(["agent", "reap", "T001"]);
    expect(done).toMatchObject({ exitCode: 0, text: expect.stringContaining("1 commit merged into main") });
    expect(done.notes.join("\n")).toContain("submodules");
    expect(done.notes.join("\n")).toContain(`worktree remove --force ${test.worktree("T001")}`);
    expect(recordOf(test, "T001").state).toBe("reaped");
    expect(readFileSync(join(test.project, "a.txt"), "utf8")).toBe("1");
  });

  // What a dead supervisor left is found by /proc alone.
  it.runIf(existsSync(PROC))(
    "RU-17 what a killed supervisor left running is ended before its work is looked at",
    async () => {
      const test = await makeAgentHaven();
      const beats = join(test.dir, "beats");
      const beat: Step = { run: ["sh", "-c", `echo 1 > a.txt; while :; do echo . >> "${beats}"; sleep 0.1; done`] };
      await test.spawn("T001", [beat]);
      await waitUntil("the agent's work", () => existsSync(beats));
      const { supervisor } = recordOf(test, "T001");
      process.kill(supervisor?.pid ?? 0, "SIGKILL");
      await waitUntil("the end of its supervisor", async () => (await codeOf(test)) !== "agent_running");
      expect((await reap(test, "--force", "--commit")).json).toMatchObject({ state: "reaped", merged_commits: 1 });
      expect(processesOf(test.dir)).toEqual([]);
    },
  );

  it("RU-17 an agent that failed is merged only by force, and --reject keeps its work on a branch of its own", async () => {
    const test = await ended([writes("a.txt", "1"), { fail: "it did not compile" }]);
    expect(recordOf(test, "T001")).toMatchObject({ state: "error", message: "it did not compile" });
    const refused = await reap(test);
    expect(refused.json).toMatchObject({ error: { code: "agent_failed", state: "error" } });
    expect((await reap(test, "--reject")).json).toMatchObject({ state: "rejected", kept_on: "rejected/T001-1" });
    expect(test.git("show", "rejected/T001-1:a.txt")).toBe("1");
    expect(test.read(taskPath(1))).toContain("status: Not Started");
    expect(existsSync(join(test.project, "a.txt"))).toBe(false);
    // Its name is free for the next attempt.
    expect((await test.spawn("T001", [writes("b.txt", "2"), COMMIT], { args: ["--wait"] })).code).toBe(0);
    expect(recordOf(test, "T001")).toMatchObject({ name: "agent-T001-2", attempt: 2 });
    expect((await reap(test)).json).toMatchObject({ state: "reaped" });
  });

  it("RU-17 --reject of a task that was Done opens it again", async () => {
    const test = await ended([writes("a.txt", "1"), COMMIT]);
    expect(test.read(taskPath(1))).toContain("status: Done");
    expect((await reap(test, "--reject")).json).toMatchObject({ state: "rejected", kept_on: "rejected/T001-1" });
    expect(test.read(taskPath(1))).toContain("status: Not Started");
    // An attempt without a commit has nothing to keep.
    await test.spawn("T001", [{ say: "Nothing." }], { args: ["--wait"] });
    expect((await reap(test, "--reject")).json).toMatchObject({ state: "rejected", kept_on: null });
    expect(test.git("branch", "--list", "--format=%(refname:short)")).toBe("main\nrejected/T001-1");
  });

  it("RU-20 nothing that an agent wrote is run by reap: no hook, no filter, no repository of its own making", async () => {
    const test = await makeAgentHaven();
    test.git("config", "core.hooksPath", "hooks");
    const trap = (name: string) => `#!/bin/sh\ntouch "${test.dir}/ran-${name}"\n`;
    const evil = `[core]\n  fsmonitor = "touch ${test.dir}/ran-fsmonitor"\n  repositoryformatversion = 0\n[filter "x"]\n  clean = "touch ${test.dir}/ran-filter; cat"\n`;
    await test.spawn(
      "T001",
      [
        ...["pre-commit", "post-commit", "pre-merge-commit", "post-merge", "commit-msg"].map((name) =>
          writes(`hooks-${name}`, trap(name)),
        ),
        {
          run: [
            "sh",
            "-c",
            "mkdir hooks; for f in hooks-*; do mv $f hooks/$(echo $f | cut -c7-); done; chmod +x hooks/*",
          ],
        },
        writes(".gitattributes", "* filter=x\n"),
        // A repository of its own making in place of ours.
        {
          run: [
            "sh",
            "-c",
            [
              'g="git --git-dir $1/.git --work-tree ."; git init -q "$1"; $g add -A',
              "$g -c user.name=x -c user.email=x@x commit -qm x",
              'printf %s "$0" > "$1/.git/config"; printf "gitdir: %s/.git" "$1" > .git; echo changed >> base.txt',
            ].join("; "),
            evil,
            join(test.dir, "evil"),
          ],
        },
      ],
      { args: ["--wait"] },
    );
    const done = await reap(test, "--commit");
    expect(done.json).toMatchObject({ state: "reaped" });
    expect(existsSync(join(test.project, "hooks/post-merge"))).toBe(true);
    for (const name of [
      "pre-commit",
      "post-commit",
      "commit-msg",
      "pre-merge-commit",
      "post-merge",
      "fsmonitor",
      "filter",
    ]) {
      expect({ name, ran: existsSync(join(test.dir, `ran-${name}`)) }).toEqual({ name, ran: false });
    }
  });
});
