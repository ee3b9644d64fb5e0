// outputs whose lines differ in their words, as those of real programs do, under names that promise something else.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Amount, prune, renderPruned, type SourceKind, shortMarker } from "../../src/index.ts";
import { createTreeSitterGrammars } from "../../src/outline/grammars.ts";

const grammars = createTreeSitterGrammars();
const EXTENSIONS = [".txt", ".md", ".json", ".yaml", ".py", ".ts", ".html", ".csv", ".log", ""];
const KINDS: readonly SourceKind[] = ["code", "docs", "logs"];
const FOCUS = "which step took the longest?";
const SHARE: Amount = { mode: "share", keep: 0.05 };
const RATIO: Amount = { mode: "ratio", maxPruneRatio: 0.95, minKeepLines: 0 };
const WORDS =
  "alpha bravo config parser cache router token session worker queue index vector stream buffer socket logger schema query builder handler".split(
    " ",
  );

/** Each `W` a word and each `#` a number, chosen by a generator with the given seed. */
function linesOf(shape: string, count: number, seed = 7): string[] {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  const line = (): string =>
    shape.replace(/[W#]/g, (mark) => (mark === "W" ? (WORDS[next(WORDS.length)] ?? "") : String(next(900))));
  return Array.from({ length: count }, line);
}

const SHAPES = {
  plain: "processed W W batch #, # rows",
  compiler: "gcc -O2 -Wall -Isrc/W -c src/W/W_#.c -o build/W_#.o",
  kernel: "[  #.#] W #-#: W W device #",
  klog: 'I1117 09:10:11.#       1 W.go:#] "Reconciled" namespace="W" pod="W-#"',
  tests: "  Passed Acme.W.Tests.W_W_# [# ms]",
  specs: "  Ws the W when W is set to W",
  tasks: "> Task :W:W:compileJava UP-TO-DATE",
  list: "  * test W W W (#.#ms) [L##]",
  container: "##12 #.# Get:# http://deb.debian.org/debian amd64 libW# [# kB]",
  table: "| W-W | # | ✅ passed | # ms |",
  csv: "#,W_W,passed,",
  calls: 'openat(AT_FDCWD, "/usr/lib/W/W#.so", O_RDONLY|O_CLOEXEC) = #',
  files: "W/W/W#.bin",
  pods: "W-W-#   1/1     Running   0          #d",
  records: '{"level":30,"time":17#,"pid":12,"reqId":"r#","msg":"W W request completed","ms":#}',
  events: '- lastTimestamp: "2026-11-17T09:00:00Z"\n  type: Normal\n  message: Container image W-# is present',
};

async function show(text: string, how: { path?: string; kind?: SourceKind; amount?: Amount }): Promise<string> {
  const pruned = await prune(text, { focus: FOCUS, grammars, ...how });
  expect(pruned.note).not.toBe("engine_error");
  return renderPruned(text, pruned, { marker: shortMarker });
}

const CASES: readonly (readonly [shape: keyof typeof SHAPES, ...failure: string[]])[] = [
  ["plain", "FAILED refund of order 4242: boom"],
  ["plain", "./build.sh: line 31: cmake: command not found"],
  ["plain", "open /etc/refund.conf: permission denied"],
  ["plain", "curl: (7) Failed to connect to pay.lan port 443 after 2 ms: Couldn't connect to server"],
  ["plain", "src/refund.py:31:9: E999 SyntaxError: invalid syntax"],
  ["plain", "src/refund.py:31:9: F821 Undefined name `amout`"],
  ["plain", "(node:4242) UnhandledPromiseRejectionWarning: refund refused"],
  ["plain", "dial tcp 10.0.0.1:5432: connect: connection refused"],
  ["plain", "write /var/lib/refund: no space left on device"],
  ["plain", "CONFLICT (content): Merge conflict in src/refund.py"],
  ["plain", "Deadlock found when trying to get lock; try restarting transaction"],
  ["plain", "ORA-00001: unique constraint (PAY.REFUND_PK) violated"],
  ["plain", "Fehler: Datei konnte nicht geöffnet werden: refund.cfg"],
  ["plain", "Erreur : impossible d’ouvrir le fichier refund.cfg"],
  ["plain", "错误：无法打开文件 refund.cfg"],
  ["plain", "エラー: ファイルを開けません refund.cfg"],
  ["plain", "Ошибка: не удалось открыть файл refund.cfg"],
  ["plain", '<span class="err">ERROR: refund refused</span>'],
  [
    "compiler",
    "refund.c:(.text+0x1f): undefined reference to `round_half_up'",
    "collect2: error: ld returned 1 exit status",
  ],
  ["compiler", "src/refund.c:31:9: Fehler: »amout« nicht deklariert"],
  ["compiler", "src\\pay\\refund.cpp(31,9): error C2065: 'amout': undeclared identifier"],
  [
    "compiler",
    "==4242==ERROR: AddressSanitizer: heap-use-after-free",
    "    #0 0x4f5 in refund /repo/src/refund.c:31:9",
  ],
  [
    "compiler",
    "WARNING: DATA RACE",
    "Write at 0x00c0000b4010 by goroutine 8:",
    "      /repo/pay/ledger.go:44 +0x44",
    "===================",
  ],
  ["kernel", "[ 1111.000000] Out of memory: Killed process 4242 (refundd) total-vm:99999kB"],
  ["kernel", "[ 1111.000000] blk_update_request: I/O error, dev sda, sector 2048"],
  ["klog", "E1117 09:31:00.000001       1 controller.go:99] requeued refund"],
  [
    "tests",
    "  Failed Acme.Pay.Tests.Refund_rounds [12 ms]",
    "  Error Message:",
    "   Assert.Equal() Failure: Values differ",
    "Expected: 10.01",
    "Actual:   10",
    "  Stack Trace:",
    "     at Acme.Pay.Tests.Refund.Rounds() in /repo/pay/Refund.cs:line 31",
  ],
  ["tests", " 42/99 Test #42: refund_rounds ..........***Timeout  30.02 sec"],
  ["specs", "  rounds the refund half up (FAILED - 1)"],
  ["tasks", "RefundTest > rounds() FAILED", "    org.opentest4j.AssertionFailedError at RefundTest.java:31"],
  ["list", "  1) test rounds half up (RefundTest)", "     Assertion with == failed", "     left:  10.0"],
  ["container", "#12 41.33 /bin/sh: 1: cmake: not found"],
  ["container", "#9 ERROR: failed to solve: refund"],
  ["table", "| refund | 600 | ❌ failed: half up | 3 ms |"],
  ["csv", '600,refund,failed,"AssertionError: half up"'],
  ["calls", 'openat(AT_FDCWD, "/etc/refund.conf", O_RDONLY) = -1 EACCES (Permission denied)'],
  ["files", "tar: usr/lib/refund.py: Cannot open: No such file or directory"],
  ["pods", "refund-pay-04242   0/1     CrashLoopBackOff   241 (3m ago)   2d"],
  ["pods", "refund-pay-04242   0/1     ImagePullBackOff   0   2d"],
  ["records", '{"level":50,"time":1700,"pid":12,"reqId":"r1","msg":"refund went wrong","ms":3}'],
  ["records", '{"level":60,"time":1700,"pid":12,"reqId":"r1","msg":"refund went wrong","ms":3}'],
  ["events", '- lastTimestamp: "2026-11-17T09:00:00Z"', "  reason: Failed", '  message: "Error: no image refund"'],
];

describe("X-59 a failure stays among lines whose words vary", () => {
  it.each(CASES.map(([shape, ...failure]) => ({ shape, failure })))("$shape: $failure", async ({ shape, failure }) => {
    const lines = linesOf(SHAPES[shape], 1000);
    const text = `${[...lines.slice(0, 500), ...failure, ...lines.slice(500)].join("\n")}\n`;
    for (const extension of EXTENSIONS) {
      const shown = await show(text, { path: `out${extension}`, amount: SHARE });
      for (const line of failure) expect(shown, extension).toContain(line);
      expect(shown.length, extension).toBeLessThan(text.length / 4);
    }
    for (const kind of KINDS) {
      const shown = await show(text, { kind, amount: RATIO });
      for (const line of failure) expect(shown, `${kind}, ratio`).toContain(line);
    }
  });

  it("of any words, wherever it stands, under any name, at any ratio and share", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(SHAPES)),
        fc.constantFrom("FAILED refund of order 4242: boom", "error: cannot connect to pay: boom", "panic: boom"),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.oneof(
          fc.record({ path: fc.constantFrom(...EXTENSIONS.map((extension) => `out${extension}`)) }),
          fc.record({ kind: fc.constantFrom(...KINDS) }),
        ),
        fc.constantFrom<Amount>({ mode: "auto" }, SHARE, RATIO, { mode: "auto", maxChars: 4_000 }),
        async (shape, failed, at, seed, how, amount) => {
          const lines = linesOf(shape, 300, seed);
          lines.splice(Math.floor(at * lines.length), 0, failed);
          expect(await show(`${lines.join("\n")}\n`, { ...how, amount })).toContain(failed);
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([
    ["SARIF", { level: "error", message: { text: "boom" } }, { level: "note", message: { text: "W" } }],
    ["ESLint", { ruleId: "no-undef", severity: 2, message: "boom" }, { ruleId: "W", severity: 1, message: "W" }],
    ["jest", { status: "failed", failureMessages: ["boom"] }, { status: "passed", failureMessages: [] }],
  ])("in a report of %s", async (_, failed, passed) => {
    const results = linesOf(JSON.stringify(passed), 300).map((line) => JSON.parse(line));
    const text = JSON.stringify([...results.slice(0, 150), failed, ...results.slice(150)], null, 2);
    for (const extension of EXTENSIONS)
      expect(await show(text, { path: `out${extension}`, amount: SHARE }), extension).toContain("boom");
  });

  it("in `go test -json`, with the line above that gives the reason", async () => {
    const tests = linesOf("TestW#", 300).flatMap((test, i) => [
      JSON.stringify({ Action: "run", Package: "acme/pay", Test: test }),
      JSON.stringify({ Action: "output", Package: "acme/pay", Test: test, Output: i === 150 ? "boom\n" : "ok\n" }),
      JSON.stringify({ Action: i === 150 ? "fail" : "pass", Package: "acme/pay", Test: test, Elapsed: 0.01 }),
    ]);
    for (const extension of EXTENSIONS)
      expect(await show(tests.join("\n"), { path: `out${extension}`, amount: SHARE }), extension).toContain("boom");
  });
});

describe("X-59 a list or a table that names errors is not protected", () => {
  const protectedLines = async (lines: readonly string[], path: string): Promise<number> => {
    const { kept } = await prune(lines.join("\n"), { focus: FOCUS, path, grammars, amount: RATIO });
    return kept.filter((why) => why === 3).length;
  };
  it.each([
    ["a list of words", ["error", "exception", "failed"], "words.txt", "W"],
    [
      "messages of a page",
      ['  "a": { "fail": "Error: wrong name" },', '  "fail": "Failed: no name",'],
      "de.json",
      '  "W": "W W #",',
    ],
    ["a list of files", ["src/Error.java", "src/test_failed.py"], "files.txt", "src/W/W_#.java"],
    [
      "a table of codes",
      ["| 500 | Error: refused | server |", "| 501 | Failed | server |"],
      "codes.md",
      "| # | W | W |",
    ],
  ])("%s", async (_, named, path, shape) => {
    const lines = linesOf(shape, 200);
    expect(await protectedLines([...lines.slice(0, 100), ...named, ...lines.slice(100)], path)).toBe(0);
  });
});
