// `rudder plan`: a document of a person, shown first, then made: all of it or nothing, and nothing twice.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { openFileStore } from "../../src/index.ts";
import { openTaskSession } from "../../src/tasks/open-session.ts";
import { makePlan } from "../../src/tasks/plan/make-plan.ts";
import { binPath, type Json, makeTestHaven, type TestHaven } from "../haven-under-test.ts";

const PLAN = `# Shop
tags: web

What it is for.

## Checkout
after: Catalogue

Pay for a basket.

### Parse the header
effort: S
priority: high
depends on: "Read, then write"
tags: api, parser

Text, and what has to be there:

- [ ] unit tests

\`\`\`md
## No epic
- [ ] no task
\`\`\`

## Catalogue

- [ ] Read, then write
  effort: L

  Two paragraphs

  of text.
- [ ] Show the list
  after: Read, then write
`;

async function emptyHaven(): Promise<TestHaven> {
  const test = await makeTestHaven();
  onTestFinished(() => test.remove());
  return test;
}

async function plan(test: TestHaven, text: string | Uint8Array, ...options: readonly string[]) {
  writeFileSync(join(test.project, "plan.md"), text);
  return test.run(["plan", "plan.md", ...options]);
}

describe("a plan", () => {
  it("X-24 is shown first, then made, by the built bin, with ids in the order of the document", async () => {
    const test = await emptyHaven();
    writeFileSync(join(test.project, "plan.md"), PLAN);
    const shown = await test.bin(["plan", "plan.md"]);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toContain("    + Parse the header (S, high, #api, #parser)  after Read, then write");
    expect(shown.stdout).toContain("6 to make; nothing was written: --apply makes them");
    expect(await test.json(["task", "list"])).toEqual([]);

    const made = await test.bin(["plan", "plan.md", "--apply"]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.stdout).toContain("6 made");
    const tasks = await test.json(["task", "list"]);
    expect(
      tasks.map((task: Json) => [task.id, task.title, task.epic, task.effort, task.priority, task.blocked_by]),
    ).toEqual([
      ["T001", "Parse the header", "E001", "S", "high", ["T002"]],
      ["T002", "Read, then write", "E002", "L", "normal", []],
      ["T003", "Show the list", "E002", "M", "normal", ["T002"]],
    ]);
    const [checkout] = await test.json(["epic", "list"]);
    expect(checkout).toMatchObject({ id: "E001", title: "Checkout", prd: "PRD-001", blocked_by: ["E002"] });
    expect((await test.json(["prd", "show", "PRD-001"])).body).toContain("What it is for.");
    const { body, tags } = await test.json(["task", "show", "T001"]);
    expect(tags).toEqual(["api", "parser"]);
    expect(body).toContain("- [ ] unit tests\n\n```md\n## No epic\n- [ ] no task\n```");
    expect((await test.json(["task", "show", "T002"])).body).toContain("Two paragraphs\n\nof text.");
    expect((await test.json(["deps", "validate"])).findings).toEqual([]);
  });

  it("X-24 is read from stdin with -, also with a byte order mark and CRLF", async () => {
    const test = await emptyHaven();
    const bytes = Buffer.from(`\uFEFF${PLAN.replaceAll("\n", "\r\n")}`);
    const done = await test.run(["plan", "-", "--apply"], { readInputBytes: async () => bytes });
    expect(done).toMatchObject({ exitCode: 0 });
    expect((await test.json(["task", "list"])).map((task: Json) => task.title)).toContain("Parse the header");
    expect(test.read("artefacts/prds/PRD-001-shop/tasks/T001-parse-the-header.md")).not.toContain("\r");
  });

  it("X-24 makes nothing twice; what was added to it is made", async () => {
    const test = await emptyHaven();
    await plan(test, PLAN, "--apply");
    const again = await plan(test, PLAN, "--apply");
    expect(again.text).toContain("nothing to make: all 6 are there");
    const more = await plan(test, `${PLAN}- [ ] Sort the list\n  after: show THE  list, T002\n`, "--apply", "--json");
    expect(more.json).toMatchObject({ made: 1, existing: 6 });
    expect((await test.json(["task", "show", "T004"])).blocked_by).toEqual(["T003", "T002"]);
  });

  it("X-24 an after: line that was added to what is there was shown as if it were made", async () => {
    const test = await emptyHaven();
    await plan(test, "# P\n## E\n### a\n### b\n", "--apply");
    const grown = "# P\n## E\n### a\nafter: c, b\n### b\n### c\n";
    expect((await plan(test, grown)).notes).toEqual(["T001 is left as it is: it does not wait for c, T002"]);
    const done = await plan(test, grown, "--apply");
    expect(done.text).toContain("= T001 a\n");
    const cure = "rudder deps add T001 --blocked-by T003,T002";
    expect(done.notes).toEqual([`T001 is left as it is: it does not wait for T003, T002; ${cure}`]);
    await test.json(cure.split(" ").slice(1));
    const again = await plan(test, grown, "--apply");
    expect(again.notes).toEqual([]);
    expect(again.text).toContain("= T001 a  after T003, T002\n");
  });

  it("X-24 a new task of an old epic closed a cycle with what the haven has, through an epic that waits", async () => {
    const test = await emptyHaven();
    await plan(test, "# P\n## A\n### a1\n## B\nafter: A\n### b1\n", "--apply");
    for (const more of [[], ["--apply"]]) {
      const refused = await plan(test, "# P\n## A\n### a2\nafter: T002\n", ...more);
      expect(refused).toMatchObject({ exitCode: 2 });
      expect(refused.text).toContain("plan.md:3: a cycle: E001 → a2 → T002 → E001");
    }
    for (const argv of [
      ["deps", "add", "T001", "--blocked-by", "T002"],
      ["task", "create", "E001", "a2", "--blocked-by", "T002"],
      ["deps", "add", "E001", "--blocked-by", "E002"],
    ]) {
      expect(await test.run(argv)).toMatchObject({ exitCode: 1, json: { error: { code: "cycle" } } });
    }
    await test.json(["deps", "remove", "E002", "--blocked-by", "E001"]);
    await test.json(["deps", "add", "T001", "--blocked-by", "T002"]);
    expect((await test.run(["deps", "add", "E002", "--blocked-by", "E001"])).text).toContain(
      "that would be a cycle: E002 → E001 → T001 → T002 → E002",
    );
  });

  it("X-66 does not make again what is archived, and adds nothing to what is archived", async () => {
    const test = await emptyHaven();
    const one = "# P\n## E\n- [ ] A\n- [ ] B\n";
    await plan(test, one, "--apply");
    for (const id of ["T001", "T002"]) await test.json(["task", "done", id]);
    await test.json(["epic", "update", "E001", "--status", "done"]);
    await test.json(["archive", "E001", "--apply"]);
    expect((await plan(test, one, "--apply")).text).toContain("all 4 are there");
    const refused = await plan(test, `${one}- [ ] C\n`, "--apply");
    expect(refused.text).toContain("plan.md:5: E001 is archived: bring it back first");
  });

  it.each(["staged", "journaled", "half", "applied"] as const)(
    "X-54 a process that dies at '%s' leaves nothing or everything, and a second run leaves no doubles",
    async (point) => {
      const test = await emptyHaven();
      const session = (crash?: (at: string) => void) =>
        openTaskSession({
          place: { project: test.project, haven: test.haven, projectHash: "p" },
          env: {},
          caller: { kind: "name", name: "lead" },
          ttlMs: 60_000,
          isServed: false,
          openStore: (options) => openFileStore({ ...options, ...(crash === undefined ? {} : { crash }) }),
        });
      const document = { name: "plan.md", bytes: Buffer.from(PLAN) };
      const dying = makePlan(
        session((at) => {
          if (at === point) throw new Error("killed");
        }),
        { document, apply: true },
      );
      await expect(dying).rejects.toThrow("killed");
      await makePlan(session(), { document, apply: true });
      const { artefacts, problems } = await openFileStore({ haven: test.haven }).snapshot();
      expect(problems).toEqual([]);
      expect(artefacts.map(({ title }) => title).sort()).toEqual(
        ["Catalogue", "Checkout", "Parse the header", "Read, then write", "Shop", "Show the list"].sort(),
      );
    },
  );

  it("X-24 killed by SIGKILL again and again, it is there once in the end", async () => {
    const test = await emptyHaven();
    const tasks = Array.from({ length: 60 }, (_, n) => `- [ ] Task number ${n}\n`).join("");
    writeFileSync(join(test.project, "plan.md"), `# P\n## E\n${tasks}`);
    for (const delay of [60, 110, 140, 170, 200, 240, 300]) {
      const child = spawn(process.execPath, [binPath(), "plan", "plan.md", "--apply"], {
        cwd: test.project,
        env: test.env(),
        stdio: "ignore",
      });
      const timer = setTimeout(() => child.kill("SIGKILL"), delay);
      await once(child, "close");
      clearTimeout(timer);
      // What the killed one had begun, the next command that holds the lock finishes.
      await test.json(["memory", "sync"]);
      expect([0, 60]).toContain((await test.json(["task", "list"])).length);
    }
    expect((await test.bin(["plan", "plan.md", "--apply"])).code).toBe(0);
    expect((await test.json(["task", "list"])).map((task: Json) => task.title)).toHaveLength(60);
    expect((await test.json(["deps", "validate"])).findings).toEqual([]);
  });

  it("X-24 of 100 tasks is made by one command", async () => {
    const test = await emptyHaven();
    const tasks = Array.from(
      { length: 100 },
      (_, n) => `### Step ${n}\n${n === 0 ? "" : `after: Step ${n - 1}\n`}Text.\n`,
    );
    writeFileSync(join(test.project, "plan.md"), `# P\n## E\n${tasks.join("\n")}`);
    const start = performance.now();
    expect((await test.bin(["plan", "plan.md", "--apply"])).stdout).toContain("102 made");
    console.info(`100 tasks in ${Math.round(performance.now() - start)} ms`);
    expect((await test.json(["deps", "critical"]))[0].ids).toHaveLength(100);
  });
});

describe("a plan that is wrong", () => {
  it.each([
    ["an empty document", "", "plan.md:1: the plan is empty: write # and the title of a PRD"],
    ["blank lines alone", "\n\n", "plan.md:1: the plan is empty"],
    ["text above the title", "Hello\n\n# P\n", "plan.md:1: text above the title"],
    ["a second PRD", "# P\n\n# Q\n", "plan.md:3: a second # title"],
    ["an epic without a PRD", "## E\n", "plan.md:1: no PRD yet"],
    ["a task without an epic", "# P\n### T\n", "plan.md:2: a ### task that no epic has: put it below a ## epic"],
    ["a box without an epic", "# P\n- [ ] T\n", "plan.md:2: a task that no epic has"],
    ["a box that is checked", "# P\n## E\n- [x] T\n", "plan.md:3: a task that is done already"],
    ["a title that is missing", "# P\n## E\n###\n", "plan.md:3: this task has no title"],
    ["an effort that is none", "# P\n## E\n### T\neffort: 3d\n", 'plan.md:4: "3d" is no effort; one of: S, M, L, XL'],
    ["a priority that is none", "# P\n## E\n### T\npriority: big\n", 'plan.md:4: "big" is no priority; one of: low'],
    [
      "a field that is mistyped",
      "# P\n## E\n### T\nefort: S\n",
      'plan.md:4: "efort" is no field; did you mean effort?',
    ],
    ["a field of others", "# P\neffort: S\n", "plan.md:2: a prd has no effort; it may have: tags"],
    ["an empty field", "# P\n## E\n### T\nafter:\n", "plan.md:4: after: says nothing"],
    ["a title twice", "# P\n## E\n- [ ] A\n- [ ] B\n- [ ] a\n", 'plan.md:5: the task "a" is on line 3 already'],
    ["an epic twice", "# P\n## E\n## E\n", 'plan.md:3: the epic "E" is on line 2 already'],
    [
      "an unknown title",
      "# P\n## E\n### Parse it\n### B\nafter: Parse if\n",
      'plan.md:5: no task of this plan is called "Parse if"; did you mean "Parse it"?',
    ],
    [
      "an epic as a task",
      "# P\n## E\n### B\nafter: E\n",
      'plan.md:4: no task of this plan is called "E"; write the title of a task',
    ],
    ["an unknown id", "# P\n## E\n### B\nafter: T099\n", "plan.md:4: there is no T099"],
    ["itself", "# P\n## E\n### A\nafter: A\n", "plan.md:3: a cycle: A → A"],
    [
      "a cycle",
      "# P\n## E\n### A\nafter: C\n### B\nafter: A\n### C\nafter: B\n",
      "plan.md:3: a cycle: A → C → B → A; take one of these after: lines out",
    ],
    ["a cycle of epics", "# P\n## E\nafter: F\n## F\nafter: E\n", "plan.md:2: a cycle: E → F → E"],
    ["a cycle through epics", "# P\n## E\nafter: F\n### A\n## F\n### B\nafter: A\n", "a cycle: "],
    ["a zero byte", "# P\n\n\u0000", "plan.md:3: this is not text in UTF-8"],
    ["another encoding", Buffer.from([0x23, 0x20, 0x50, 0x0a, 0xe9, 0x0a]), "plan.md:2: this is not text in UTF-8"],
    ["10 MB", "# P\n".padEnd(10 * 1024 * 1024, "x"), "plan.md has more than 1048576 bytes"],
  ])("X-24 is refused with its line and what would be right: %s", async (_name, text, words) => {
    const test = await emptyHaven();
    for (const options of [[], ["--apply"]]) {
      const refused = await plan(test, text, ...options);
      expect(refused).toMatchObject({ exitCode: 2, json: { error: { code: "invalid_argument" } } });
      expect(refused.text).toContain(words);
    }
    expect(await test.json(["status"])).toMatchObject({ prds: { total: 0 }, tasks: { total: 0 } });
  });

  it("X-24 names everything that is wrong at once, in the order of lines", async () => {
    const test = await emptyHaven();
    const { text } = await plan(test, "# P\n## E\n### A\nafter: X\neffort: Q\n### B\nafter: Y\n");
    expect([...text.matchAll(/plan\.md:(\d+)/g)].map((found) => Number(found[1]))).toEqual([4, 5, 7]);
  });

  it.each([
    ["nothing.md", "nothing.md: there is no such file"],
    [".", ".: it is a directory"],
    ["/dev/zero", "zero has more than 1048576 bytes"],
  ])("X-24 a file that cannot be read is named: %s", async (path, words) => {
    const test = await emptyHaven();
    expect(await test.run(["plan", path])).toMatchObject({ exitCode: 2, text: expect.stringContaining(words) });
  });
});

describe("any plan", () => {
  const title = fc
    .string({ unit: fc.constantFrom(..."abcXYZ äß支🎉,'\"#-"), minLength: 1, maxLength: 12 })
    .map((text) => text.replace(/\s+/g, " ").trim())
    .filter((text) => /^[a-zA-Zäß支🎉]/u.test(text) && !/^(?:T|E|S|PRD)\d/i.test(text) && !/ #+$/.test(text));
  const task = fc.record({
    title,
    isBox: fc.boolean(),
    effort: fc.option(fc.constantFrom("S", "M", "L", "XL"), { nil: undefined }),
    priority: fc.option(fc.constantFrom("low", "normal", "high", "critical"), { nil: undefined }),
    after: fc.array(fc.nat(), { maxLength: 3 }),
    text: fc.option(fc.constantFrom("Some words.", "One.\n\nTwo."), { nil: undefined }),
  });
  const epics = fc.array(fc.record({ title, tasks: fc.array(task, { maxLength: 5 }) }), { minLength: 1, maxLength: 4 });

  it("X-24 plan, then list: what was written is there, and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(title, epics, async (prd, drawn) => {
        const test = await makeTestHaven();
        try {
          const seen = new Set<string>();
          const isNew = (kind: string, text: string): boolean => {
            const key = `${kind} ${text.normalize("NFC").toLowerCase()}`;
            return !seen.has(key) && seen.add(key) !== undefined;
          };
          const written = drawn
            .filter((epic) => isNew("epic", epic.title))
            // Boxes come first: below a ### heading they would be deliverables.
            .map((epic) => ({
              ...epic,
              tasks: epic.tasks
                .filter((one) => isNew("task", one.title))
                .sort((a, b) => Number(b.isBox) - Number(a.isBox)),
            }));
          const all = written.flatMap((epic) => epic.tasks.map((one) => ({ ...one, epic: epic.title })));
          // Only earlier ones: no cycle.
          const afterOf = (index: number): string[] => [
            ...new Set((all[index]?.after ?? []).filter(() => index > 0).map((n) => all[n % index]?.title ?? "")),
          ];
          let index = 0;
          const text = written
            .map((epic) => {
              const tasks = epic.tasks.map((one) => {
                const names = afterOf(index++).map((name) => JSON.stringify(name));
                const fields = [
                  ...(one.effort === undefined ? [] : [`effort: ${one.effort}`]),
                  ...(one.priority === undefined ? [] : [`priority: ${one.priority}`]),
                  ...(names.length === 0 ? [] : [`after: ${names.join(", ")}`]),
                  ...(one.text === undefined ? [] : ["", ...one.text.split("\n")]),
                ];
                const lines = one.isBox ? fields.map((line) => (line === "" ? "" : `  ${line}`)) : fields;
                return [one.isBox ? `- [ ] ${one.title}` : `### ${one.title}`, ...lines, ""].join("\n");
              });
              return `## ${epic.title}\n\n${tasks.join("\n")}`;
            })
            .join("\n");
          const done = await plan(test, `# ${prd}\n\n${text}`, "--apply");
          expect(done, done.text).toMatchObject({ exitCode: 0 });
          const list = await test.json(["task", "list", "--limit", "999"]);
          const epicTitles = new Map((await test.json(["epic", "list"])).map((one: Json) => [one.id, one.title]));
          const titleOf = new Map(list.map((one: Json) => [one.id, one.title]));
          expect([...epicTitles.values()]).toEqual(written.map((epic) => epic.title));
          expect(
            list.map((one: Json) => ({
              title: one.title,
              epic: epicTitles.get(one.epic),
              effort: one.effort,
              priority: one.priority,
              after: one.blocked_by.map((id: string) => titleOf.get(id)),
            })),
          ).toEqual(
            all.map((one, at) => ({
              title: one.title,
              epic: one.epic,
              effort: one.effort ?? "M",
              priority: one.priority ?? "normal",
              after: afterOf(at),
            })),
          );
        } finally {
          test.remove();
        }
      }),
      { numRuns: 40 },
    );
  });
});
