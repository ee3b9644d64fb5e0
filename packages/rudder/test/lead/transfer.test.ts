// `rudder export` and `rudder import`: what goes out comes in, byte for byte; what is wrong is named by its line.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { type LogLine, openFileStore } from "../../src/index.ts";
import { makeTestHaven, projectForTest, type TestHaven, taskPath, taskText } from "../haven-under-test.ts";

async function emptyHaven(): Promise<TestHaven> {
  const test = await makeTestHaven();
  onTestFinished(() => test.remove());
  return test;
}

/** Artefacts, archive, memory and counters; nothing that belongs to processes. */
function contentsOf({ haven }: TestHaven): Record<string, string> {
  const files = readdirSync(haven, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /^(?:artefacts|archive|memory)\//.test(relative(haven, path)));
  return Object.fromEntries(files.sort().map((path) => [relative(haven, path), readFileSync(path, "utf8")]));
}

/** A haven with all that can be exported. */
async function fullHaven(): Promise<TestHaven> {
  const test = await projectForTest(4);
  test.write(taskPath(4), taskText(4, { blocked_by: "[T001]", title: "Grüße 🎉" }).replaceAll("\n", "\r\n"));
  test.write(
    "artefacts/prds/PRD-001-shop/stories/S001-buy.md",
    "---\nid: S001\ntitle: Buy\nstatus: Draft\n---\n\nAs one\n",
  );
  for (const id of ["T001", "T002"]) await test.json(["task", "log", id, "two\nlines {{x}}", "--tip", "-f", "a b.ts"]);
  await test.json(["memory", "sync", "T001"]);
  await test.json(["memory", "add", "project", "use UTC"]);
  await test.json(["memory", "add", "E001", "header first"]);
  await test.json(["task", "done", "T003"]);
  await test.json(["archive", "T003", "--apply"]);
  await test.json(["assign", "claim", "T002", "--quiet"], { agent: "ada" });
  test.write("memory/T004.log", "a line that nobody can parse\n");
  return test;
}

async function importText(test: TestHaven, text: string, ...options: readonly string[]) {
  writeFileSync(join(test.project, "in.jsonl"), text);
  return test.run(["import", "in.jsonl", ...options]);
}

describe("export and import", () => {
  it("X-24 by the built bin: another haven gets the same bytes, and exports the same lines; leases stay here", async () => {
    const [from, to] = [await fullHaven(), await emptyHaven()];
    const out = await from.bin(["export"]);
    expect(out).toMatchObject({ code: 0, stderr: "" });
    expect(out.stdout.split("\n")[0]).toBe('{"type":"rudder-export","version":1}');
    for (const line of out.stdout.trimEnd().split("\n")) expect(() => JSON.parse(line), line).not.toThrow();
    writeFileSync(join(to.project, "in.jsonl"), out.stdout);
    const done = await to.bin(["import", "in.jsonl"]);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect((await to.bin(["export"])).stdout).toBe(out.stdout);
    expect(contentsOf(to)).toEqual(contentsOf(from));
    expect(await to.json(["assign", "list"])).toEqual([]);
    expect((await to.json(["task", "create", "E001", "Next"])).id).toBe("T005");
    expect((await to.json(["task", "show", "T003"])).archived).toBe(true);
    expect((await to.json(["task", "show", "T004"])).blocked_by).toEqual(["T001"]);
  });

  it("X-24 a haven that is not empty is refused without --merge", async () => {
    const [from, to] = [await fullHaven(), await projectForTest(1)];
    const { text } = await from.run(["export"]);
    const before = contentsOf(to);
    expect(await importText(to, text)).toMatchObject({ exitCode: 1, json: { error: { code: "not_empty" } } });
    expect(contentsOf(to)).toEqual(before);
  });

  it("X-24 --merge refuses an id with another text by its line, and nothing goes in; the same twice changes nothing", async () => {
    const [from, to] = [await fullHaven(), await emptyHaven()];
    const { text } = await from.run(["export"]);
    await importText(to, text);
    const before = contentsOf(to);
    expect(await importText(to, text, "--merge", "--json")).toMatchObject({
      exitCode: 0,
      json: { artefacts: 0, archived: 0, memory: 0, lines: 0 },
    });
    expect(contentsOf(to)).toEqual(before);
    to.write(taskPath(1), taskText(1, { title: "Mine" }));
    const line = text.split("\n").findIndex((one) => one.includes('"id":"T001","kind":"task"')) + 1;
    const added = text.replaceAll("T002", "T077").replaceAll("t002", "t077");
    const refused = await importText(to, added, "--merge");
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.text).toContain(`in.jsonl:${line}: T001 is there already, with another text`);
    expect(await to.run(["task", "show", "T077"])).toMatchObject({ exitCode: 1 });
    const partial = await importText(to, added, "--merge", "--partial");
    expect(partial).toMatchObject({ exitCode: 0, json: { artefacts: 1, problems: [{ line }] } });
    expect((await to.json(["task", "show", "T001"])).title).toBe("Mine");
    expect((await to.json(["task", "show", "T077"])).id).toBe("T077");
  });

  const HEAD = '{"type":"rudder-export","version":1}\n';
  const artefact = (more: object): string =>
    JSON.stringify({
      type: "artefact",
      id: "T001",
      kind: "task",
      archived: false,
      path: "artefacts/prds/PRD-001-a/tasks/T001-a.md",
      text: "---\nid: T001\n---\n",
      ...more,
    });
  it.each([
    ["", "in.jsonl:1: it is empty"],
    ["{}\n", "in.jsonl:1: this is no export of rudder"],
    ['{"type":"rudder-export","version":99}\n', "in.jsonl:1: version 99 of the form; this rudder reads up to 1"],
    [`${HEAD}{"type":`, "in.jsonl:2: this line is not JSON"],
    [`${HEAD}\n{"type":"lease"}`, "in.jsonl:3: type: it is one of counters, artefact, memory, log"],
    [`${HEAD}[]`, "in.jsonl:2: this line is no record"],
    [`${HEAD}${artefact({ text: 7 })}`, "in.jsonl:2: text: it is no string"],
    [`${HEAD}${artefact({ kind: "lease" })}`, "in.jsonl:2: kind: it is one of prd, epic, task, story"],
    [`${HEAD}${artefact({ id: "X" })}`, "in.jsonl:2: id: it is no id like T042"],
    [`${HEAD}${artefact({ path: "../../etc/passwd" })}`, "in.jsonl:2: path: it is no path of an artefact"],
    [`${HEAD}${artefact({ path: "artefacts/prds/PRD-001-a/tasks/../../T001-a.md" })}`, "in.jsonl:2: path: "],
    [`${HEAD}${artefact({ path: "artefacts/prds/PRD-001-a/tasks/T002-a.md" })}`, "path: it is not the path of T001"],
    [`${HEAD}${artefact({ path: "artefacts/prds/PRD-001-a/epics/E001-a.md" })}`, "path: it is no path of a task"],
    [`${HEAD}${artefact({ archived: true })}`, "path: it does not agree with archived"],
    [`${HEAD}${artefact({})}\n${artefact({ id: "T1" })}`, "in.jsonl:3: the artefact of T1 is on line 2 already"],
    [`${HEAD}${artefact({ more: 1 })}`, "in.jsonl:2: no record has more"],
    [
      `${HEAD}{"type":"log","id":"T001","line":{"at":"x y","level":"info","message":""}}`,
      "line.at: a time has no spaces",
    ],
    [`${HEAD}\u0000`, "in.jsonl:2: this is not text in UTF-8"],
    [
      `${HEAD}${artefact({ path: `artefacts/prds/PRD-001-a/tasks/T001-${"x".repeat(255)}.md` })}`,
      "path: it is too long",
    ],
    [`${HEAD}${artefact({ text: "\ud800" })}`, "in.jsonl:2: text: a half of a character is no text"],
    [`${HEAD}${artefact({ kind: "epic" })}`, "path: it is no path of an epic"],
    [
      `${HEAD}{"type":"counters","counters":{"prd":-1,"epic":0,"task":0,"story":0}}`,
      "in.jsonl:2: counters.prd: it is less than 0",
    ],
  ])("X-24 broken lines are named, and nothing goes in: %j", async (text, words) => {
    const test = await emptyHaven();
    const refused = await importText(test, text);
    expect(refused).toMatchObject({ exitCode: 2, json: { error: { code: "invalid_argument" } } });
    expect(refused.text).toContain(words);
    expect(readdirSync(join(test.haven, "artefacts", "prds"))).toEqual([]);
  });

  it("X-24 --partial brings in the rest and names what it left out", async () => {
    const test = await emptyHaven();
    const done = await importText(test, `${HEAD}${artefact({})}\nbroken\n${artefact({ id: "T002" })}\n`, "--partial");
    expect(done).toMatchObject({ exitCode: 0, json: { artefacts: 1, problems: [{ line: 3 }, { line: 4 }] } });
    expect(done.notes).toEqual([
      "line 3 was left out: this line is not JSON",
      "line 4 was left out: path: it is not the path of T002",
    ]);
    expect((await test.json(["task", "show", "T001"])).id).toBe("T001");
  });

  it("X-24 --partial took the lines of another version's export when an empty line stood above its head", async () => {
    const test = await emptyHaven();
    for (const head of ['{"type":"rudder-export","version":99}', "{}", "broken"]) {
      const refused = await importText(test, `\n${head}\n${artefact({})}\n`, "--partial");
      expect(refused.exitCode).toBe(2);
      expect(refused.text).toContain("in.jsonl:2: ");
      expect(refused.text).toContain("nothing was brought in");
    }
    expect(readdirSync(join(test.haven, "artefacts", "prds"))).toEqual([]);
  });

  it("X-24 a log line that an agent wrote with half of a character goes out and comes in", async () => {
    const [from, to] = [await projectForTest(1), await emptyHaven()];
    await from.run(["task", "log", "T001", "half \ud800", "-f", "a\udc00"]);
    const first = (await from.run(["export"])).text;
    expect(first).toContain("half \\ud800");
    expect((await importText(to, first)).exitCode).toBe(0);
    expect((await to.run(["export"])).text).toBe(first);
  });

  it("X-24 an artefact in another encoding is named rather than changed on its way", async () => {
    const test = await projectForTest(1);
    mkdirSync(join(test.haven, "memory"), { recursive: true });
    writeFileSync(join(test.haven, taskPath(1)), Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xe9]));
    expect(await test.run(["export"])).toMatchObject({ exitCode: 1, text: expect.stringContaining("is not UTF-8") });
  });

  const words = fc.string({ unit: fc.constantFrom(..."ab 0:{}[]\"'\\\n\r\t-#äß支🎉\u2028"), maxLength: 30 });
  const line: fc.Arbitrary<LogLine> = fc.record(
    {
      at: fc.constant("2026-01-01T00:00:00.000Z"),
      level: fc.constantFrom("info" as const, "tip" as const, "warn" as const),
      message: words,
      files: fc.array(words, { maxLength: 2 }),
      snippet: words,
      by: words,
    },
    { requiredKeys: ["at", "level", "message"] },
  );
  it("X-24 export, import, export is equal, whatever was written", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ text: words, lines: fc.array(line, { maxLength: 3 }), isArchived: fc.boolean() }), {
          maxLength: 5,
        }),
        fc.array(words, { maxLength: 2 }),
        fc.nat(500),
        async (tasks, pages, counter) => {
          const [from, to] = [await makeTestHaven(), await makeTestHaven()];
          try {
            const store = openFileStore({ haven: from.haven });
            await store.change(async (step) => {
              for (const [n, { text, isArchived }] of tasks.entries()) {
                const path = `${isArchived ? "archive/" : ""}${taskPath(n + 1)}`;
                await step.createArtefact({ id: `T00${n + 1}`, path, text });
              }
              for (const [n, { lines }] of tasks.entries()) {
                for (const one of lines) {
                  await step.appendLog(
                    n % 2 === 0 ? `T00${n + 1}` : "E001",
                    n % 2 === 0 ? one : { ...one, taskId: "T002" },
                  );
                }
              }
              for (const [n, text] of pages.entries()) await step.writeMemory(n === 0 ? "project" : "E001", text);
              if (counter > 0) await step.raiseCounter("task", counter);
            });
            const first = (await from.run(["export"])).text;
            const done = await importText(to, first);
            expect(done, done.text).toMatchObject({ exitCode: 0 });
            expect((await to.run(["export"])).text).toBe(first);
            const pick = (all: Record<string, string>) =>
              Object.fromEntries(Object.entries(all).filter(([path]) => !/^memory\/.*\.log$/.test(path)));
            expect(pick(contentsOf(to))).toEqual(pick(contentsOf(from)));
          } finally {
            from.remove();
            to.remove();
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
