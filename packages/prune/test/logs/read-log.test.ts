import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { prune, renderPruned, shortMarker } from "../../src/index.ts";

const show = async (text: string, focus = "", barriers?: number[]): Promise<string> => {
  const pruned = await prune(text, { focus, kind: "logs", ...(barriers ? { barriers } : {}) });
  expect(pruned.status).toBe("pruned");
  return renderPruned(text, pruned, { marker: shortMarker });
};
const quiet = (from: number, count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `12:00:${(from + i) % 60} INFO served request ${from + i} in ${i % 97} ms\n`,
  ).join("");

describe("logs", () => {
  it("X-23 of a long list without parts only what matches the question is evidence", async () => {
    const names = Array.from(
      { length: 600 },
      (_, i) => `${[...String(i)].map((digit) => "bcdfghjklm"[+digit]).join("a")}.ts`,
    );
    names.splice(300, 0, "segment-docs.ts");
    const list = names.map((name) => `-rw-r--r-- 1 root root  749 Nov 17 02:13 ${name}\n`).join("");
    const out = await show(list, "how large is segment-docs.ts?");
    expect(out).toContain(" segment-docs.ts\n");
    expect(out.length).toBeLessThan(list.length / 5);
  });

  it("a line that holds the number or the id that was asked for is no repeat of those that hold others", async () => {
    const out = await show(quiet(10_000, 3_000), "what became of request 11234?");
    expect(out).toContain("served request 11234 in");
    expect(out.split("\n").length).toBeLessThan(60);
    const builds = Array.from(
      { length: 2_000 },
      (_, i) => `built a${(i * 7919 + 4096).toString(16)} on host-${i % 7}\n`,
    );
    expect(await show(builds.join(""), "where was a78e598 built?")).toContain("built a78e598 on host-6");
  });

  it("K-29 X-06 a failing test run keeps every failure, its assertion and the summary, and drops what passed", async () => {
    const log = readFileSync(new URL("../fixtures/pytest.log", import.meta.url), "utf8");
    const out = await show(log, "which fixtures are slow?");
    for (const line of [
      "test_a.py::test_bad FAILED",
      "AssertionError: assert {'a': 2",
      "raise ValueError(",
      "2 failed, 300 passed",
      "FAILED test_a.py::test_raises",
    ])
      expect(out).toContain(line);
    expect(out).toMatch(/⟦… \d+ lines \d+-\d+ like line 10⟧/);
    expect(out.length).toBeLessThan(log.length / 5);
  });

  it("K-29 an error in the middle survives with its traceback and surroundings, with no focus at all", async () => {
    const text = `${quiet(0, 900)}12:15:00 ERROR pool exhausted\nTraceback (most recent call last):\n  File "/app/a.py", line 3, in run\n    go()\nPoolError: no connection left\n${quiet(900, 900)}`;
    const out = await show(text);
    expect(out).toContain(
      '12:15:00 ERROR pool exhausted\nTraceback (most recent call last):\n  File "/app/a.py", line 3, in run\n    go()\nPoolError: no connection left\n',
    );
    expect(out).toContain("request 899 ");
    expect(out).toContain("request 900 ");
    expect(out.split("\n").length).toBeLessThan(60);
  });

  it.each(["what happened to request 717?", "717", "how long did `request 717` take?"])(
    "the line with the number that was asked for stays among thousands of its shape, and the others go: %s",
    async (focus) => {
      const out = await show(quiet(0, 3000), focus);
      expect(out).toContain("served request 717 in ");
      expect(out.split("\n").length).toBeLessThan(80);
    },
  );

  it("K-29 the one error in a log of JSON lines stays, whatever is asked and without a word about what the text is", async () => {
    const record = (level: string, i: number): string =>
      `{"level":"${level}","ts":${1767225600 + i},"msg":"${level === "error" ? "pool exhausted" : "handled request"}","path":"/orders/${i}"}\n`;
    const log = Array.from({ length: 3000 }, (_, i) => record(i === 1500 ? "error" : "info", i)).join("");
    const pruned = await prune(log, { focus: "which orders are slow?" });
    expect(pruned.kind).toBe("logs");
    expect(renderPruned(log, pruned, { marker: shortMarker })).toContain("pool exhausted");
  });

  it("what thousands of lines of one shape say alike is no news in any of them, whatever stands between", async () => {
    const log = `${quiet(0, 1500)}12:25:00 ERROR pool exhausted\n${quiet(1500, 1500)}`;
    for (const focus of ["which requests are served slowly?", "INFO served request", "requests in 5 ms"]) {
      const out = await show(log, focus);
      expect(out).toContain("pool exhausted");
      expect(out.split("\n").length).toBeLessThan(80);
    }
  });

  it.each([
    ["jest", "  ● adds › twice", "    expect(received).toBe(expected)", "Tests:       1 failed, 9 passed"],
    [
      "vitest",
      " FAIL  test/a.test.ts > adds",
      "AssertionError: expected 1 to be 2",
      "      Tests  1 failed | 9 passed (10)",
    ],
    [
      "cargo",
      "---- tests::adds stdout ----",
      "thread 'tests::adds' panicked at src/lib.rs:7:9:",
      "test result: FAILED. 9 passed; 1 failed",
    ],
    ["go", "--- FAIL: TestAdds (0.00s)", "    add_test.go:9: got 1, want 2", "FAIL\texample.com/add\t0.003s"],
    [
      "tsc",
      "src/a.ts(3,7): error TS2322: Type 'string' is not assignable",
      "src/b.ts(9,1): error TS1005: ';' expected.",
      "Found 2 errors in 2 files.",
    ],
    [
      "gcc",
      "main.c:4:9: error: 'x' undeclared (first use in this function)",
      "    4 |     x = 1;",
      "make: *** [Makefile:3: main] Error 1",
    ],
    [
      "java",
      'Exception in thread "main" java.lang.IllegalStateException: closed',
      "\tat app.Main.run(Main.java:12)",
      "BUILD FAILURE",
    ],
    [
      "docker",
      " > [builder 5/7] RUN npm run build:",
      "3.201 sh: 1: tsc: not found",
      'ERROR: failed to solve: process "/bin/sh -c npm run build" did not complete successfully: exit code: 127',
    ],
    ["npm", "npm ERR! code ELIFECYCLE", "npm ERR! errno 1", "npm ERR! command failed"],
  ])("X-06 %s: the failure, its detail and the outcome stay", async (_tool, fail, detail, summary) => {
    const text = `${quiet(0, 400)}${fail}\n${detail}\n${quiet(400, 400)}${summary}\n${quiet(800, 300)}`;
    const out = await show(text, "cache");
    for (const line of [fail, detail, summary]) expect(out.split("\n")).toContain(line);
  });

  it("K-29 different errors of one shape all stay; the same error but for its time is told by its first and its last", async () => {
    const text = Array.from(
      { length: 500 },
      (_, i) =>
        `12:${String(i % 60).padStart(2, "0")}:01 ERROR no route to host after ${i} ms at 0x7f${i}\n${quiet(i * 20, 20)}` +
        (i % 50 === 0 ? `12:00:01 ERROR connection ${i} refused\n` : ""),
    ).join("");
    const out = await show(text);
    for (let i = 0; i < 500; i += 50) expect(out).toContain(`ERROR connection ${i} refused`);
    expect(out).toContain("after 0 ms");
    expect(out).toContain("after 499 ms");
    expect(out).not.toContain("after 250 ms");
    const strict = await prune(text, {
      focus: "",
      kind: "logs",
      amount: { mode: "ratio", maxPruneRatio: 0.9, minKeepLines: 1 },
    });
    text.split("\n").forEach((line, i) => {
      if (line.includes("ERROR")) expect(strict.kept[i]).not.toBe(0);
    });
  });

  it("K-29 X-59 forty failing tests stay with their reasons; a reader's limit leaves a line of each and the first reasons", async () => {
    const failure = (i: number): string =>
      `--- FAIL: TestCase${i} (0.00s)\n    case_test.go:${i}: got ${i}, want 7\n    case_test.go:${i}: see above\n`;
    const text = Array.from({ length: 40 }, (_, i) => quiet(i * 40, 40) + failure(i)).join("");
    const out = await show(text);
    for (let i = 0; i < 40; i++) expect(out).toContain(failure(i));
    const capped = await prune(text, { focus: "", kind: "logs", amount: { mode: "auto", maxChars: 3_500 } });
    const short = renderPruned(text, capped, { marker: shortMarker });
    for (let i = 0; i < 40; i++) expect(short).toContain(`--- FAIL: TestCase${i} (0.00s)\n`);
    for (let i = 0; i < 5; i++) expect(short).toContain(`case_test.go:${i}: got ${i}, want 7\n`);
    expect(short).not.toContain("got 38, want 7");
    expect(short.length).toBeLessThanOrEqual(3_500);
  });

  it("what the focus asks for is found among thousands of lines", async () => {
    const text = `${quiet(0, 2000)}12:00:00 INFO cache rebuilt because the schema version changed\n${quiet(2000, 2000)}`;
    expect(await show(text, "why was the cache rebuilt?")).toContain("schema version changed");
  });

  it("X-20 no block spans a barrier, and both parts keep their last lines", async () => {
    const text = quiet(0, 300) + quiet(300, 300);
    const pruned = await prune(text, { focus: "", kind: "logs", barriers: [300] });
    expect(pruned.blocks.every((b) => b.endLine <= 300 || b.startLine > 300)).toBe(true);
    expect(pruned.kept[299]).not.toBe(0);
    expect(pruned.kept[300]).not.toBe(0);
  });

  it("colours and progress lines hide no failure", async () => {
    const text = `${quiet(0, 300)}\u001b[31mERROR\u001b[0m disk full\n10%\r20%\r100% panic: lost\r\n${quiet(300, 300)}`;
    const out = await show(text);
    expect(out).toContain("\u001b[31mERROR\u001b[0m disk full\n10%\r20%\r100% panic: lost\r\n");
  });

  it.each([
    ["node", (i: number) => `✔ handles error ${i} (0.${i}ms)`],
    ["pytest", (i: number) => `test_many.py::test_error_${i} PASSED           [ ${i % 100}%]`],
    ["cargo", (i: number) => `test tests::failed_login_error_${i} ... ok`],
    ["go", (i: number) => `--- PASS: TestError${i} (0.00s) error`],
    ["tap", (i: number) => `ok ${i} - error is told`],
  ])("X-06 %s: a test that passed is no trouble, whatever its name says", async (_tool, passed) => {
    const text = `${Array.from({ length: 300 }, (_, i) => `${passed(i)}\n`).join("")}3 failed, 300 passed\n${quiet(0, 40)}`;
    const out = await show(text);
    expect(out).toContain("3 failed, 300 passed");
    expect(out.split("\n").length).toBeLessThan(60);
  });

  it("X-06 of a deep recursion the first and last frames stay, with the exception that it ended in", async () => {
    const text = `${quiet(0, 200)}java.lang.IllegalStateException: order 7 is closed\n${"\tat app.Main.deep(Main.java:2)\n".repeat(60)}\tat app.Main.main(Main.java:9)\n${quiet(200, 200)}`;
    const out = await show(text);
    expect(out).toContain("order 7 is closed\n\tat app.Main.deep(Main.java:2)\n");
    expect(out).toContain("\tat app.Main.main(Main.java:9)\n");
    expect(out.split("app.Main.deep").length).toBeLessThan(8);
  });

  it("X-06 frames of libraries go, all but the one that threw; one's own stay", async () => {
    const library = (n: number): string => `\tat java.base/java.util.stream.Pipe.step${n}(Pipe.java:${n})\n`;
    const text = `${quiet(0, 200)}java.lang.IllegalStateException: order 7 is closed\n${library(1)}${library(2)}${library(3)}${library(4)}${library(5)}\tat app.Main.run(Main.java:4)\n${library(6)}${library(7)}${library(8)}${library(9)}${quiet(200, 200)}`;
    const out = await show(text);
    expect(out).toContain(`order 7 is closed\n${library(1)}⟦… 4 lines`);
    expect(out).toContain("\tat app.Main.run(Main.java:4)\n");
    expect(out).not.toContain("step3");
    expect(out).not.toContain("step8");
  });

  it("X-06 a line that only has the word in it is told by its first and last; one that says what went wrong stays", async () => {
    const text = Array.from(
      { length: 300 },
      (_, i) => `checked error handling of ${i}\n${i % 60 === 7 ? `upload failed: part ${i}\n` : ""}`,
    ).join("");
    const out = await show(text);
    for (const i of [7, 67, 127, 187, 247]) expect(out).toContain(`upload failed: part ${i}\n`);
    expect(out).not.toContain("handling of 100\n");
    expect(out.length).toBeLessThan(text.length / 5);
  });

  it("X-06 advice that follows every failure alike is not worth its lines", async () => {
    const text = `${quiet(0, 300)}[ERROR] Failed to execute goal shop:test\n[ERROR] \n[ERROR] Re-run Maven using the -X switch to enable full debug logging.\n[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.\n[exit code: 1]\n`;
    const out = await show(text);
    expect(out).toContain("[ERROR] Failed to execute goal shop:test\n");
    expect(out).toContain("[exit code: 1]\n");
    expect(out).not.toContain("-X switch");
  });

  it.each([
    ["0 errors, 3 failed", true],
    ["#   Failed test 'no error in case 4'", true],
    ["0 failed, 3 passed, errors: 0", false],
    ["no errors, no warnings", false],
  ])("X-06 that there was none of one thing hides nothing else: %s", async (line, isKept) => {
    const text = `${quiet(0, 300)}${line}\n${quiet(300, 300)}`;
    const pruned = await prune(text, { focus: "", kind: "logs" });
    expect(pruned.kept[300] !== 0).toBe(isKept);
  });

  it("X-06 go test -v: what a failed test said while it ran stays, far above the line that says that it failed", async () => {
    const runs = Array.from(
      { length: 200 },
      (_, i) =>
        `=== RUN   TestAll/case_${i}\n    all_test.go:9: at ${i}\n${i === 70 ? "    all_test.go:14: the sum is off\n" : ""}`,
    );
    const ends = Array.from(
      { length: 200 },
      (_, i) => `    --- ${i === 70 ? "FAIL" : "PASS"}: TestAll/case_${i} (0.00s)\n`,
    );
    const text = `${runs.join("")}--- FAIL: TestAll (0.01s)\n${ends.join("")}FAIL\n`;
    const out = await show(text);
    expect(out).toContain("=== RUN   TestAll/case_70\n    all_test.go:9: at 70\n    all_test.go:14: the sum is off\n");
    expect(out).toContain("    --- FAIL: TestAll/case_70 (0.00s)\n");
    expect(out.length).toBeLessThan(text.length / 5);
  });

  it("X-06 eslint: an error keeps the name of its file, however many warnings stand between", async () => {
    const file = (k: number): string =>
      `/project/f${k}.js\n${Array.from({ length: 8 }, (_, i) => `  ${i + 1}:1  warning  Unexpected var  no-var\n`).join("")}`;
    const text = `${Array.from({ length: 40 }, (_, k) => `${file(k)}${k === 20 ? "  9:1  error    'x' is not defined  no-undef\n" : ""}\n`).join("")}✖ 321 problems (1 error, 320 warnings)\n`;
    const out = await show(text);
    expect(out).toContain("/project/f20.js\n");
    expect(out).toContain("'x' is not defined");
    expect(out).not.toContain("/project/f25.js");
  });

  it("K-29 an error that a long line says last is seen: over its own progress, or late in a record", async () => {
    const progress = `${Array.from({ length: 60 }, (_, i) => `Downloading package ${i}%\r`).join("")}ERROR: connection reset by peer\n`;
    const record = (level: string, msg: string): string =>
      `{"ts":1,"context":"${"x".repeat(700)}","level":"${level}","msg":"${msg}"}\n`;
    const records = `${record("info", "served").repeat(40)}${record("error", "disk full")}${record("info", "served").repeat(40)}`;
    expect(await show(`${quiet(0, 300)}${progress}${quiet(300, 300)}`)).toContain("connection reset by peer");
    expect(await show(records)).toContain("disk full");
  });

  it("K-29 under a ratio an error stays wherever its line says it, and so does what stands around it, each time", async () => {
    const long = `{"context":"${"x".repeat(900)}","level":"error","body":"${"y".repeat(900)}"}`;
    const over = "error: the disk is full\rdownloaded 100%";
    const told = Array.from(
      { length: 12 },
      (_, i) => `INFO job ${i}\nERROR job ${i} went wrong\ncause: ${"abcdefghijkl"[i]}\n`,
    );
    const text =
      [long, over, ...told].map((each, i) => `${quiet(i * 20, 20)}${each.trimEnd()}\n`).join("") + quiet(0, 20);
    const lines = text.split("\n");
    const amount = { mode: "ratio", maxPruneRatio: 1, minKeepLines: 0 } as const;
    const { kept } = await prune(text, { focus: "", kind: "logs", amount });
    lines.forEach((line, i) => {
      if (/error/i.test(line)) expect([kept[i - 1], kept[i], kept[i + 1]], line.slice(0, 40)).not.toContain(0);
    });
    expect(kept.filter((why) => why !== 0).length).toBeLessThan(lines.length / 2);
  });

  it("X-37 records that differ in what they say last are no repeats of each other", async () => {
    const record = (i: number, said: string): string => `{"ts":${i},"context":"${"x".repeat(500)}","msg":"${said}"}\n`;
    const said = ["shard moved", "index built", "cache warmed", "snapshot taken"];
    const text = Array.from({ length: 80 }, (_, i) => record(i, said[i % 4] ?? "")).join("");
    const amount = { mode: "ratio", maxPruneRatio: 0.9, minKeepLines: 1 } as const;
    const { blocks } = await prune(text, { focus: "", kind: "logs", amount });
    expect(blocks.length).toBeGreaterThan(0);
    for (const { label, lineCount } of blocks) if (lineCount > 1) expect(label.what).toBe("lines");
  });

  it("K-29 pm2's prefix is no number of a source line", async () => {
    const of = (line: string): string => `0|api      | ${line}\n`;
    const served = Array.from({ length: 300 }, (_, i) => of(`INFO served request ${i}`));
    const text = [...served.slice(0, 150), of("TypeError: Cannot read properties of undefined"), ...served].join("");
    expect(await show(text, "why are checkouts slow")).toContain("TypeError: Cannot read properties");
  });

  const LINES = 4_000;
  const word = (k: number): string => k.toString(26).replace(/\d/g, (d) => "qrstuvwxyz".charAt(Number(d)));
  const lines = (of: (k: number) => string): string => Array.from({ length: LINES }, (_, k) => `${of(k)}\n`).join("");
  const pollsOf = async (text: string): Promise<number> => {
    let polls = 0;
    const shouldStop = (): boolean => ++polls < 0;
    await prune(text, { focus: "", kind: "logs", amount: { mode: "auto", maxChars: 20_000 }, shouldStop });
    return polls;
  };

  it.each([
    ["one trace whose frames name errors", (k: number) => `\tat app.${word(k)}Exception.error(A.java:7)`],
    ["causes only", (k: number) => `Caused by: app.${word(k)}Exception: ${word(k * 7)}`],
    ["frames of libraries", (k: number) => `    at ${word(k)}Error (/app/node_modules/a.js:1:2)`],
    ["errors without a heading", (k: number) => `   ${k}:1  error  '${word(k)}' is not defined  no-undef`],
    ["failures that nothing ends", (k: number) => `panic: ${word(k)} ${word(k * 7)}`],
  ])("%s: a line is looked at a few times, however many failures it is part of", async (_, of) => {
    // One poll for a few hundred looks, one for each few lines of the ranking.
    expect(await pollsOf(lines(of))).toBeLessThan(LINES / 4);
  });

  it("K-27 a stop is obeyed wherever in a log it comes, and drops nothing", async () => {
    const text = `${quiet(0, LINES)}${lines((k) => `\tat app.${word(k)}Exception.error(A.java:7)`)}`;
    const polls = await pollsOf(text);
    expect(polls).toBeGreaterThan((2 * LINES) / 256);
    for (const share of [0.1, 0.5, 0.7, 0.9, 1]) {
      const last = Math.floor(polls * share);
      let asked = 0;
      const pruned = await prune(text, {
        focus: "",
        kind: "logs",
        amount: { mode: "auto", maxChars: 20_000 },
        shouldStop: () => ++asked >= last,
      });
      expect(pruned).toMatchObject({ status: "stopped", blocks: [] });
      expect(asked).toBe(last);
      expect(pruned.kept.every((k) => k !== 0)).toBe(true);
    }
  });

  it("X-06 of a long trace the last frames are shown, less three of a library or more", async () => {
    const trace = (frame: (k: number) => string, count: number): string =>
      Array.from({ length: count }, (_, k) => frame(k)).join("");
    const own = (k: number): string => `\tat app.${word(k)}.a(A.java:${k})\n`;
    const library = (k: number): string => `\tat java.base/lib.L${k}(L.java:${k})\n`;
    const shown = (libraryFrames: number): Promise<string> =>
      show(
        `${quiet(0, 300)}12:01:02 ERROR no connection left\n${trace(own, 100)}${trace(library, libraryFrames)}${trace(own, 8)}${quiet(300, 300)}`,
      );
    expect(await shown(2)).toContain("lib.L1(");
    expect(await shown(4)).not.toContain("lib.L");
    expect(await shown(4)).toContain(trace(own, 8) + quiet(300, 1));
  });
});
