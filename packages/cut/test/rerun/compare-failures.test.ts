import { splitLines } from "@jeeves/prune";
import { describe, expect, it } from "vitest";
import { compareFailures } from "../../src/rerun/compare-failures.ts";
import { rerunNote } from "../../src/rerun/rerun-note.ts";

interface Test {
  readonly name: string;
  readonly value?: string | number;
  /** The line of its assertion. */
  readonly line?: number;
  /** What it printed besides. */
  readonly printed?: readonly string[];
}

/** As vitest prints it. */
function run(tests: readonly Test[]): string {
  const reports = tests.map(({ name, value = 7, line = 5, printed = [] }) => [
    ` FAIL  ${name}`,
    `AssertionError: expected ${value} to be 6 // Object.is equality`,
    "",
    "- Expected",
    "+ Received",
    "",
    "- 6",
    `+ ${value}`,
    ...printed,
    "",
    ` ❯ test/a.test.ts:${line}:17`,
    `${String(line - 1).padStart(7)}|   const sum = add(1);`,
    `${String(line).padStart(7)}|     expect(sum).toBe(6);`,
    "       |                 ^",
    "",
    "⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯",
    "",
  ]);
  return `${reports.flat().join("\n")}\n Test Files  1 failed (1)\n      Tests  ${tests.length} failed\n`;
}

function compare(now: string, last: string, shown: readonly string[] = [last], isWhole = true) {
  const table = splitLines(now);
  return compareFailures(table, new Uint8Array(table.count).fill(1), { last, isWhole, shown });
}

const namesOf = (compared: ReturnType<typeof compare>) => compared?.hidden.flatMap(({ names }) => names);
const [A, B, C] = ["a.test.ts > one", "a.test.ts > two", "b.test.ts > three"];

describe("the failures of a run, held against the last one", () => {
  it("X-56 failures that are the same are left out, and new, changed and missing ones are named", () => {
    const before = run([{ name: A }, { name: B }, { name: "x.test.ts > gone" }]);
    const compared = compare(run([{ name: A }, { name: B, value: 8 }, { name: C }]), before);
    expect(namesOf(compared)).toEqual([A]);
    expect(compared).toMatchObject({ fresh: [C], changed: [B], gone: ["x.test.ts > gone"] });
  });

  it.each([9, 99, 1_000])("X-56 a test that moved to line %s is the same", (line) => {
    expect(namesOf(compare(run([{ name: A, line }]), run([{ name: A }])))).toEqual([A]);
  });

  it("X-56 a table that the test printed is no quoted source: a number in it that changed is a change", () => {
    const withRow = (id: number) => run([{ name: A, printed: [` ${id} | queued`, ` 12 | done`] }]);
    expect(compare(withRow(3), withRow(4))).toBeUndefined();
    expect(namesOf(compare(withRow(3), withRow(3)))).toEqual([A]);
  });

  it("X-56 one line of quoted source moves with its place", () => {
    const found = (line: number, quoted = line) => [
      `src/a.c:${line}:5: error: 'y' undeclared (first use in this function)`,
      `${String(quoted).padStart(5)} |     return y;`,
      "      |            ^",
      "      |            y_max",
      "make: *** [all] Error 1",
      "",
    ];
    expect(compare(found(12).join("\n"), found(9).join("\n"))?.hidden).toHaveLength(1);
    expect(compare(found(12, 3).join("\n"), found(12, 4).join("\n"))).toBeUndefined();
  });

  it("X-56 a failure of which the model was not shown all that would be shown is shown", () => {
    const text = run([{ name: A }]);
    const [first = "", , ...rest] = text.split("\n");
    expect(compare(text, text, [[first, ...rest].join("\n")])).toBeUndefined();
    expect(compare(text, text, [first])).toBeUndefined();
    expect(compare(text, text, ["[1 failure as before: a.test.ts > one]"])).toBeUndefined();
  });

  it("X-56 a block that was left out before, and would be left out again, is no reason to show it all", () => {
    const text = run([{ name: A }]);
    const lines = text.split("\n");
    const table = splitLines(text);
    const kept = new Uint8Array(table.count).fill(1);
    kept.fill(0, 3, 5);
    const shown = [...lines.slice(0, 3), "⟦… 2 lines 4-5⟧", ...lines.slice(5)].join("\n");
    expect(compareFailures(table, kept, { last: text, isWhole: true, shown: [shown] })?.hidden).toHaveLength(1);
    kept[4] = 1;
    expect(compareFailures(table, kept, { last: text, isWhole: true, shown: [shown] })).toBeUndefined();
  });

  it("X-56 any earlier result that the model still has counts, but only the last run tells what is as before", () => {
    const first = run([{ name: A }, { name: B }]);
    const second = run([{ name: B }]);
    expect(namesOf(compare(first, first, ["named", first]))).toEqual([A, B]);
    const third = compare(first, second, [second, first]);
    expect(namesOf(third)).toEqual([B]);
    expect(third?.fresh).toEqual([A]);
  });

  it("X-56 of findings in the same words each counts once, and the one that did not move is the same", () => {
    const finding = (line: number) => `src/a.ts(${line},3): error TS2304: Cannot find name 'y'.`;
    const many = (lines: readonly number[]) => lines.map((line) => `${finding(line)}\n`).join("");
    const compared = compare(many([1, 2, 3, 4, 50, 9]), many([1, 2, 3, 4, 9]));
    expect(compared?.hidden.map(({ place }) => place?.line)).toEqual([1, 2, 3, 4]);
    expect(compared).toMatchObject({ changed: [], fresh: [finding(50)], gone: [] });
  });

  it("X-56 nothing is called new where the client may have cut the last run", () => {
    const compared = compare(run([{ name: A }, { name: B }]), run([{ name: A }]), undefined, false);
    expect(compared?.fresh).toBeUndefined();
    if (compared === undefined) throw new Error("nothing is as before");
    expect(rerunNote(compared)).not.toContain("new");
  });

  it("X-56 a test that is listed as before and reported in other words has changed", () => {
    const listed = ["     × one 3ms", "     × two 2ms", "     × other 2ms", "     × more 2ms", "     ✓ passes 0ms", ""];
    const before = `${listed.join("\n")}${run([{ name: A }, { name: B }])}`;
    const now = `${listed.join("\n")}${run([{ name: A, value: 9 }, { name: B }])}`;
    const compared = compare(now, before);
    expect(namesOf(compared)).toEqual([B]);
    expect(compared?.changed).toEqual([A]);
  });

  it.each([
    [
      "cargo",
      (line: number) => [
        "---- tests::adds stdout ----",
        "",
        `thread 'tests::adds' (${line}) panicked at src/lib.rs:${line}:9:`,
        "assertion `left == right` failed",
        "  left: 4",
        " right: 3",
        "",
        "failures:",
      ],
    ],
    [
      "go",
      (line: number) => [
        "--- FAIL: TestAdds (0.00s)",
        `    adds_test.go:${line}: got 1, want 2`,
        "        of a list",
        "        of numbers",
        "FAIL",
      ],
    ],
    [
      "mocha",
      (line: number) => [
        "  1) sums adds:",
        "",
        "      AssertionError [ERR_ASSERTION]: 1 == 2",
        "      -1",
        "      +2",
        `      at Context.<anonymous> (test/a.js:${line}:12)`,
        "",
        "  2 failing",
      ],
    ],
  ])("X-56 %s: the next assertion of a test that fails with the same values is a change", (_, report) => {
    const before = `${report(66).join("\n")}\n`;
    expect(compare(before, before)).toMatchObject({ more: 0, changed: [], fresh: [] });
    expect(compare(`${report(68).join("\n")}\n`, before)).toBeUndefined();
  });

  it("X-56 what the model was shown of another assertion is not shown", () => {
    const report = (line: number) =>
      `--- FAIL: TestAdds (0.00s)\n    a_test.go:${line}: got 1, want 2\n    a\n    b\nFAIL\n`;
    expect(compare(report(68), report(68), [report(66)])).toBeUndefined();
    expect(compare(report(68), report(68), ["", report(68)])?.hidden).toHaveLength(1);
  });

  it("X-56 cargo's advice stands below the first thread that panics, whichever it is", () => {
    const report = (name: string, isFirst: boolean) => [
      `---- tests::${name} stdout ----`,
      "",
      `thread 'tests::${name}' (${isFirst ? 7 : 8}) panicked at src/lib.rs:6:9:`,
      "the queue is closed",
      ...(isFirst ? ["note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"] : []),
      "",
    ];
    const before = [...report("adds", true), ...report("takes", false), "failures:", ""].join("\n");
    const now = [...report("takes", true), ...report("adds", false), "failures:", ""].join("\n");
    expect(compare(now, before)).toMatchObject({ names: ["tests::takes", "tests::adds"], changed: [], fresh: [] });
  });

  it("X-56 tests of one name in two files are two, and one more of that name is new", () => {
    const report = (file: string, name: string) => [
      `_________ ${name} _________`,
      "",
      `    def ${name}():`,
      ">       assert total([1, 2]) == 3",
      "E       assert 4 == 3",
      "",
      `${file}:3: AssertionError`,
    ];
    const of = (...reports: readonly string[][]) => [...reports.flat(), "====== failed ======", ""].join("\n");
    const [one, other] = [report("test_a.py", "test_adds"), report("test_b.py", "test_adds")];
    const alone = report("test_a.py", "test_takes");
    const both = compare(of(one, alone, other), of(one, alone, other));
    expect(both).toMatchObject({ names: ["test_a.py::test_adds", "test_takes", "test_b.py::test_adds"], fresh: [] });
    expect(rerunNote(both as NonNullable<typeof both>)).toMatch(/^\[3 failures as before/);
    const more = compare(of(one, alone, other), of(one, alone));
    expect(more).toMatchObject({ changed: [], fresh: ["test_b.py::test_adds"], gone: [] });
    expect(more?.names).toEqual(["test_a.py::test_adds", "test_takes"]);
    expect(compare(of(one, alone), of(one, alone, other))).toMatchObject({ fresh: [], gone: ["test_b.py::test_adds"] });
  });

  it("X-56 node's spec reporter: how long a test took is no change, its values are one, and each counts once", () => {
    const text = (took: number, value: number) => {
      const body = (indent: string) =>
        [`✖ adds (${took}ms)`, "  AssertionError: expected", `  ${value} !== 6`, "      at a.test.mjs:2:52"].map(
          (line) => `${indent}${line}`,
        );
      const list = ["✖ failing tests:", "", "test at a.test.mjs:2:26", ...body("")];
      return ["▶ sums", ...body("  "), "", `✖ sums (${took}ms)`, "ℹ fail 1", "", ...list, ""].join("\n");
    };
    expect(compare(text(1.65, 7), text(0.2, 7))).toMatchObject({ names: ["adds"], fresh: [], changed: [] });
    expect(compare(text(1.65, 8), text(1.65, 7))).toBeUndefined();
  });

  it("X-56 pytest --tb=no and --tb=line: what has the same words is named, all else is shown", () => {
    const names = ["a", "b", "c", "d", "e"];
    const reasonOf = (name: string, other?: string) => `assert ${name === other ? 8 : 7} == 6`;
    const lineOf = (name: string, other?: string) => [
      `E   ${reasonOf(name, other)}`,
      `/p/test_x.py:${names.indexOf(name) + 5}: ${reasonOf(name, other)}`,
    ];
    const summary = (other?: string) => [
      "=========================== short test summary info ============================",
      ...names.map((name) => `FAILED test_x.py::test_${name} - ${reasonOf(name, other)}`),
      "============================== 5 failed in 6.25s ===============================",
      "",
    ];
    const failures = (other?: string) => ["======= FAILURES =======", ...names.flatMap((name) => lineOf(name, other))];
    const brief = (other?: string) => summary(other).join("\n");
    const lines = (other?: string) => [...failures(other), ...summary(other)].join("\n");
    for (const text of [brief, lines]) {
      expect(compare(text("e"), text())).toMatchObject({
        names: ["test_a", "test_b", "test_c", "test_d"],
        changed: ["test_e"],
        fresh: [],
      });
      const reports = compare(text("e"), text())?.hidden ?? [];
      const hidden = text("e")
        .split("\n")
        .filter((_, i) => reports.some(({ from, end }) => from <= i && i <= end));
      expect(hidden.join("\n")).not.toContain("assert 8 == 6");
    }
  });

  it("X-56 surefire and phpunit: times and numbers are no change", () => {
    const java = (took: string) =>
      ["a", "b", "c"].flatMap((name) => [
        `[ERROR] shop.CaseTest.${name} -- Time elapsed: ${took} s <<< FAILURE!`,
        "org.opentest4j.AssertionFailedError: expected: <2> but was: <7>",
        `\tat shop.CaseTest.${name}(CaseTest.java:5)`,
        "",
      ]);
    const [now, before] = [java("0.072"), java("1.3")].map((lines) => [...lines, "[INFO] done", ""].join("\n"));
    expect(compare(now ?? "", before ?? "")?.names).toEqual(["a", "b", "c"].map((name) => `shop.CaseTest.${name}`));
    const php = (nth: number, name: string) => [`${nth}) T::test${name}`, "Failed asserting.", "", "/p/T.php:8", ""];
    const end = ["FAILURES!", ""];
    const both = [...php(1, "A"), ...php(2, "B"), ...end].join("\n");
    expect(compare([...php(1, "B"), ...end].join("\n"), both)).toMatchObject({
      names: ["T::testB"],
      gone: ["T::testA"],
    });
  });

  it("X-56 a failure that is listed and reported counts once", () => {
    const listed = ["  0 passing (4ms)", "    1) adds", "    2) takes", ""];
    const report = (nth: number, name: string) => [`  ${nth}) ${name}:`, "     Error: no", "      at a.js:3:1", ""];
    const text = [...listed, ...report(1, "adds"), ...report(2, "takes"), ""].join("\n");
    expect(compare(text, text)?.names).toEqual(["adds", "takes"]);
  });

  it("X-56 tap: how long a test took is no change, and a value of that name is one", () => {
    const report = (took: number, actual: number) => [
      "not ok 1 - waits",
      "  ---",
      `  duration_ms: ${took}`,
      "  location: '/p/a.test.js:2:1'",
      "  actual:",
      `    duration_ms: ${actual}`,
      "  ...",
      "# tests 1",
    ];
    const [before, now, other] = [report(1.5, 3), report(0.25, 3), report(1.5, 4)].map((lines) => lines.join("\n"));
    expect(compare(now ?? "", before ?? "")?.names).toEqual(["waits"]);
    expect(compare(other ?? "", before ?? "")).toBeUndefined();
  });

  it("X-56 a name alone is not counted among those that failed as before", () => {
    const text = `${run([{ name: A }])}error: script "test" exited with code 1\n`;
    expect(compare(text, text)).toMatchObject({ names: [A], more: 0 });
  });

  it("X-56 how many more failed as before is said where they were not shown", () => {
    const tests = Array.from({ length: 30 }, (_, index) => ({ name: `a.test.ts > case ${index}` }));
    const compared = compare(run([...tests, { name: B }]), run(tests), [run(tests.slice(0, 5))]);
    expect(compared).toMatchObject({ more: 25, fresh: [B] });
    if (compared === undefined) throw new Error("nothing is as before");
    expect(rerunNote(compared)).toMatch(/^\[5 failures as before, .*\. 25 more failed as before\. 1 new: /);
  });
});

describe("what is said of a rerun", () => {
  const noteOf = (count: number, nameOf: (index: number) => string) => {
    const text = run(Array.from({ length: count }, (_, index) => ({ name: nameOf(index) })));
    const compared = compare(text, text);
    if (compared === undefined) throw new Error("nothing is as before");
    return rerunNote(compared);
  };

  it("X-56 up to twenty failures are named one by one, in plain words", () => {
    expect(noteOf(2, (index) => `a.test.ts > case ${index}`)).toBe(
      "[2 failures as before, shown at an earlier run of this command: a.test.ts > case 0; a.test.ts > case 1. nothing new]",
    );
    const note = noteOf(20, (index) => `a.test.ts > case ${index}`);
    for (let index = 0; index < 20; index++) expect(note).toContain(`case ${index}`);
  });

  it("X-56 more are grouped by their file, and many files by their number", () => {
    expect(noteOf(50, (index) => `f${index % 3}.test.ts > case ${index}`)).toContain(
      "50 failures as before, shown at an earlier run of this command: f0.test.ts (17); f1.test.ts (17); f2.test.ts (16)",
    );
    const note = noteOf(80, (index) => `f${index}.test.ts > case`);
    expect(note).toContain("f19.test.ts and 60 more");
    expect(note.length).toBeLessThan(600);
  });
});
