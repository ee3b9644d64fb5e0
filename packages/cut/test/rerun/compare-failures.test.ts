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

const namesOf = (compared: ReturnType<typeof compare>) => compared?.told.flatMap(({ names }) => names);
const [A, B, C] = ["a.test.ts > one", "a.test.ts > two", "b.test.ts > three"];

describe("the failures of a run, held against the last one", () => {
  it("X-56 what is the same is told, what is new, changed or gone is named", () => {
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
    expect(compare(found(12).join("\n"), found(9).join("\n"))?.told).toHaveLength(1);
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
    expect(compareFailures(table, kept, { last: text, isWhole: true, shown: [shown] })?.told).toHaveLength(1);
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
    expect(compared?.told.map(({ place }) => place?.line)).toEqual([1, 2, 3, 4]);
    expect(compared).toMatchObject({ changed: [], fresh: [finding(50)], gone: [] });
  });

  it("X-56 nothing is called new where the client may have cut the last run", () => {
    const compared = compare(run([{ name: A }, { name: B }]), run([{ name: A }]), undefined, false);
    expect(compared?.fresh).toBeUndefined();
    expect(rerunNote(compared ?? { told: [], changed: [], gone: [] })).not.toContain("new");
  });

  it("X-56 a test that is listed as before and reported in other words has changed", () => {
    const listed = ["     × one 3ms", "     × two 2ms", "     × other 2ms", "     × more 2ms", "     ✓ passes 0ms", ""];
    const before = `${listed.join("\n")}${run([{ name: A }, { name: B }])}`;
    const now = `${listed.join("\n")}${run([{ name: A, value: 9 }, { name: B }])}`;
    const compared = compare(now, before);
    expect(namesOf(compared)).toEqual([B]);
    expect(compared?.changed).toEqual([A]);
  });
});

describe("what is said of a rerun", () => {
  const told = (count: number, nameOf: (index: number) => string) => {
    const text = run(Array.from({ length: count }, (_, index) => ({ name: nameOf(index) })));
    const compared = compare(text, text);
    if (compared === undefined) throw new Error("nothing is as before");
    return rerunNote(compared);
  };

  it("X-56 up to twenty failures are named one by one, in plain words", () => {
    expect(told(2, (index) => `a.test.ts > case ${index}`)).toBe(
      "[2 failures as before, shown at an earlier run of this command: a.test.ts > case 0; a.test.ts > case 1. nothing new]",
    );
    const note = told(20, (index) => `a.test.ts > case ${index}`);
    for (let index = 0; index < 20; index++) expect(note).toContain(`case ${index}`);
  });

  it("X-56 more are grouped by their file, and many files by their number", () => {
    expect(told(50, (index) => `f${index % 3}.test.ts > case ${index}`)).toContain(
      "50 failures as before, shown at an earlier run of this command: f0.test.ts (17); f1.test.ts (17); f2.test.ts (16)",
    );
    const note = told(80, (index) => `f${index}.test.ts > case`);
    expect(note).toContain("f19.test.ts and 60 more");
    expect(note.length).toBeLessThan(600);
  });
});
