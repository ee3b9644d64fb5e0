// X-59: many failures in one run. Each keeps its reason and its place as long as there is room; where room is short, what
// stands around failures goes first.
import { describe, expect, it } from "vitest";
import { type Amount, prune, renderPruned, type SourceKind, shortMarker } from "../../src/index.ts";

const LINES = 3_000;
const WORDS = "alpha bravo delta cache module stream index table worker packet widget socket".split(" ");
const word = (i: number): string => WORDS[(i * 7919 + (i >> 3)) % WORDS.length] ?? "";
const built = (i: number): string =>
  `[${i}/6000] Compiling ${word(i)}_${word(i * 3)}_${i} v0.${i % 30}.1 (/src/${i}.c)`;
const served = (i: number): string => `2026-01-01T00:00:${10 + (i % 50)}Z INFO ${word(i)} served ${i} in ${i % 90} ms`;

interface Tool {
  readonly stream: (i: number) => string;
  /** The report of failure i, and what must stay of it. */
  readonly report: (i: number) => string;
  readonly must: (i: number) => readonly string[];
}

const TOOLS: Record<string, Tool> = {
  "go test": {
    stream: built,
    report: (i) => `--- FAIL: TestZq${i} (0.00s)\n    zq${i}_test.go:${i + 7}: got ${i * 3}, want ${i * 5 + 1}`,
    must: (i) => [`--- FAIL: TestZq${i} `, `zq${i}_test.go:${i + 7}: got ${i * 3}, want ${i * 5 + 1}\n`],
  },
  jest: {
    stream: built,
    report: (i) =>
      `  ● suite ${i} › case zq${i}\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: ${i * 13}\n    Received: ${i * 17 + 1}\n\n      at Object.<anonymous> (src/zq${i}.test.ts:${i + 3}:22)`,
    must: (i) => [`case zq${i}\n`, `Expected: ${i * 13}\n`, `Received: ${i * 17 + 1}\n`, `src/zq${i}.test.ts:`],
  },
  cargo: {
    stream: built,
    report: (i) =>
      `error[E030${i % 10}]: mismatched zq${i}\n  --> src/zq${i}.rs:${i + 4}:18\n   |\n${i + 4}  |     let x: i32 = "q";\n   |                  ^^^ expected`,
    must: (i) => [`mismatched zq${i}\n`, `src/zq${i}.rs:${i + 4}`],
  },
  pytest: {
    stream: built,
    report: (i) =>
      `________________________________ test_zq${i} _________________________________\n\n    def test_zq${i}():\n>       assert compute(${i}) == 7\nE       assert ${i * 3} == 7\n\ntests/test_zq${i}.py:${i + 4}: AssertionError`,
    must: (i) => [` test_zq${i} _`, `E       assert ${i * 3} == 7\n`, `tests/test_zq${i}.py:${i + 4}:`],
  },
  PHPUnit: {
    stream: served,
    report: (i) =>
      `${i + 1}) CartTest::testZq${i}\nFailed asserting that two strings are equal.\n--- Expected\n+++ Actual\n@@ @@\n-'want${i}'\n+'got${i}'\n\n/app/tests/Zq${i}Test.php:${i + 9}`,
    must: (i) => [`CartTest::testZq${i}\n`, `-'want${i}'\n`, `+'got${i}'\n`, `/app/tests/Zq${i}Test.php:${i + 9}`],
  },
  sbt: {
    stream: (i) => `[info] Compiling module ${i} of the build, resolved from cache in ${i} ms`,
    report: (i) => `[error] /src/Zq${i}.scala:${i}:5: not found: value zq${i}\n[error]     zq${i}.run()\n[error]     ^`,
    must: (i) => [`/src/Zq${i}.scala:${i}:5: not found: value zq${i}\n`],
  },
  Python: {
    stream: served,
    report: (i) =>
      `Traceback (most recent call last):\n  File "/srv/handler${i}.py", line ${i * 7 + 3}, in handle\n    result = run(req)\n  File "/srv/core${i}.py", line ${i * 11 + 5}, in run\n    raise ValueError(req)\nValueError: zq${i} went wrong`,
    must: (i) => [`core${i}.py", line ${i * 11 + 5},`, `ValueError: zq${i} went wrong\n`],
  },
  Java: {
    stream: served,
    report: (i) =>
      `java.lang.IllegalStateException: zq${i} broke\n\tat com.a.Zq${i}.run(Zq${i}.java:${i + 5})\n\tat com.a.Main.main(Main.java:9)\nCaused by: java.io.IOException: disk${i} gone\n\t... 1 more`,
    must: (i) => [`zq${i} broke\n`, `Zq${i}.java:${i + 5}`, `disk${i} gone\n`],
  },
  "a service with stacks": {
    stream: served,
    report: (i) => `2026-01-01T00:00:00Z ERROR cannot serve ${i}\n    at zebra${i} (/app/zebra${i}.js:${i}:9)`,
    must: (i) => [`cannot serve ${i}\n`, `/app/zebra${i}.js:${i}:9`],
  },
  "a tool of one's own": {
    stream: built,
    report: (i) => `case ${i + 1} failed\n    in zq${i}: wanted ${i * 3}, had ${i * 5 + 1}`,
    must: (i) => [`case ${i + 1} failed\n`, `zq${i}: wanted ${i * 3}, had ${i * 5 + 1}\n`],
  },
};

const textOf = ({ stream, report }: Tool, failures: number): string => {
  const step = Math.floor(LINES / failures);
  return Array.from({ length: LINES }, (_, i) => {
    const nth = Math.floor(i / step);
    return `${stream(i)}\n${i % step === 20 && nth < failures ? `${report(nth)}\n` : ""}`;
  }).join("");
};

async function show(text: string, how: { kind: SourceKind; amount: Amount }): Promise<string> {
  const pruned = await prune(text, { focus: "which version of the renderer is used?", ...how });
  expect(pruned.note).not.toBe("engine_error");
  return renderPruned(text, pruned, { marker: shortMarker });
}

describe("X-59 of many failures each stays with its reason and its place", () => {
  it.each(Object.entries(TOOLS))("%s: eight, twelve and forty in 16,000 characters", async (_, tool) => {
    for (const failures of [8, 12, 40])
      for (const kind of ["logs", "docs", "code"] as const) {
        const shown = await show(textOf(tool, failures), { kind, amount: { mode: "auto", maxChars: 16_000 } });
        for (let i = 0; i < failures; i++)
          for (const words of tool.must(i)) expect(shown, `${kind}, failure ${i} of ${failures}`).toContain(words);
        expect(shown.length).toBeLessThanOrEqual(16_000);
      }
  });

  it.each(Object.entries(TOOLS))(
    "%s: where there is no room for all reasons, there is a line of each",
    async (_, tool) => {
      const text = textOf(tool, 40);
      const shown = await show(text, { kind: "logs", amount: { mode: "auto", maxChars: 4_000 } });
      for (let i = 0; i < 40; i++) expect(tool.must(i).some((words) => shown.includes(words))).toBe(true);
      const roomy = await show(text, { kind: "logs", amount: { mode: "auto", maxChars: 40_000 } });
      expect(shown.length).toBeLessThan(roomy.length);
    },
  );

  it("what is printed on above and below a failure is no part of it", async () => {
    const tool = TOOLS["go test"] as Tool;
    const shown = await show(textOf(tool, 12), { kind: "logs", amount: { mode: "auto" } });
    expect(shown.length).toBeLessThan(4_000);
  });

  it("the same traceback is told three times and once more at the end, whatever it was about", async () => {
    const same = (i: number): string =>
      `Traceback (most recent call last):\n  File "/srv/core.py", line 5, in run\n    raise ValueError(req)\nValueError: request ${i} refused`;
    const tool: Tool = { stream: served, report: same, must: () => [] };
    const shown = await show(textOf(tool, 100), { kind: "logs", amount: { mode: "auto" } });
    for (let i = 0; i < 100; i++) expect(shown).toContain(`ValueError: request ${i} refused\n`);
    expect(shown.match(/Traceback/g)).toHaveLength(4);
  });
});
