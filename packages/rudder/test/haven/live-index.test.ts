// The index that a server keeps: whatever people and programs do to the files, it says what a fresh look says; and what
// the system did not tell is found by looking.
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { buildGraph } from "../../src/graph/graph.ts";
import { readyTasks } from "../../src/graph/ready.ts";
import { createArtefactIndex } from "../../src/haven/index/artefact-index.ts";
import { createLiveIndex } from "../../src/haven/index/live-index.ts";
import { DEFAULT_DIGITS, layoutOf, openFileStore } from "../../src/index.ts";
import { makeProject, projectForTest, type TestHaven, taskPath, taskText } from "../haven-under-test.ts";

const open = (test: TestHaven) => createLiveIndex(layoutOf(test.haven), { digits: DEFAULT_DIGITS });
const plain = (test: TestHaven) => createArtefactIndex(layoutOf(test.haven), { digits: DEFAULT_DIGITS });
const byPath = <T extends { path: string }>(all: readonly T[]): T[] =>
  [...all].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const edit = fc.record({
  task: fc.integer({ min: 1, max: 12 }),
  act: fc.constantFrom(
    "write",
    "replace",
    "append",
    "delete",
    "break",
    "rename",
    "double",
    "folder",
    "blocked",
    "link",
  ),
  status: fc.constantFrom("Done", "Blocked", "nonsense", "In Progress"),
});

describe("the live index", () => {
  it("X-66 is made after the first search for an id, though no query is asked: a search looks at all directories", async () => {
    const test = await makeProject(12);
    const live = open(test);
    onTestFinished(() => live.close());
    expect(live.knownPath("T005")).toBeUndefined();
    expect(live.searchPaths("T005", "task")).toEqual([taskPath(5)]);
    await vi.waitFor(() => expect(live.knownPath("T007")).toBe(taskPath(7)), 10_000);
  });

  it("X-66 says what a fresh look says, after every edit by hand, at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 10 }), async (edits) => {
        const test = await makeProject(12);
        const live = open(test);
        try {
          await live.snapshot();
          for (const { task, act, status } of edits) {
            const path = join(test.haven, taskPath(task));
            const text = taskText(task, { status, blocked_by: act === "blocked" ? `[T0${(task % 9) + 1}]` : "[]" });
            if (act === "write" || act === "blocked") writeFileSync(path, text);
            if (act === "append") appendFileSync(path, "\nmore\n");
            if (act === "break") writeFileSync(path, "---\nid: [\n---\n");
            if (act === "replace") {
              writeFileSync(`${path}.new`, text);
              renameSync(`${path}.new`, path);
            }
            if (act === "delete") rmSync(path, { force: true });
            if (act === "rename") {
              writeFileSync(path, text);
              renameSync(path, path.replace("-task.md", "-other.md"));
            }
            if (act === "double") test.write(taskPath(task).replace("-task.md", "-twin.md"), text);
            if (act === "folder") test.write(`artefacts/prds/PRD-00${task}-new/tasks/T0${task + 20}-x.md`, text);
            if (act === "link") {
              rmSync(path, { force: true });
              symlinkSync(join(test.dir, "elsewhere"), path);
            }
            const fresh = await plain(test).snapshot();
            const seen = await live.snapshot();
            expect(seen.artefacts).toEqual(fresh.artefacts);
            expect(byPath(seen.problems)).toEqual(byPath(fresh.problems));
            for (const id of ["T001", "T005", "T009"]) {
              expect(await live.find(id)).toEqual(fresh.artefacts.find((one) => one.id === id));
              expect(await live.dependentsOf(id)).toEqual(await plain(test).dependentsOf(id));
            }
            expect(await live.tasksOf("E001")).toEqual(await plain(test).tasksOf("E001"));
            const ready = (artefacts: typeof fresh.artefacts) =>
              readyTasks(buildGraph(artefacts), { heldIds: new Set() }).first(99);
            expect(ready(seen.artefacts)).toEqual(ready([...fresh.artefacts]));
          }
        } finally {
          await live.close();
          test.remove();
        }
      }),
      { numRuns: 12 },
    );
  }, 120_000);

  it("X-66 an edit that the system did not tell of is found by looking", async () => {
    const test = await projectForTest(3);
    const live = open(test);
    onTestFinished(() => live.close());
    await live.snapshot();
    await live.close(); // no notices any more
    writeFileSync(join(test.haven, taskPath(9)), taskText(9));
    await expect
      .poll(async () => (await live.snapshot()).artefacts.map((one) => one.id), { timeout: 50_000, interval: 500 })
      .toContain("T009");
  }, 90_000);

  it("X-66 one that cannot watch looks at every file instead", async () => {
    const test = await projectForTest(2);
    const index = createLiveIndex(layoutOf(join(test.dir, "nowhere")), { digits: DEFAULT_DIGITS });
    onTestFinished(() => index.close());
    expect((await index.snapshot()).artefacts).toEqual([]);
    const store = openFileStore({ haven: test.haven, isLive: true });
    onTestFinished(() => store.close());
    expect((await store.snapshot()).artefacts).toHaveLength(4);
  });

  it("X-66 a live store's leases and logs are those of the files, also when others write them", async () => {
    const test = await projectForTest(3);
    const store = openFileStore({ haven: test.haven, isLive: true });
    onTestFinished(() => store.close());
    expect((await store.leases()).leases).toEqual([]);
    await test.json(["assign", "claim", "T001", "--quiet"], { agent: "ada" });
    expect((await store.leases()).leases).toMatchObject([{ taskId: "T001", holder: { name: "ada" }, token: 1 }]);
    await test.json(["task", "log", "T002", "hello", "--tip"]);
    expect((await store.unsyncedLog(["T001", "T002"])).map((line) => line.message)).toContain("hello");
    await test.json(["memory", "sync"]);
    expect((await store.log("T002")).map((line) => line.message)).toEqual(["hello"]);
    expect(await store.unsyncedLog(["T002"])).toEqual([]);
    mkdirSync(join(test.haven, "runs/T003.run"));
    expect((await store.leases()).broken).toEqual(["runs/T003.run"]);
    rmSync(join(test.haven, "runs/T003.run"), { recursive: true });
    await test.json(["assign", "release", "T001"], { agent: "ada" });
    expect(await store.leases()).toMatchObject({ leases: [], broken: [] });
  });
});
