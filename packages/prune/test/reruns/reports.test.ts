import { describe, expect, it } from "vitest";
import { findReports, splitLines } from "../../src/index.ts";

/** The names and the lines (1-based) of the reports in a text. */
const reportsIn = (lines: readonly string[]) =>
  findReports(splitLines(`${lines.join("\n")}\n`)).map(({ names, from, to }) => [names.join(" + "), from + 1, to + 1]);

describe("the reports of failures", () => {
  it("X-56 vitest: tests that fail for one reason are one report, and the sum is outside", () => {
    const lines = [
      " FAIL  a.test.ts > one",
      " FAIL  a.test.ts > two",
      "Error: boom",
      " ❯ a.test.ts:3:1",
      "",
      "⎯⎯⎯⎯⎯⎯[2/3]⎯",
      "",
      " FAIL  b.test.ts > three",
      "Error: bang",
      "",
      " Test Files  2 failed (2)",
      "      Tests  3 failed (3)",
    ];
    expect(reportsIn(lines)).toEqual([
      ["a.test.ts > one + a.test.ts > two", 1, 4],
      ["b.test.ts > three", 8, 9],
    ]);
  });

  it("X-56 the rule below a report goes with it, coloured or not; the end of the text does not", () => {
    const colour = `${String.fromCharCode(27)}[31m`;
    const rule = `${colour}⎯⎯⎯⎯⎯⎯[1/2]⎯`;
    const lines = [
      " FAIL  a.test.ts > one",
      "Error: boom",
      rule,
      "",
      " FAIL  b.test.ts > two",
      "Error: bang",
      rule,
      "",
    ];
    const reports = findReports(splitLines(lines.join("\n")));
    expect(reports.map(({ from, to, end }) => [from + 1, to + 1, end + 1])).toEqual([
      [1, 2, 4],
      [5, 6, 6],
    ]);
  });

  it("X-56 jest", () => {
    const lines = [
      "FAIL src/a.test.js",
      "  ● sums › adds numbers",
      "",
      "    expect(received).toBe(expected) // Object.is equality",
      "",
      "    Expected: 6",
      "    Received: 7",
      "",
      "      at Object.<anonymous> (src/a.test.js:5:17)",
      "",
      "Tests:       1 failed, 2 passed, 3 total",
    ];
    expect(reportsIn(lines)).toContainEqual(["sums › adds numbers", 2, 9]);
  });

  it("X-56 mocha: the suites are part of the name", () => {
    const lines = [
      "  1 passing (5ms)",
      "  2 failing",
      "",
      "  1) sums",
      "       of whole numbers",
      "         adds:",
      "     AssertionError: expected 7 to equal 6",
      "      at Context.<anonymous> (test.js:5:3)",
      "",
      "  2) sums",
      "       subtracts:",
      "     AssertionError: expected 1 to equal 2",
      "",
    ];
    expect(reportsIn(lines)).toEqual([
      ["sums > of whole numbers > adds", 4, 8],
      ["sums > subtracts", 10, 12],
    ]);
  });

  it("X-56 go: a subtest is a report of its own, and the package's line is none", () => {
    const lines = [
      "--- FAIL: TestAdd (0.00s)",
      "    add_test.go:12: got 4, want 3",
      "--- FAIL: TestAll (0.00s)",
      "    --- FAIL: TestAll/small (0.00s)",
      "        add_test.go:20: got 1, want 2",
      "FAIL",
      "FAIL\texample.com/add\t0.004s",
    ];
    expect(reportsIn(lines)).toEqual([
      ["TestAdd", 1, 2],
      ["TestAll + TestAll/small", 3, 5],
    ]);
  });

  it("X-56 a traceback is named by its exception, whose words may take several lines", () => {
    const lines = [
      "Traceback (most recent call last):",
      '  File "a.py", line 3, in <module>',
      "    main()",
      "ValueError: the rows differ:",
      "  3 rows",
      "",
      "done",
    ];
    expect(reportsIn(lines)).toEqual([["ValueError: the rows differ:", 1, 5]]);
  });

  it("X-56 a compiler's findings have a place, and what is indented below belongs to them", () => {
    const lines = [
      "src/a.ts(1,14): error TS2322: Type 'A' is not assignable to type 'B'.",
      "  Property 'x' is missing.",
      "src/b.ts(3,3): error TS2304: Cannot find name 'y'.",
      "Found 2 errors.",
    ];
    const reports = findReports(splitLines(lines.join("\n")));
    expect(reports.map(({ place, from, to }) => [place?.path, place?.line, from + 1, to + 1])).toEqual([
      ["src/a.ts", 1, 1, 2],
      ["src/b.ts", 3, 3, 3],
    ]);
  });

  it("X-56 cargo: what closes the run is no failure", () => {
    const lines = [
      "---- tests::adds stdout ----",
      "",
      "thread 'tests::adds' (7) panicked at src/lib.rs:6:5:",
      "no",
      "",
      "failures:",
      "    tests::adds",
      "",
      "error: test failed, to rerun pass `--lib`",
    ];
    expect(reportsIn(lines)).toEqual([["tests::adds", 1, 4]]);
  });

  it("X-56 rspec: the reason is no part of the name, and the last words of the run are no part of the last failure", () => {
    const lines = [
      "  1) Sum adds",
      "     Failure/Error: expect(sum).to eq 6",
      "       expected: 6",
      "            got: 7",
      "     # ./spec/sum_spec.rb:5:in `block'",
      "",
      "Finished in 0.01 seconds, 1 of 3 went wrong",
    ];
    expect(reportsIn(lines)).toEqual([["Sum adds", 1, 5]]);
  });

  it("X-56 what has no end within four hundred lines is no report", () => {
    const lines = [" FAIL  a.test.ts > one", ...Array.from({ length: 500 }, (_, index) => `line ${index}`)];
    expect(reportsIn(lines)).toEqual([]);
  });

  it("X-56 prose and source have none", () => {
    expect(reportsIn(["const error = 1;", "if (failed) throw error;", "The error is reported below.", ""])).toEqual([]);
  });
});
