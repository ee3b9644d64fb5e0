import { describe, expect, it } from "vitest";
import { gutterOf, stableWords } from "../../src/index.ts";

const ESCAPE = String.fromCharCode(27);

describe("what a line of a report says, whenever it is said", () => {
  it.each([
    ["vitest's time", "     × adds numbers 6ms", "     × adds numbers 1204ms"],
    ["go's time", "--- FAIL: TestAdd (0.00s)", "--- FAIL: TestAdd (1.25s)"],
    ["jest's time", "    ✕ adds numbers (4 ms)", "    ✕ adds numbers (12 ms)"],
    ["dotnet's time", "  Failed Adds.Numbers [< 1 ms]", "  Failed Adds.Numbers [12 ms]"],
    ["a clock", "2026-01-02 10:00:00,123 worker stopped", "2026-02-03 11:22:33,999 worker stopped"],
    ["vitest's place", " ❯ test/a.test.ts:5:17", " ❯ test/a.test.ts:105:17"],
    ["go's place", "    add_test.go:12: got 4, want 3", "    add_test.go:18: got 4, want 3"],
    ["pytest's place", "tests/test_a.py:11: AssertionError", "tests/test_a.py:13: AssertionError"],
    ["tsc's place", "src/a.ts(1,14): error TS2322: No.", "src/a.ts(10,4): error TS2322: No."],
    ["rustc's place", "  --> src/main.rs:4:5", "  --> src/main.rs:14:15"],
    ["a panic's", "thread 't::a' (26) panicked at src/lib.rs:6:17:", "thread 't::a' (31) panicked at src/lib.rs:8:1:"],
    ["node's frame", "    at add (file:///p/a.js:3:9)", "    at add (file:///p/a.js:13:9)"],
    ["java's frame", "\tat com.a.B.c(B.java:12)", "\tat com.a.B.c(B.java:99)"],
    ["python's frame", '  File "/p/a.py", line 3, in add', '  File "/p/a.py", line 30, in add'],
    ["go's frame", "\t/p/a.go:12 +0x1d", "\t/p/a.go:15 +0x2e"],
    ["quoted source", "      9|   return a;", "     10|   return a;"],
    ["the pointed line", "    >  9 |   return a;", "    > 10 |   return a;"],
    ["an object", "self = <a.B object at 0x7fe658db6a10>", "self = <a.B object at 0x7f0058db0010>"],
    ["a temporary directory", "E  open('/tmp/tmpg9re6yt_/a')", "E  open('/tmp/tmp1xr_6ytq/a')"],
    ["another one", "ENOENT: /tmp/app-x7Kq2P/out", "ENOENT: /tmp/app-R2d4sV/out"],
    ["mocha's number", "  1) adds", "  12) adds"],
    ["tap's number", "not ok 3 - adds", "not ok 14 - adds"],
    ["colours", `${ESCAPE}[31m- 6${ESCAPE}[39m`, "- 6"],
  ])("X-56 %s is no difference", (_, one, other) => {
    expect(stableWords(one)).toBe(stableWords(other));
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
    ["a chosen name", "expected '/tmp/app-Report' to be 'x'", "expected '/tmp/app-Result' to be 'x'"],
    ["a test's name", " FAIL  a.test.ts > waits 5 s", " FAIL  a.test.ts > waits 6 s"],
    ["a parameter", "___ test_each[1] ___", "___ test_each[2] ___"],
    ["what go wanted", "    add_test.go:12: got 4, want 3", "    add_test.go:12: got 5, want 3"],
    ["the middle of a long line", `${"a".repeat(900)}1${"b".repeat(900)}`, `${"a".repeat(900)}2${"b".repeat(900)}`],
  ])("X-56 %s is a difference", (_, one, other) => {
    expect(stableWords(one)).not.toBe(stableWords(other));
  });

  it("X-56 the number of a quoted line is told", () => {
    expect(gutterOf("     10|   return a;")).toBe(10);
    expect(gutterOf("   return a;")).toBeUndefined();
  });
});
