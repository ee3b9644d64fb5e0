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

  it("X-56 node's spec reporter: the list at the end tells of what is listed above; a suite alone is none", () => {
    const body = (indent: string) => [
      `${indent}Error: boom`,
      indent,
      `${indent}    at a.test.mjs:2:52 {`,
      `${indent}}`,
    ];
    const lines = [
      "▶ sums",
      "  ✖ adds (1.65ms)",
      ...body("    "),
      "",
      "  ✔ ok (0.1ms)",
      "✖ sums (2.9ms)",
      "ℹ fail 1",
      "",
      "✖ failing tests:",
      "",
      "test at a.test.mjs:2:26",
      "✖ adds (1.65ms)",
      ...body("  "),
    ];
    expect(reportsIn(lines)).toEqual([
      ["adds", 2, 6],
      ["adds", 14, 19],
    ]);
    const [listed, told] = findReports(splitLines(lines.join("\n")));
    expect([listed?.isListed, told?.isListed, told?.file]).toEqual([true, undefined, "a.test.mjs"]);
  });

  const summary = [
    "=========================== short test summary info ============================",
    "FAILED test_a.py::TestSums::test_adds - assert (3 + 4) == 6",
    "FAILED test_a.py::test_par[1 - 2] - ValueError: bad value",
    "======================= 2 failed, 1 passed in 6.25s ========================",
  ];

  it("X-56 pytest --tb=line: the summary names what the lines tell, where there are as many", () => {
    const section = [
      "=================================== FAILURES ===================================",
      "E   assert (3 + 4) == 6",
      "/p/test_a.py:5: assert (3 + 4) == 6",
      "----------------------------- Captured stdout call -----------------------------",
      "captured 1",
      "/p/test_a.py:13: ValueError: bad value",
    ];
    const named = [
      ["TestSums.test_adds", 2, 3],
      ["test_par[1 - 2]", 4, 6],
    ];
    expect(reportsIn([...section, ...summary])).toEqual([
      ...named,
      ["TestSums.test_adds", 8, 8],
      ["test_par[1 - 2]", 9, 9],
    ]);
    const printed = [...section.slice(0, 5), "/p/helper.py:3: a value", ...section.slice(5)];
    expect(reportsIn([...printed, ...summary])).toEqual([]);
    expect(reportsIn([...section, "2 failed in 6.25s"])).toEqual([
      ["/p/test_a.py:5: assert (3 + 4) == 6", 2, 3],
      ["/p/test_a.py:13: ValueError: bad value", 4, 6],
    ]);
  });

  it("X-56 pytest --tb=no: a failure with its whole reason is one, a cut reason and a name alone are none", () => {
    const cut = "FAILED test_a.py::test_long - AssertionError: assert 'aaaaaaaaaaaaaaaaaaaaaa...";
    const lines = [...summary.slice(0, 3), cut, "FAILED test_a.py::test_bare", ...summary.slice(3)];
    expect(reportsIn(lines)).toEqual([
      ["TestSums.test_adds", 2, 2],
      ["test_par[1 - 2]", 3, 3],
    ]);
  });

  it("X-56 pytest: a line of the summary counts only where the failure itself is told", () => {
    const block = (name: string) => [`____ ${name} ____`, "E   assert (3 + 4) == 6", "", "test_a.py:5: AssertionError"];
    const endless = Array.from({ length: 500 }, (_, i) => `${i}`);
    const failures = "==== FAILURES ====";
    expect(reportsIn([failures, ...block("TestSums.test_adds"), ...summary])).toEqual([
      ["TestSums.test_adds", 2, 5],
      ["TestSums.test_adds", 7, 7],
    ]);
    expect(reportsIn([failures, "____ TestSums.test_adds ____", ...endless, ...summary])).toEqual([]);
  });

  it("X-56 unittest: a test is named, not its exception", () => {
    const lines = [
      "=".repeat(70),
      "FAIL: test_one (test_u.U.test_one) (i=4)",
      "What it is about.",
      "-".repeat(70),
      "Traceback (most recent call last):",
      '  File "/p/test_u.py", line 3, in test_one',
      "AssertionError: 1 != 2",
      "",
      "-".repeat(70),
      "Ran 2 tests in 0.001s",
    ];
    expect(reportsIn(lines)).toEqual([["test_one (test_u.U.test_one) (i=4)", 2, 7]]);
  });

  it("X-56 phpunit, gradle and surefire", () => {
    const phpunit = [
      "There were 2 failures:",
      "",
      "1) Shop\\ManyTest::testTotals with data set #1",
      "Failed asserting that 12 is identical to 4.",
      "",
      "/p/ManyTest.php:8",
      "",
      "2) Shop\\ManyTest::testOther",
      "Error: no",
      "",
      "FAILURES!",
      "Tests: 260, Assertions: 260, Failures: 2.",
    ];
    expect(reportsIn(phpunit)).toEqual([
      ["Shop\\ManyTest::testTotals with data set #1", 3, 6],
      ["Shop\\ManyTest::testOther", 8, 9],
    ]);
    const gradle = [
      "> Task :test FAILED",
      "",
      "shop.CaseTest > adds() FAILED",
      "    org.opentest4j.AssertionFailedError: expected: <6> but was: <7>",
      "        at app//shop.CaseTest.adds(CaseTest.java:9)",
      "",
      "3 tests completed, 1 failed",
    ];
    expect(reportsIn(gradle)).toEqual([["shop.CaseTest > adds()", 3, 5]]);
    const surefire = [
      "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.133 s <<< FAILURE! -- in shop.CaseTest",
      "[ERROR] shop.CaseTest.totals -- Time elapsed: 0.072 s <<< FAILURE!",
      "org.opentest4j.AssertionFailedError: expected: <2> but was: <7>",
      "\tat shop.CaseTest.totals(CaseTest.java:5)",
      "",
      "[INFO] Running shop.OtherTest",
    ];
    expect(reportsIn(surefire)).toEqual([["shop.CaseTest.totals", 2, 4]]);
  });

  it("X-56 JUnit's XML: the test is named, not the element that tells its failure", () => {
    const lines = [
      "<testsuites>",
      '\t<testcase name="adds" time="0.002" classname="test" failure="3 != 4">',
      '\t\t<failure type="testCodeFailure" message="3 != 4">',
      "AssertionError: 3 != 4",
      "    at a.test.js:3:1",
      "\t\t</failure>",
      "\t</testcase>",
      '\t<testcase name="takes away" time="0.001" classname="test" failure="3 != 5">',
      '\t\t<failure type="testCodeFailure" message="3 != 5">',
      "AssertionError: 3 != 5",
      "\t\t</failure>",
      "\t</testcase>",
      "</testsuites>",
    ];
    expect(reportsIn(lines)).toEqual([
      ["adds", 3, 5],
      ["takes away", 9, 10],
    ]);
  });

  it("X-56 go test -v: a name below what the test printed is no report", () => {
    const lines = ["=== RUN   TestA", "    a_test.go:36: got 8, want 4", "--- FAIL: TestA (0.00s)", "FAIL"];
    expect(reportsIn(lines)).toEqual([]);
  });

  it("X-56 what has no end within four hundred lines is no report", () => {
    const lines = [" FAIL  a.test.ts > one", ...Array.from({ length: 500 }, (_, index) => `line ${index}`)];
    expect(reportsIn(lines)).toEqual([]);
  });

  it("X-56 prose and source have none", () => {
    expect(reportsIn(["const error = 1;", "if (failed) throw error;", "The error is reported below.", ""])).toEqual([]);
  });
});
