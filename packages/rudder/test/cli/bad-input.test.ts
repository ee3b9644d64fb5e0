// What goes wrong, and what is then said: no haven, broken files, full and read-only disks, injection in every argument.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { openFileStore } from "../../src/index.ts";
import {
  binPath,
  makeProject,
  makeTestHaven,
  spawnBin,
  type TestHaven,
  taskPath,
  taskText,
} from "../haven-under-test.ts";

const made: TestHaven[] = [];
async function project(count: number): Promise<TestHaven> {
  const test = await makeProject(count);
  made.push(test);
  return test;
}
afterEach(() => {
  for (const test of made.splice(0)) test.remove();
});

const codeOf = (outcome: { readonly json: unknown }): unknown => Object(Object(outcome.json).error).code;

describe("two sections of one title", () => {
  it("X-26 --replace took the first one without a word: it is refused, and --append says which it took", async () => {
    const test = await project(1);
    const text = `${taskText(1)}\nfirst\n\nNotes\n-----\n\nsecond\n`;
    test.write(taskPath(1), text);
    const edit = (...how: readonly string[]) => test.run(["artifact", "edit", "T001", "--section", "notes", ...how]);
    const refused = await edit("--replace", "x", "--json");
    expect(codeOf(refused)).toBe("invalid_argument");
    expect(refused.json).toMatchObject({ error: { message: 'T001 has 2 sections called "notes"' } });
    expect(test.read(taskPath(1))).toBe(text);
    const appended = await edit("--append", "third");
    expect(appended.notes).toEqual(["T001 has 2 sections called notes; this is the first one"]);
    expect(test.read(taskPath(1))).toBe(text.replace("first\n", "first\nthird\n"));
  });
});

describe("no haven", () => {
  it("X-24 every command but init says what to do, and makes nothing", async () => {
    const test = await makeTestHaven({ init: false });
    made.push(test);
    for (const argv of [
      ["status"],
      ["task", "list"],
      ["deps", "ready"],
      ["task", "log", "T001", "x"],
      ["assign", "claim", "T001"],
    ]) {
      const refused = await test.run(argv);
      expect(refused.exitCode).toBe(1);
      expect(refused.text).toContain("run: rudder init");
      expect(codeOf(refused)).toBe("no_haven");
    }
    expect(existsSync(test.haven)).toBe(false);
  });

  it("X-24 the bin says so on stderr with exit 1, and as JSON on stdout with --json", async () => {
    const test = await makeTestHaven({ init: false });
    made.push(test);
    const words = await test.bin(["status"]);
    expect(words).toMatchObject({ code: 1, stdout: "" });
    expect(words.stderr).toMatch(/^rudder: there is no haven at /);
    const json = await test.bin(["status", "--json"]);
    expect(JSON.parse(json.stdout).error).toMatchObject({
      code: "no_haven",
      hint: expect.stringContaining("rudder init"),
    });
    expect((await test.bin(["init", "--root", "/proc/1/nowhere"])).code).toBe(2);
    expect((await test.bin(["init"], { RUDDER_HAVEN: "/proc/none/haven" })).code).toBe(1);
  });
});

describe("broken artefacts", () => {
  it("RU-05 broken YAML is named with its line; everything else works", async () => {
    const test = await project(3);
    test.write(taskPath(2), "---\nid: T002\ntitle: Broken\nblocked_by: [T001\nstatus: wip\n---\n\n## Notes\n");
    const listed = await test.run(["task", "list"]);
    expect(listed.exitCode).toBe(0);
    expect(listed.notes.join()).toContain(`${taskPath(2)}:5: `);
    expect(await test.json(["deps", "ready"])).toHaveLength(2);
    expect((await test.json(["assign", "claim", "T001"], { agent: "ada" })).event).toBe("claimed");
    expect((await test.json(["status"])).tasks).toMatchObject({ total: 3, unknown: 1 });
    const refused = await test.run(["assign", "claim", "T002"], { agent: "ada" });
    expect(refused.text).toContain(`${taskPath(2)}:5: `);
    expect(codeOf(refused)).toBe("broken_artefact");
    expect(existsSync(join(test.haven, "runs/T002.run"))).toBe(false);
    // Its text can still be edited, and lines can still be logged.
    expect((await test.run(["artifact", "edit", "T002", "--section", "Notes", "--append", "n"])).exitCode).toBe(0);
    expect((await test.run(["task", "log", "T002", "broken"])).exitCode).toBe(0);
  });

  it("RU-16 duplicate ids are named with both files; commands on that id refuse, all others work", async () => {
    const test = await project(2);
    test.write("artefacts/prds/PRD-001-shop/tasks/T1-again.md", taskText(1, { title: "Twin" }));
    const { findings } = await test.json(["deps", "validate"]);
    expect(findings).toMatchObject([{ code: "duplicate_id", path: expect.stringContaining("T1-again.md") }]);
    const refused = await test.run(["assign", "claim", "T001"]);
    expect(codeOf(refused)).toBe("duplicate_id");
    expect(refused.text).toMatch(/T001-task\.md, .*T1-again\.md|T1-again\.md, .*T001-task\.md/);
    expect((await test.run(["assign", "claim", "T002"])).exitCode).toBe(0);
  });

  it("RU-16 a cycle is refused when it is made and named when it is there", async () => {
    const test = await project(3);
    await test.run(["deps", "add", "T002", "--blocked-by", "T001"]);
    await test.run(["deps", "add", "T003", "--blocked-by", "T002"]);
    const refused = await test.run(["deps", "add", "T001", "--blocked-by", "T003"]);
    expect(codeOf(refused)).toBe("cycle");
    expect(refused.text).toContain("T001 → T003 → T002 → T001");
    expect(codeOf(await test.run(["deps", "add", "T001", "--blocked-by", "T001"]))).toBe("cycle");
    test.write(taskPath(1), taskText(1, { blocked_by: "[T003]" }));
    const ready = await test.run(["deps", "ready"]);
    expect(ready.exitCode).toBe(0);
    expect(ready.notes.join()).toContain("a cycle: T001 → T003 → T002 → T001");
    expect((await test.run(["deps", "tree", "T001"])).text).toContain("(a cycle)");
    expect((await test.run(["deps", "critical"])).exitCode).toBe(0);
  });

  it("RU-05 RU-06 a missing parent and an unknown status are findings, and the task is not offered as ready", async () => {
    const test = await project(3);
    test.write(taskPath(1), taskText(1, { parent: "PRD-001/E404" }));
    test.write(taskPath(2), taskText(2, { status: "Someday" }));
    const { findings } = await test.json(["deps", "validate"]);
    expect(findings.map((one: { code: string; id: string }) => [one.code, one.id])).toEqual([
      ["invalid_status", "T002"],
      ["missing_parent", "T001"],
    ]);
    expect((await test.json(["deps", "ready"])).map((one: { id: string }) => one.id)).toEqual(["T001", "T003"]);
    expect((await test.run(["context", "load", "T001"])).text).toContain("there is no E404");
    expect((await test.run(["memory", "sync", "T404"])).exitCode).toBe(1);
  });

  it("RU-11 a damaged run file refuses a claim and is named; it hides no other lease", async () => {
    const test = await project(2);
    test.write("runs/T001.run", "garbage");
    const refused = await test.run(["assign", "claim", "T001"]);
    expect(codeOf(refused)).toBe("broken_state");
    await test.run(["assign", "claim", "T002"], { agent: "ada" });
    const listed = await test.run(["assign", "list"]);
    expect(listed.text).toContain("T002");
    expect(listed.notes.join()).toContain("runs/T001.run is no run file");
    expect(await test.json(["deps", "ready"])).toEqual([]);
  });
});

describe("disks", () => {
  it("X-54 on a full disk nothing is acknowledged, and what was there stays whole", async () => {
    const test = await project(1);
    const old = `2026-01-01T00:00:00.000Z [TIP] ${"x".repeat(32 * 1024 - 100)}\n`;
    test.write("memory/T001.log", old);
    // A file may grow to 32 KiB and no further: the line fits in part, as on a disk that fills up in the middle of it.
    const before = ["bash", "-c", 'ulimit -f 32; exec "$0" "$@"'];
    const full = await spawnBin(["task", "log", "T001", "one more ".repeat(30)], {
      cwd: test.project,
      env: test.env(),
      before,
    });
    expect(full).toMatchObject({ code: 1, stdout: "" });
    expect(full.stderr).toMatch(/rudder: the disk of .* is full\nfree some space/);
    expect(test.read("memory/T001.log")).toBe(old);
    expect((await test.bin(["task", "log", "T001", "one more"])).code).toBe(0);
  });

  it("X-54 a read-only haven is said to be one; reading goes on", async () => {
    const test = await project(1);
    await test.run(["assign", "claim", "T001"], { agent: "ada" });
    const env = test.env({ RUDDER_AGENT: "ada", RUDDER_LEASE_TTL_S: "1" });
    const run = (argv: readonly string[]) => spawnBin(argv, { cwd: test.project, env, unprivileged: true });
    const bin = dirname(dirname(binPath()));
    execFileSync("chmod", ["-R", "a+rX,a-w", bin, test.dir]);
    try {
      for (const argv of [
        ["assign", "renew", "T001"],
        ["task", "log", "T001", "x"],
        ["task", "create", "E001", "x"],
      ]) {
        const refused = await run(argv);
        expect(refused).toMatchObject({ code: 1, stdout: "" });
        expect(refused.stderr).toMatch(/rudder: the haven .* cannot be written \(EACCES\)\nmake it writable/);
      }
      expect((await run(["status"])).stdout).toContain("1 In Progress");
      expect((await run(["context", "load", "T001"])).stdout).toContain("Do number 1.");
    } finally {
      execFileSync("chmod", ["-R", "u+w", bin, test.dir]);
    }
  });

  it("X-54 a haven that vanishes is said to be gone", async () => {
    const test = await project(1);
    const store = openFileStore({ haven: test.haven });
    const change = store.change(async (step) => {
      rmSync(test.haven, { recursive: true });
      await step.artefact("T001");
    });
    await expect(change).rejects.toMatchObject({ code: "no_haven" });
    await expect(store.snapshot()).rejects.toMatchObject({ code: "no_haven" });
  });
});

describe("injection", () => {
  const NASTY = [
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned",
    "a\ntouch pwned",
    "--force",
    "../../../etc/passwd",
    "T001 --force",
    "\u001b[31mred",
    "a\0b",
    "{{}}",
    "---\nstatus: Done\n---",
    "' \" \\ | & < > * ?",
    "__proto__",
  ];

  /** Everything in and around the haven, by name and content. */
  function picture(test: TestHaven): string[] {
    const files = readdirSync(test.dir, { recursive: true, encoding: "utf8" }).sort();
    return files.filter((name) => !/haven\/(?:memory|artefacts|state|\.lock|\.cache|runs|assignments)/.test(name));
  }

  it("X-28 in every argument it is text: nothing runs, nothing is read or written outside the haven", async () => {
    const test = await project(2);
    const before = picture(test);
    for (const bad of NASTY) {
      const calls: readonly (readonly string[])[] = [
        ["task", "show", "--", bad],
        ["assign", "claim", "--", bad],
        ["deps", "add", "T001", `--blocked-by=${bad}`],
        ["task", "create", "--", "E001", bad],
        ["task", "create", "--", bad, "title"],
        ["task", "log", "--", "T001", bad],
        ["task", "log", "T001", "m", `--file=${bad}`, `--command=${bad}`, `--snippet=${bad}`],
        ["task", "update", "T001", `--title=${bad}`, `--assignee=${bad}`, `--tag=${bad}`],
        ["task", "update", "T001", `--target=${bad}=1`],
        ["artifact", "edit", "T001", `--section=${bad}`, `--append=${bad}`],
        ["artifact", "check", "--", "T001", bad],
        ["memory", "add", "--", "E001", bad],
        ["memory", "show", "--", bad],
        ["context", "load", "--", bad],
        ["task", "block", "--", "T002", bad],
        ["task", "list", `--tag=${bad}`, `--status=${bad}`],
        ["epic", "create", "--", "PRD-001", bad],
      ];
      for (const argv of calls) {
        const outcome = await test.run(argv, { agent: "ada" });
        expect([0, 1, 2], argv.join(" ")).toContain(outcome.exitCode);
      }
    }
    expect(picture(test)).toEqual(before);
    expect(existsSync(join(test.project, "pwned"))).toBe(false);
    const { findings } = await test.json(["deps", "validate"]);
    expect(findings).toEqual([]);
    const log = await test.json(["memory", "show", "T001"]);
    for (const bad of NASTY)
      expect(
        log.log.some((line: { message: string }) => line.message === bad),
        bad,
      ).toBe(true);
    expect((await test.json(["task", "show", "T001"])).tags).toContain("$(touch pwned)");
  });

  it("X-28 a name in the environment is text too, or refused", async () => {
    const test = await project(1);
    const claimed = await test.run(["assign", "claim", "T001", "--quiet", "--json"], { agent: "a: b # $(x) {y}" });
    expect(claimed.json).toMatchObject({ holder: "a: b # $(x) {y}" });
    expect((await test.json(["assign", "list"]))[0].holder).toBe("a: b # $(x) {y}");
    expect((await test.json(["task", "show", "T001"])).assignee).toBe("a: b # $(x) {y}");
    expect((await test.run(["assign", "claim", "T001"], { agent: "a\nb" })).exitCode).toBe(2);
  });

  it("X-28 text that starts with dashes is refused with the way to say it, and taken after --", async () => {
    const test = await project(1);
    const refused = await test.run(["task", "log", "T001", "--watch hangs"]);
    expect(refused.exitCode).toBe(2);
    expect(refused.text).toContain("comes after --");
    expect((await test.run(["task", "log", "T001", "--", "--watch hangs"])).exitCode).toBe(0);
  });

  it("X-24 no words at all, and words that mean nothing, never throw", async () => {
    const test = await project(2);
    const words = fc.constantFrom(
      "task",
      "deps",
      "assign",
      "show",
      "log",
      "T001",
      "E001",
      "--json",
      "--",
      "-f",
      "x",
      "",
      "a:b",
      "task:log",
      "--status",
      "help",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 5 }), async (argv) => {
        const outcome = await test.run(argv);
        expect([0, 1, 2]).toContain(outcome.exitCode);
        if (outcome.exitCode !== 0) expect(outcome.text.trim()).not.toBe("");
      }),
      { numRuns: 80 },
    );
  });

  it("X-24 an interrupted reader of stdout is no failure", async () => {
    const test = await project(1);
    mkdirSync(join(test.dir, "out"), { recursive: true });
    const piped = await spawnBin(["task", "list"], {
      cwd: test.project,
      env: test.env(),
      before: ["bash", "-c", 'set -o pipefail; "$0" "$@" | true'],
    });
    expect(piped.code).toBe(0);
    expect(readFileSync(join(test.haven, taskPath(1)), "utf8")).toBe(taskText(1));
  });
});
