import { describe, expect, it } from "vitest";
import { splitLines, stableLines } from "../../src/index.ts";

const ESCAPE = String.fromCharCode(27);

/** What the lines of a text say, whenever they are said. */
const wordsOf = (...lines: readonly string[]) => stableLines(splitLines(lines.join("\n"))).stable.filter(Boolean);

describe("what a line of a report says, whenever it is said", () => {
  it.each([
    ["vitest's time", "     × adds numbers 6ms", "     × adds numbers 1204ms"],
    ["go's time", "--- FAIL: TestAdd (0.00s)", "--- FAIL: TestAdd (1.25s)"],
    ["dotnet's time", "  Failed Adds.Numbers [< 1 ms]", "  Failed Adds.Numbers [12 ms]"],
    ["a clock", "2026-01-02 10:00:00,123 worker stopped", "2026-02-03 11:22:33,999 worker stopped"],
    [
      "a panic's thread",
      "thread 't::a' (26) panicked at src/lib.rs:6:17:",
      "thread 't::a' (31) panicked at src/lib.rs:6:17:",
    ],
    ["go's offset", "\t/p/a.go:12 +0x1d", "\t/p/a.go:12 +0x2e"],
    ["an object", "self = <a.B object at 0x7fe658db6a10>", "self = <a.B object at 0x7f0058db0010>"],
    ["a temporary directory", "E  open('/tmp/tmpg9re6yt_/a')", "E  open('/tmp/tmp1xr_6ytq/a')"],
    ["another one", "ENOENT: /tmp/app-x7Kq2P/out", "ENOENT: /tmp/app-R2d4sV/out"],
    ["mocha's number", "  1) adds", "  12) adds"],
    ["tap's number", "not ok 3 - adds", "not ok 14 - adds"],
    ["colours", `${ESCAPE}[31m- 6${ESCAPE}[39m`, "- 6"],
  ])("X-56 %s is no difference", (_, one, other) => {
    expect(wordsOf(one)).toEqual(wordsOf(other));
  });

  it.each([
    ["a number", "AssertionError: expected 7 to be 6", "AssertionError: expected 8 to be 6"],
    ["a duration", "AssertionError: expected '5ms' to be '6ms'", "AssertionError: expected '7ms' to be '6ms'"],
    ["a duration in brackets", "E   took (5 ms)", "E   took (9 ms)"],
    ["a date", "- 2026-01-02", "- 2026-01-03"],
    ["a time", "E   assert '10:00:00' == '10:00:01'", "E   assert '10:00:02' == '10:00:01'"],
    ["a port", "    example.com:8080: refused", "    example.com:8081: refused"],
    ["a place as a value", 'expected "a.ts:12" to be "a.ts:13"', 'expected "a.ts:12" to be "a.ts:14"'],
    ["a hex number", "expected 0x10 to be 0x11", "expected 0x12 to be 0x11"],
    ["an address", "Error: bob@facade.com is taken", "Error: bob@decade.com is taken"],
    ["a path", "expected '/tmp/report-2024' to be 'x'", "expected '/tmp/report-2025' to be 'x'"],
    ["the chosen part of a temporary name", "ENOENT: /tmp/key-a1B2c3/out", "ENOENT: /tmp/lock-a1B2c4/out"],
    ["blanks at the end", "E  + two  ", "E  + two"],
    ["a chosen name", "expected '/tmp/app-Report' to be 'x'", "expected '/tmp/app-Result' to be 'x'"],
    ["a test's name", " FAIL  a.test.ts > waits 5 s", " FAIL  a.test.ts > waits 6 s"],
    ["a parameter", "___ test_each[1] ___", "___ test_each[2] ___"],
    ["a clock as a value", "10:00:00", "23:59:59"],
    ["a clock with words", "10:00:00 is the time of the meeting", "23:59:59 is the time of the meeting"],
    ["a moment as a value", "2026-01-02T10:00:00.123Z", "2026-01-03T10:00:00.123Z"],
    ["a place on a line of its own", "src/a.ts:12", "src/a.ts:99"],
    ["a duration in a test's name", " FAIL  a.test.ts > waits (10 ms)", " FAIL  a.test.ts > waits (500 ms)"],
    ["a duration in a name of jest's", "  ● waits › long (10 ms)", "  ● waits › long (500 ms)"],
    ["a number that stands in a list", "    the order:\n  1) a", "    the order:\n  1) b"],
    ["vitest's place", " ❯ test/a.test.ts:5:17", " ❯ test/a.test.ts:105:17"],
    ["go's place", "    add_test.go:12: got 4, want 3", "    add_test.go:18: got 4, want 3"],
    ["pytest's place", "tests/test_a.py:11: AssertionError", "tests/test_a.py:13: AssertionError"],
    ["tsc's place", "src/a.ts(1,14): error TS2322: No.", "src/a.ts(10,4): error TS2322: No."],
    ["rustc's place", "  --> src/main.rs:4:5", "  --> src/main.rs:14:5"],
    ["a panic's place", "thread 't::a' panicked at src/lib.rs:6:17:", "thread 't::a' panicked at src/lib.rs:8:17:"],
    ["node's frame", "    at add (file:///p/a.js:3:9)", "    at add (file:///p/a.js:13:9)"],
    ["python's frame", '  File "/p/a.py", line 3, in add', '  File "/p/a.py", line 30, in add'],
    ["what go wanted", "    add_test.go:12: got 4, want 3", "    add_test.go:12: got 5, want 3"],
    ["the middle of a long line", `${"a".repeat(900)}1${"b".repeat(900)}`, `${"a".repeat(900)}2${"b".repeat(900)}`],
  ])("X-56 %s is a difference", (_, one, other) => {
    expect(wordsOf(one)).not.toEqual(wordsOf(other));
  });

  it("X-56 what a tool advises after a failure says nothing of it", () => {
    const report = [
      "---- tests::adds stdout ----",
      "",
      "thread 'tests::adds' (1) panicked at src/lib.rs:6:17:",
      "no",
      "",
    ];
    const advice = "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace";
    expect(wordsOf(...report, advice)).toEqual(wordsOf(...report));
  });
});

describe("the places of source that a report quotes", () => {
  const vitest = (line: number, { quoted = line, source = "expect(sum).toBe(6);", caller = 40 } = {}) => [
    " FAIL  a.test.ts > adds",
    "AssertionError: expected 7 to be 6",
    ` ❯ check test/a.test.ts:${line}:17`,
    `${String(quoted - 1).padStart(7)}|   const sum = add(1);`,
    `${String(quoted).padStart(7)}|     ${source}`,
    "       |                 ^",
    `${String(quoted + 1).padStart(7)}|   });`,
    ` ❯ test/a.test.ts:${caller}:3`,
  ];
  const jest = (line: number) => [
    "  ● sums › adds",
    "    Expected: 6",
    `      ${line - 1} |   const sum = add(1);`,
    `    > ${line} |   expect(sum).toBe(6);`,
    "        |               ^",
    `      at Object.<anonymous> (src/a.test.js:${line}:15)`,
  ];
  const rustc = (line: number) => [
    "error[E0308]: mismatched types",
    ` --> src/main.rs:${line}:18`,
    "  |",
    `${line} |     let x: i32 = "a";`,
    "  |            ---   ^^^ expected `i32`, found `&str`",
  ];
  const pytest = (line: number, { source = "assert total([1, 2]) == 3", printed = 1 } = {}) => [
    "________ test_sum ________",
    "    def test_sum():",
    `>       ${source}`,
    "E       assert 4 == 3",
    "",
    `test_a.py:${line}: AssertionError`,
    "--------- Captured stdout call ---------",
    ">   rows",
    `rows.py:${printed}: done`,
    "======== 1 failed ========",
  ];

  it.each([
    ["vitest", vitest(6), vitest(105)],
    ["jest", jest(9), jest(10)],
    ["rustc", rustc(4), rustc(14)],
    ["pytest", pytest(11), pytest(13)],
  ])("X-56 %s's may move", (_, one, other) => {
    expect(wordsOf(...one)).toEqual(wordsOf(...other));
  });

  it.each([
    ["other source", vitest(6), vitest(8, { source: "expect(all).toBe(6);" })],
    ["the place of a caller, which is not quoted", vitest(6), vitest(6, { caller: 44 })],
    ["a quote of another line than the place's", vitest(6, { quoted: 7 }), vitest(6, { quoted: 8 })],
    ["another line of pytest's", pytest(11), pytest(13, { source: "assert total([1, 3]) == 3" })],
    ["what a test of pytest's printed", pytest(11), pytest(11, { printed: 2 })],
  ])("X-56 %s is a difference", (_, one, other) => {
    expect(wordsOf(...one)).not.toEqual(wordsOf(...other));
  });
});
