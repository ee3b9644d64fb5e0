// The file store: the contract, and what is true of files alone: crashes half way, damage by hand, a cache that is only
// ever a cache.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import fc from "fast-check";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createArtefactIndex } from "../../src/haven/index/artefact-index.ts";
import { type Clock, DEFAULT_DIGITS, type HavenStore, layoutOf, openFileStore, systemClock } from "../../src/index.ts";
import { makeProject, projectForTest, type TestHaven, taskPath, taskText } from "../haven-under-test.ts";
import { describeStore } from "./store-contract.ts";

/** One bundle of the worker for the whole file. */
let worker: Promise<string> | undefined;
const workerDir = mkdtempSync(join(tmpdir(), "rudder-crash-"));
afterAll(() => rmSync(workerDir, { recursive: true, force: true }));

async function buildWorker(): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL("crash-worker.ts", import.meta.url))],
    outfile: join(workerDir, "worker.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: 'import { createRequire as __make } from "node:module"; const require = __make(import.meta.url);' },
    external: ["@vscode/ripgrep", "@vscode/tree-sitter-wasm", "web-tree-sitter"],
    logLevel: "error",
  });
  return join(workerDir, "worker.mjs");
}

function describeFiles(name: string, options: { readonly isLive: boolean }): void {
  describeStore(name, async () => {
    const { haven } = await projectForTest(5);
    const opened: HavenStore[] = [];
    onTestFinished(async () => {
      for (const store of opened) await store.close();
    });
    const again = ({ aheadMs = 0, wallJumpMs = 0 } = {}) => {
      const clock: Clock = () => {
        const now = systemClock();
        return { ...now, monotonicMs: now.monotonicMs + aheadMs, wallMs: now.wallMs + aheadMs + wallJumpMs };
      };
      const store = openFileStore({ haven, clock, ...options });
      opened.push(store);
      return store;
    };
    return {
      store: again(),
      again,
      async dieAt(crash) {
        worker ??= buildWorker();
        const child = spawn(process.execPath, [await worker, haven, crash], { stdio: "ignore" });
        const [, signal] = await once(child, "close");
        if (signal !== "SIGKILL") throw new Error(`it did not die at ${crash}`);
      },
    };
  });
}
describeFiles("files", { isLive: false });
describeFiles("files of a server", { isLive: true });

describe("logs", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const log = `${at} [TIP] one\n${at} [INFO] two\n`;
  const synced = `${at} [T001] [TIP] one\n${at} [T001] [INFO] two\n`;
  const old = `${at} [T002] [WARN] before\n`;

  it.each([
    ["before anything", { "T001.log": log, "E001.log": old }],
    ["after it was set aside", { [`T001.sync-${old.length}.log`]: log, "E001.log": old }],
    ["after the epic's log was written", { [`T001.sync-${old.length}.log`]: log, "E001.log": old + synced }],
    [
      "after that, with a line logged since",
      { [`T001.sync-${old.length}.log`]: log, "E001.log": old + synced, "T001.log": "" },
    ],
    ["after everything", { "E001.log": old + synced }],
  ])("RU-09 a sync that died %s loses no line and doubles none", async (_when, files) => {
    const test = await projectForTest(2);
    for (const [name, text] of Object.entries(files)) test.write(`memory/${name}`, text);
    const store = openFileStore({ haven: test.haven });
    const messages = async () => (await store.log("T001")).map((line) => line.message);
    expect(await messages()).toEqual(["one", "two"]);
    await store.change((step) => step.syncLog("T001", "E001"));
    expect(await messages()).toEqual(["one", "two"]);
    expect(test.read("memory/E001.log")).toBe(old + synced);
    expect(readdirSync(join(test.haven, "memory"))).toEqual(["E001.log"]);
  });

  it("RU-09 a line whose writer died half way does not swallow the next one", async () => {
    const test = await projectForTest(1);
    test.write("memory/T001.log", `${at} [TIP] whole\n${at} [TIP] hal`);
    await test.run(["task", "log", "T001", "next"]);
    const messages = (await openFileStore({ haven: test.haven }).log("T001")).map((line) => line.message);
    expect(messages).toEqual(["whole", "hal", "next"]);
  });

  it("RU-09 a link in place of a log is not followed out of the haven", async () => {
    const test = await projectForTest(1);
    const outside = join(test.dir, "outside.txt");
    writeFileSync(outside, "");
    symlinkSync(outside, join(test.haven, "memory/T001.log"));
    const refused = await test.run(["task", "log", "T001", "x"]);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "broken_state" } } });
    expect(readFileSync(outside, "utf8")).toBe("");
  });
});

describe("counters", () => {
  it("RU-08 an id is not used again after its file was deleted, nor when files came in by a merge", async () => {
    const test = await projectForTest(2);
    expect((await test.json(["task", "create", "E001", "a"])).id).toBe("T003");
    rmSync(join(test.haven, "artefacts/prds/PRD-001-shop/tasks/T003-a.md"));
    expect((await test.json(["task", "create", "E001", "b"])).id).toBe("T004");
    test.write(taskPath(90), taskText(90));
    expect((await test.json(["task", "create", "E001", "c"])).id).toBe("T091");
    expect(JSON.parse(test.read("state.json")).counters).toEqual({ prd: 0, epic: 0, task: 91, story: 0 });
  });

  it("RU-08 a damaged state.json is named, and nothing is guessed", async () => {
    const test = await projectForTest(1);
    test.write("state.json", "{");
    const refused = await test.run(["task", "create", "E001", "a"]);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "broken_state" } } });
    expect(refused.text).toContain("state.json is not JSON");
  });
});

describe("the index of artefacts", () => {
  const edit = fc.record({
    task: fc.integer({ min: 1, max: 30 }),
    act: fc.constantFrom("status", "delete", "break", "rename", "effort"),
    status: fc.constantFrom("Done", "Blocked", "nonsense"),
  });
  /** As if all files had been left alone for a while: only then are they kept in the cache at all. */
  const later = () => Date.now() + 60_000;
  const open = (test: TestHaven, wallMs?: () => number) =>
    createArtefactIndex(layoutOf(test.haven), { digits: DEFAULT_DIGITS, ...(wallMs === undefined ? {} : { wallMs }) });

  it("RU-04 the cache never changes an answer, whatever happens to the files", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 12 }), async (edits) => {
        const test = await makeProject(30);
        try {
          const kept = open(test, later);
          await kept.snapshot();
          for (const { task, act, status } of edits) {
            const path = join(test.haven, taskPath(task));
            // Written beside and moved into place, as editors do: another inode, whatever the clock's grain.
            const replace = (text: string): void => {
              writeFileSync(`${path}.new`, text);
              renameSync(`${path}.new`, path);
            };
            if (act === "status") replace(taskText(task, { status }));
            if (act === "effort") replace(taskText(task, { effort: "S" }));
            if (act === "break") replace("---\nid: [\n---\n");
            if (act === "delete") rmSync(path, { force: true });
            if (act === "rename" && existsSync(path)) renameSync(path, path.replace("-task.md", "-other.md"));
            const plain = await createArtefactIndex(layoutOf(test.haven), { digits: DEFAULT_DIGITS }).snapshot();
            expect(await kept.snapshot()).toEqual(plain);
            expect(await open(test, later).snapshot()).toEqual(plain);
          }
        } finally {
          test.remove();
        }
      }),
      { numRuns: 12 },
    );
  });

  it("RU-04 the cache is really used: an entry in it is believed while its file has the same stamp", async () => {
    const test = await projectForTest(20);
    await open(test, later).snapshot();
    const cache = test.read(".cache/artefacts.json");
    test.write(".cache/artefacts.json", cache.replaceAll("Task 7", "From the cache"));
    const titles = (await open(test, later).snapshot()).artefacts.map((one) => one.title);
    expect(titles).toContain("From the cache");
  });

  it("RU-04 a file that has just changed is not cached: the next change may carry the same time", async () => {
    const test = await projectForTest(20);
    await open(test).snapshot();
    expect(existsSync(join(test.haven, ".cache/artefacts.json"))).toBe(false);
    const index = open(test);
    await index.snapshot();
    // Same size, same inode, same times: nothing but its content tells.
    const path = join(test.haven, taskPath(3));
    const { atime, mtime } = statSync(path);
    writeFileSync(path, taskText(3, { effort: "S" }));
    utimesSync(path, atime, mtime);
    expect((await index.snapshot()).artefacts.find((one) => one.id === "T003")?.effort).toBe("S");
  });

  it("RU-04 a cache that someone damaged is as good as none", async () => {
    const test = await projectForTest(20);
    const fresh = await open(test).snapshot();
    for (const text of ["", "{", "[]", '{"key":"2","entries":[]}', "null"]) {
      test.write(".cache/artefacts.json", text);
      expect(await open(test).snapshot()).toEqual(fresh);
    }
  });
});

describe("artefacts", () => {
  it("RU-04 a link is named and not followed", async () => {
    const test = await projectForTest(1);
    writeFileSync(join(test.dir, "secret.md"), taskText(7));
    symlinkSync(join(test.dir, "secret.md"), join(test.haven, taskPath(7)));
    const { artefacts, problems } = await openFileStore({ haven: test.haven, digits: DEFAULT_DIGITS }).snapshot();
    expect(artefacts.map((one) => one.id)).toEqual(["PRD-001", "E001", "T001"]);
    expect(problems).toMatchObject([{ code: "not_a_file", path: taskPath(7) }]);
    expect((await test.run(["task", "show", "T007"])).exitCode).toBe(1);
  });
});

describe("what killed processes leave", () => {
  it("X-54 half-written files of long ago go with the next sync; those of right now stay", async () => {
    const test = await projectForTest(1);
    const old = [
      ".tmp-1-0123456789ab",
      "runs/.tmp-2-0123456789ab",
      "artefacts/prds/PRD-001-shop/tasks/.tmp-3-0123456789ab",
    ];
    const kept = ["memory/.tmp-4-0123456789ab", "runs/.tmp-mine", "T001.log"];
    for (const path of [...old, ...kept]) test.write(path, "half");
    for (const path of [...old, kept[1] ?? ""]) utimesSync(join(test.haven, path), 1_000_000, 1_000_000);
    expect((await test.run(["memory", "sync"])).exitCode).toBe(0);
    expect(old.filter((path) => existsSync(join(test.haven, path)))).toEqual([]);
    expect(kept.filter((path) => existsSync(join(test.haven, path)))).toEqual(kept);
  });
});
