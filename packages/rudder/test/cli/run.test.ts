// Commands as functions: what a server needs, so that an agent without any right to write still gets its work done.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type HavenStore, openFileStore, runRudder, splitGroup } from "../../src/index.ts";
import { projectForTest, taskPath } from "../haven-under-test.ts";

describe("runRudder", () => {
  it("R-01 R-02 a host runs commands on a caller's behalf: runs/, memory/ and artefacts/ are written by it alone", async () => {
    const test = await projectForTest(1);
    let opened = 0;
    let store: HavenStore | undefined;
    const context = {
      cwd: test.project,
      env: test.env(),
      caller: { kind: "name" as const, name: "sandboxed" },
      openStore: (options: { readonly haven: string }) => {
        opened += 1;
        store ??= openFileStore(options);
        return store;
      },
    };
    const call = async (...argv: string[]) => {
      const outcome = await runRudder(argv, context);
      expect(outcome, argv.join(" ")).toMatchObject({ exitCode: 0 });
      return outcome;
    };
    const claimed = await call("assign", "claim", "T001");
    expect(claimed.json).toMatchObject({ holder: "sandboxed", context: expect.stringContaining("Do number 1.") });
    expect(existsSync(join(test.haven, "runs/T001.run"))).toBe(true);
    await call("task", "log", "T001", "learned", "--tip");
    expect(test.read("memory/T001.log")).toContain('[TIP] learned {{{"by":"sandboxed"}}}');
    await call("artifact", "edit", "T001", "--section", "Notes", "--append", "n");
    await call("assign", "release", "T001");
    expect(test.read(taskPath(1))).toContain("status: Done");
    expect(opened).toBe(4);
  });

  it("RU-14 task log takes a level as a flag or a value, files, a snippet and a command; two levels are one too many", async () => {
    const test = await projectForTest(1);
    for (const level of ["info", "tip", "warn", "error", "critical"]) {
      expect((await test.json(["task", "log", "T001", "m", `--${level}`])).level).toBe(level);
      expect((await test.json(["task", "log", "T001", "m", "--level", level])).level).toBe(level);
    }
    expect((await test.json(["task", "log", "T001", "m"])).level).toBe("info");
    const all = await test.json([
      "task",
      "log",
      "T1",
      "m",
      "-f",
      "a,b.js",
      "-f",
      "c.js",
      "-s",
      "x = 1",
      "-c",
      "rm -rf /",
    ]);
    expect(all).toMatchObject({ id: "T001", files: ["a,b.js", "c.js"], snippet: "x = 1", command: "rm -rf /" });
    expect((await test.run(["task", "log", "T001", "m", "--tip", "--warn"])).exitCode).toBe(2);
    expect((await test.run(["task", "log", "T001", "  "])).exitCode).toBe(2);
    expect((await test.run(["task", "log", "T001", "x".repeat(20_000)])).exitCode).toBe(2);
    expect((await test.run(["task", "log", "T999", "m"])).exitCode).toBe(1);
  });

  it("RU-12 a claim logs its start and brings task, epic and memory; what the task still waits for is said", async () => {
    const test = await projectForTest(2);
    await test.run(["deps", "add", "T002", "--blocked-by", "T001"]);
    const refused = await test.run(["assign", "claim", "T002"], { agent: "ada" });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "blocked", waits_for: ["T001"] } } });
    const claimed = await test.run(["assign", "claim", "T002", "--force", "--operation", "review"], { agent: "ada" });
    expect(claimed.notes).toEqual(["T002 still waits for T001 (Not Started)"]);
    expect(test.read("runs/T002.run")).toContain("operation: review");
    expect(test.read("memory/T002.log")).toContain("[INFO] Starting: Task 2");
  });

  it("RU-02 RU-22 groups and versions: every group answers, and versions name what cannot be read", async () => {
    const test = await projectForTest(1);
    for (const group of ["prd", "epic", "task", "deps", "assign", "context", "memory", "artifact"]) {
      expect(await test.run([group, "--help"])).toMatchObject({ exitCode: 0 });
      const alone = await test.run([group]);
      expect(alone.exitCode).toBe(2);
      expect(alone.text).toContain(`a command is missing\n\nUsage: rudder ${group}`);
    }
    test.write("../project/components.yaml", "core: { file: missing.json }\n");
    const versions = await test.run(["versions"]);
    expect(versions).toMatchObject({ exitCode: 0, json: [{ name: "core", version: null }] });
    expect(versions.notes.join()).toContain("missing.json");
  });

  it("RU-22 a version by a pattern; one that would never end is given up, and named", async () => {
    const test = await projectForTest(1);
    test.write("../project/v.txt", `version = 1.20\n${"a".repeat(60)}!\n`);
    test.write(
      "../project/components.yaml",
      'core: { file: v.txt, extractor: regex, pattern: "version = (.*)" }\nslow: { file: v.txt, extractor: regex, pattern: "(a+)+$" }\n',
    );
    const versions = await test.run(["versions"]);
    expect(versions.json).toMatchObject([
      { name: "core", version: "1.20" },
      { name: "slow", version: null },
    ]);
    expect(versions.notes.join()).toContain("v.txt holds no version (regex)");
  });

  it("X-24 only the first word is split at its colon", () => {
    expect(splitGroup(["task:log", "T001", "a:b"])).toEqual(["task", "log", "T001", "a:b"]);
    expect(splitGroup(["--json", "--root", "x:y", "deps:ready"])).toEqual(["--json", "--root", "x:y", "deps", "ready"]);
    expect(splitGroup(["task", "log", "T001", "task:log"])).toEqual(["task", "log", "T001", "task:log"]);
  });

  it("X-24 a signal stops a command that waits, and the haven stays as it was", async () => {
    const test = await projectForTest(1);
    const before = test.read(taskPath(1));
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(test.run(["assign", "claim", "T001"], { signal })).rejects.toThrow("stop");
    expect(test.read(taskPath(1))).toBe(before);
    expect(existsSync(join(test.haven, "runs/T001.run"))).toBe(false);
  });

  it("X-24 a list that is cut names the option that shows the rest; filters stay", async () => {
    const test = await projectForTest(3);
    const { text } = await test.run(["task", "list", "--status", "todo", "--limit", "1"]);
    expect(text).toMatch(/\n… 2 more: --limit 3\n$/);
  });
});
