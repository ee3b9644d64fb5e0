// A haven that somebody reached into: other things where files and directories should be, another encoding, links. What
// is hurt is named with its place; everything else goes on; nothing waits, nothing is lost.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openFileStore } from "../../src/haven/file-store.ts";
import { commandTask } from "../../src/tasks/change-task.ts";
import { type BinResult, projectForTest, spawnBin, taskPath, taskText } from "../haven-under-test.ts";

const COMMANDS = [
  ["status"],
  ["deps", "ready"],
  ["assign", "list"],
  ["task", "show", "T001"],
  ["context", "load", "T001"],
  ["task", "show-memory", "T001"],
  ["task", "log", "T001", "hi"],
  ["assign", "claim", "T002", "--quiet"],
  ["memory", "add", "project", "x"],
  ["memory", "sync"],
  ["task", "create", "E001", "New"],
];

it("RU-17 a haven that is moved away in the middle of a change is not made again by it", async () => {
  const test = await projectForTest(1);
  const store = openFileStore({ haven: test.haven });
  const caller = { kind: "name", name: "ada" } as const;
  const moved = commandTask(
    { store, signal: undefined, projectHash: "x" },
    {
      taskId: "T001",
      command: { kind: "claim", by: caller, ttlMs: 60_000, operation: "task-start", pid: 0 },
      extra: () => {
        renameSync(test.haven, `${test.haven}-gone`);
        return { value: undefined };
      },
    },
  );
  await expect(moved).rejects.toMatchObject({ code: "no_haven" });
  expect(existsSync(test.haven)).toBe(false);
});

describe("something else in a file's place", () => {
  it.each([
    "runs/T001.run",
    "memory/T001.log",
    "memory/E001.log",
    "memory/E001.md",
    "artefacts/MEMORY.md",
    "assignments/T002.yaml",
    "runs/audit.jsonl",
    "state.json",
    ".cache/artefacts.json",
  ])("X-24 a directory as %s is named by what needs it, and is nobody's internal error", async (path) => {
    const test = await projectForTest(2);
    rmSync(join(test.haven, path), { force: true });
    mkdirSync(join(test.haven, path), { recursive: true });
    for (const argv of COMMANDS) {
      const outcome = await test.run(argv);
      if (outcome.exitCode !== 0) {
        expect(outcome).toMatchObject({ exitCode: 1, json: { error: { code: "broken_state" } } });
        expect(outcome.text).toContain(path);
      }
    }
    expect(await test.run(["status"])).toMatchObject({ exitCode: 0 });
  });

  it.each(["runs", "memory", "assignments", ".lock", ".cache"])("X-24 a file as %s is named", async (path) => {
    const test = await projectForTest(2);
    rmSync(join(test.haven, path), { force: true, recursive: true });
    writeFileSync(join(test.haven, path), "x");
    const failed = [];
    for (const argv of COMMANDS) {
      const outcome = await test.run(argv);
      if (outcome.exitCode === 0) continue;
      failed.push(argv.join(" "));
      expect(outcome).toMatchObject({ exitCode: 1, json: { error: { code: "broken_state" } } });
      expect(outcome.text).toContain(join(test.haven, path));
    }
    // A cache may be anything at any time.
    expect(failed.length > 0).toBe(path !== ".cache");
  });

  it("X-24 a named pipe is not waited for, and takes no line that would be lost", async () => {
    const test = await projectForTest(2);
    const within = (argv: readonly string[]): Promise<BinResult> =>
      spawnBin(argv, { cwd: test.project, env: test.env(), before: ["timeout", "-s", "KILL", "30"] });
    for (const path of ["runs/T001.run", "memory/T001.log", "artefacts/MEMORY.md"]) {
      rmSync(join(test.haven, path), { force: true });
      execFileSync("mkfifo", [join(test.haven, path)]);
    }
    for (const argv of [
      ["context", "load", "T001"],
      ["task", "log", "T001", "hi"],
      ["memory", "show"],
    ]) {
      const refused = await within(argv);
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toMatch(/^rudder: .*(T001\.run|T001\.log|MEMORY\.md) is no plain file\n/);
    }
    expect((await within(["status"])).code).toBe(0);
  });

  it("X-30 a task with an unreadable run file is not offered, and the file is named", async () => {
    const test = await projectForTest(2);
    test.write("runs/T001.run", "\0\u{fffd} no YAML: [");
    for (const argv of [["status"], ["deps", "ready"], ["assign", "list"]]) {
      const outcome = await test.run(argv);
      expect(outcome.notes.join("\n")).toContain("runs/T001.run");
    }
    expect(await test.json(["status"])).toMatchObject({ ready: 1, next: "T002" });
    expect(await test.run(["assign", "claim", "T001"])).toMatchObject({ exitCode: 1 });
  });
});

describe("a step that fails half way", () => {
  it.each(["assignments/T001.yaml", "memory/T001.log", "runs/audit.jsonl"])(
    "X-30 X-54 a claim that fails at %s holds nothing",
    async (path) => {
      const test = await projectForTest(1);
      mkdirSync(join(test.haven, path));
      expect((await test.run(["assign", "claim", "T001"], { agent: "ada" })).exitCode).toBe(1);
      expect(await test.json(["assign", "list"])).toEqual([]);
      rmSync(join(test.haven, path), { recursive: true });
      expect(await test.json(["assign", "claim", "T001"], { agent: "bob" })).toMatchObject({ event: "claimed" });
    },
  );
});

describe("counters", () => {
  it.each([
    ['{"counters":{"task":1.5}}', "T003"],
    ['{"counters":{"task":-7}}', "T003"],
    ['{"counters":{"task":"9"}}', "T003"],
    ['{"counters":{"task":41}}', "T042"],
  ])("RU-08 after %s the next task is %s", async (text, id) => {
    const test = await projectForTest(2);
    test.write("state.json", text);
    expect(await test.json(["task", "create", "E001", "New", "--blocked-by", "T1,T001"])).toMatchObject({
      id,
      blocked_by: ["T001"],
    });
  });

  it("RU-08 an id that could not be read again is not given", async () => {
    const test = await projectForTest(1);
    test.write("state.json", '{"counters":{"task":999999999}}');
    expect((await test.run(["task", "create", "E001", "New"])).json).toMatchObject({ error: { code: "broken_state" } });
    expect(await test.json(["task", "list"])).toHaveLength(1);
  });
});

describe("another encoding", () => {
  const latin = Buffer.concat([Buffer.from(taskText(1)), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a])]);

  it.each([
    ["assign", "claim", "T001"],
    ["task", "done", "T001"],
    ["task", "update", "T001", "--title", "New"],
    ["artifact", "edit", "T001", "--section", "Notes", "--append", "x"],
    ["artifact", "check", "T001", "unit tests"],
    ["deps", "add", "T001", "--blocked-by", "T002"],
  ])("RU-05 a file that is not UTF-8 is shown and never rewritten: %s %s", async (...argv) => {
    const test = await projectForTest(2);
    const path = join(test.haven, taskPath(1));
    writeFileSync(path, latin);
    expect((await test.run(["task", "show", "T001"])).text).toContain("caf\u{fffd}");
    const refused = await test.run(argv, { agent: "ada" });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "broken_artefact" } } });
    expect(refused.text).toMatch(/T001-task\.md is not UTF-8/);
    expect(readFileSync(path)).toEqual(latin);
    // Refused means that nothing of it was done.
    expect(await test.json(["assign", "list"])).toEqual([]);
  });

  it("RU-10 a memory page that is not UTF-8 is not rewritten", async () => {
    const test = await projectForTest(1);
    const path = join(test.haven, "memory/E001.md");
    writeFileSync(path, Buffer.from([0x23, 0x20, 0xe9, 0x0a]));
    expect(await test.run(["memory", "add", "E001", "x"])).toMatchObject({ exitCode: 1 });
    expect(readFileSync(path)).toEqual(Buffer.from([0x23, 0x20, 0xe9, 0x0a]));
  });

  it("RU-09 a sync keeps every byte that was in the epic's log", async () => {
    const test = await projectForTest(1);
    const path = join(test.haven, "memory/E001.log");
    const old = Buffer.from([0xe9, 0x0a, 0xff, 0xfe]);
    writeFileSync(path, old);
    await test.run(["task", "log", "T001", "one"]);
    await test.run(["memory", "sync"]);
    const now = readFileSync(path);
    expect(now.subarray(0, old.length)).toEqual(old);
    expect(now.subarray(old.length).toString()).toMatch(/^\n\S+ \[T001\] \[INFO\] one\n$/);
  });
});

describe("whose line it is", () => {
  it("RU-09 a message that speaks of another task stays with its own, synced or not", async () => {
    const test = await projectForTest(2);
    await test.run(["task", "log", "T001", "as [T002] [TIP] says", "--tip"]);
    await test.run(["memory", "sync"]);
    expect(await test.json(["task", "show-memory", "T002"])).toMatchObject({
      log: [],
      epic_log: [{ task_id: "T001" }],
    });
    expect((await test.json(["task", "show-memory", "T001"])).log).toMatchObject([{ message: "as [T002] [TIP] says" }]);
  });
});

describe("a change that fails half way", () => {
  it("X-54 is finished by the next one, also where the server keeps the lock for it", async () => {
    const test = await projectForTest(2);
    let mayFail = true;
    const crash = (at: string): void => {
      if (at !== "half" || !mayFail) return;
      mayFail = false;
      throw new Error("the disk is gone for a moment");
    };
    const store = openFileStore({ haven: test.haven, lingerMs: 20_000, isLive: true, crash });
    onTestFinished(() => store.close());
    const caller = { kind: "name", name: "ada" } as const;
    const session = { store, caller, signal: undefined, projectHash: "x" };
    const command = { kind: "claim", by: caller, ttlMs: 60_000, operation: "task-start", pid: 0 } as const;
    await expect(commandTask(session, { taskId: "T001", command })).rejects.toThrow("the disk is gone");
    await commandTask(session, { taskId: "T002", command });
    expect((await store.lease("T001"))?.holder.name).toBe("ada");
    expect(readFileSync(join(test.haven, taskPath(1)), "utf8")).toContain("status: In Progress");
    const { changes } = await store.changesSince(0);
    expect(changes.map(({ seq, id }) => [seq, id]).slice(-2)).toEqual([
      [changes.length - 1, "T001"],
      [changes.length, "T002"],
    ]);
  });
});
