// X-59: what failed stays, whatever a text is called or said to be; and a source or a page without a program's output is
// cut as before.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Amount, prune, renderPruned, type SourceKind, shortMarker } from "../../src/index.ts";
import { createTreeSitterGrammars } from "../../src/outline/grammars.ts";

const grammars = createTreeSitterGrammars();
const EXTENSIONS = [".txt", ".md", ".json", ".out", ".log", ".csv", ".py", ""];
const KINDS: readonly SourceKind[] = ["code", "docs", "logs", "matches"];
const FAILED = "FAILED tests/test_orders.py::test_total - assert 3 == 4: boom";
const FOCUS = "how is the configuration loaded?";
const SHARE: Amount = { mode: "share", keep: 0.05 };
const RATIO: Amount = { mode: "ratio", maxPruneRatio: 0.99, minKeepLines: 0 };

const many = <T>(count: number, line: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => line(i));
const around = (lines: readonly string[], ...failure: readonly string[]): string[] => [
  ...lines.slice(0, lines.length >> 1),
  ...failure,
  ...lines.slice(lines.length >> 1),
];
const WORDS = "order stream buffer token server client index field report value".split(" ");
const word = (i: number): string => WORDS[(i * 7919 + (i >> 3)) % WORDS.length] ?? "";
/** No two alike, as people write them. */
const sentence = (i: number): string =>
  `The ${word(i)} of the ${word(i + 3)} is read by the ${word(i * 3 + 1)} before the ${word(i * 5 + 2)} is told.`;
const source = (count: number): string[] =>
  many(
    count,
    (i) => `def ${word(i)}_${word(i * 3)}_${i}(a, b):\n    ${word(i)} = a + b * ${i}\n    return ${word(i)}\n`,
  );

async function show(text: string, how: { path?: string; kind?: SourceKind; amount?: Amount }): Promise<string> {
  const pruned = await prune(text, { focus: FOCUS, grammars, ...how });
  expect(pruned.note).not.toBe("engine_error");
  return renderPruned(text, pruned, { marker: shortMarker });
}

const LOGS: readonly (readonly [string, string[]])[] = [
  [
    "plain lines",
    around(
      many(400, (i) => `step ${i} done`),
      FAILED,
    ),
  ],
  ["the first line", [FAILED, ...many(400, (i) => `step ${i} done`)]],
  ["the last line", [...many(400, (i) => `step ${i} done`), FAILED]],
  [
    "sentences of one shape",
    around(
      many(400, (i) => `this is line ${i} of a run in which all is well`),
      FAILED,
    ),
  ],
  [
    "a word in a line like the others",
    around(
      many(400, (i) => `step ${i} done`),
      "step 300 failed: boom",
    ),
  ],
  [
    "colours",
    around(
      many(400, (i) => `\u001b[32m✓\u001b[0m case ${i}`),
      "\u001b[31m✗\u001b[0m case 300: boom",
    ),
  ],
  [
    "CRLF",
    around(
      many(400, (i) => `step ${i} done\r`),
      `${FAILED}\r`,
    ),
  ],
  [
    "an indented run",
    around(
      many(400, (i) => `      step ${i} done`),
      `      ${FAILED}`,
    ),
  ],
  [
    "Windows",
    around(
      many(400, (i) => `C:\\src\\f${i}.c`),
      "C:\\src\\f9.c(12): error C2065: 'boom': undeclared",
    ),
  ],
  [
    "French",
    around(
      many(400, (i) => `étape ${i} terminée`),
      "étape 300 : FAIL boom",
    ),
  ],
  [
    "German",
    around(
      many(400, (i) => `Schritt ${i} fertig`),
      "thread 'main' panicked at 'boom', src/main.rs:4:5",
    ),
  ],
  [
    "Chinese",
    around(
      many(400, (i) => `正在处理第 ${i} 项`),
      "处理第 300 项 (exit code 1) boom",
    ),
  ],
  [
    "a mark",
    around(
      many(400, (i) => `测试 ${i} 通过`),
      "✗ 测试 300 boom",
    ),
  ],
  [
    "a long line",
    around(
      many(400, (i) => `step ${i} done`),
      `${"x".repeat(900)} FAILED boom ${"y".repeat(900)}`,
    ),
  ],
  [
    "JSON lines",
    around(
      many(400, (i) => `{"level":"info","ts":${i},"msg":"ok"}`),
      '{"level":"error","msg":"boom"}',
    ),
  ],
  [
    "rows of CSV",
    around(
      many(400, (i) => `${i},${word(i)},passed,0.${i % 99}`),
      "300,login,FAILED,boom",
    ),
  ],
  [
    "a traceback",
    around(
      many(400, (i) => `step ${i} done`),
      ...["Traceback (most recent call last):", '  File "a.py", line 3, in f', "    go()", "ValueError: boom"],
    ),
  ],
];

const MIXED: readonly (readonly [string, string])[] = [
  [
    "a run pasted into a page",
    [
      ...many(300, sentence),
      "",
      ...around(
        many(200, (i) => `tests/a.py::test_${i} PASSED`),
        FAILED,
      ),
      "",
      "Thanks.",
    ].join("\n"),
  ],
  [
    "a fenced traceback",
    [
      ...many(300, (i) => `${sentence(i)}\n`),
      ...[
        "```",
        "Traceback (most recent call last):",
        '  File "a.py", line 3, in f',
        "    go()",
        "ValueError: boom",
        "```",
      ],
      ...many(300, (i) => `${sentence(i + 300)}\n`),
    ].join("\n"),
  ],
  ["a run below a source", [...source(150), ...many(60, (i) => `tests/a.py::test_${i} PASSED`), FAILED].join("\n")],
  ["one line in a source", around(source(200), FAILED).join("\n")],
  [
    "records of JSON",
    JSON.stringify(
      many(300, String).map((id, i) => ({ id, name: word(i), message: i === 150 ? "FAILED: boom" : sentence(i) })),
      null,
      2,
    ),
  ],
  [
    "a report of JUnit's form",
    around(
      many(300, (i) => `  <testcase classname="${word(i)}" name="${word(i * 3)}_${i}" time="0.0${i % 9}"/>`),
      ...[
        '  <testcase classname="a" name="b" time="0.1">',
        '    <failure message="boom" type="x">at b</failure>',
        "  </testcase>",
      ],
    ).join("\n"),
  ],
];

describe("X-59 a failure stays", () => {
  it.each(LOGS)("whatever its file is called and its text is said to be: %s", async (_, lines) => {
    const text = `${lines.join("\n")}\n`;
    for (const extension of EXTENSIONS) {
      const shown = await show(text, { path: `out${extension}`, amount: SHARE });
      expect(shown, extension).toContain("boom");
      expect(shown.length, extension).toBeLessThan(text.length / 2);
    }
    for (const kind of KINDS) {
      expect(await show(text, { kind, amount: SHARE }), kind).toContain("boom");
      expect(await show(text, { kind, amount: RATIO }), `${kind}, ratio`).toContain("boom");
    }
  });

  it.each(MIXED)("in a text that is mostly something else: %s", async (_, text) => {
    for (const extension of EXTENSIONS)
      expect(await show(text, { path: `out${extension}`, amount: SHARE }), extension).toContain("boom");
    for (const kind of KINDS) expect(await show(text, { kind, amount: RATIO }), kind).toContain("boom");
  });

  it("in a match list, where it is not what was searched for", async () => {
    const list = around(
      many(300, (i) => `logs/run.log:${i + 1}:step ${i} done`),
      `logs/run.log:150:${FAILED}`,
    );
    expect(await show(list.join("\n"), { kind: "matches", amount: SHARE })).toContain("boom");
    const searched = many(300, (i) => `logs/run.log:${i + 1}:FAILED ${word(i)} ${word(i * 3)} of ${word(i * 7)}`);
    const shown = await show(searched.join("\n"), { kind: "matches", amount: SHARE });
    expect(shown.length).toBeLessThan(searched.join("\n").length / 5);
  });

  const line = fc.constantFrom(
    "step # done",
    "tests/a.py::test_# PASSED",
    "12:00:# INFO served",
    "ok # - case",
    "copied #",
  );
  const failure = fc.constantFrom(
    FAILED,
    "ERROR: cannot connect: boom",
    "--- FAIL: TestBoom (0.00s)",
    "error[E0308]: mismatched types: boom",
    "a.c:12:5: error: 'boom' undeclared",
    "panic: boom",
  );
  it("wherever it stands, at any ratio and share", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(line, failure, fc.double({ min: 0, max: 1, noNaN: true })),
        fc.oneof(
          fc.record({ path: fc.constantFrom(...EXTENSIONS.map((extension) => `out${extension}`)) }),
          fc.record({ kind: fc.constantFrom(...KINDS) }),
        ),
        fc.constantFrom<Amount>({ mode: "auto" }, SHARE, RATIO, { mode: "auto", maxChars: 4_000 }),
        async ([shape, failed, at], how, amount) => {
          const lines = many(300, (i) => shape.replace("#", String(10 + (i % 90))));
          lines.splice(Math.floor(at * lines.length), 0, failed);
          expect(await show(`${lines.join("\n")}\n`, { ...how, amount })).toContain(failed);
        },
      ),
      { numRuns: 120 },
    );
  });

  it("thousands of them are bounded by what the reader can take: each is a line", async () => {
    const lines = many(1000, (i) => [
      `--- FAIL: Test${word(i)}${i} (0.0s)`,
      ...many(9, (k) => `    a_test.go:${k}: got ${i}`),
    ]);
    const text = lines.flat().join("\n");
    const shown = await show(text, { path: "out.md", amount: { mode: "auto", maxChars: 40_000 } });
    expect(shown.length).toBeLessThan(text.length / 3);
    for (const i of [0, 500, 999]) expect(shown).toContain(`--- FAIL: Test${word(i)}${i} `);
  });

  it.each([" ".repeat(300), "Traceback (most recent call last):", `error: ${" ".repeat(300)};`, ") ".repeat(150)])(
    "below thousands of lines of nothing but %j, each of which is looked at once",
    async (line) => {
      const text = `${`${line}\n`.repeat(6_000)}${FAILED}\n`;
      expect(await show(text, { path: "out.md", amount: SHARE })).toContain(FAILED);
    },
  );

  it("K-30 of a long run in a fence the fence stays, too, and what passed goes", async () => {
    const run = around(
      many(300, (i) => `tests/a.py::test_${i} PASSED`),
      FAILED,
    );
    const text = [...many(100, sentence), "", "```console", ...run, "```", "", ...many(100, sentence)].join("\n");
    const shown = await show(text, { path: "report.md", amount: SHARE });
    expect(shown).toContain("```console\n");
    expect(shown.match(/^```$/gm)).toHaveLength(1);
    expect(shown.length).toBeLessThan(text.length / 4);
  });
});

describe("X-59 what only speaks of errors is not protected", () => {
  const protectedLines = async (text: string, path: string): Promise<number> => {
    const { kept } = await prune(text, { focus: FOCUS, path, grammars, amount: RATIO });
    return kept.filter((why) => why === 3).length;
  };
  const handlers = many(60, (i) =>
    [
      `def test_failed_login_${i}(client):`,
      "    try:",
      `        client.login(${i})`,
      "    except ValueError as error:",
      `        raise RuntimeError("login failed: ${word(i)}") from error`,
      "    finally:",
      '        print("ERROR: done")',
      `    assert client.errors == ${i}, "failed"`,
      "",
    ].join("\n"),
  ).join("\n");
  const script = many(60, (i) =>
    [
      `export async function load${i}(path: string): Promise<Result> {`,
      "  try {",
      `    return await open(path, ${i});`,
      "  } catch (error) {",
      `    log.error("cannot open", { error, code: "FAILED" });`,
      `    throw new LoadError(\`failed to load \${path}\`);`,
      "  }",
      "}",
      "",
    ].join("\n"),
  ).join("\n");
  const doctest = many(40, (i) =>
    [
      `def parse_${word(i)}_${i}(text):`,
      `    """Reads the ${word(i)}.`,
      "",
      "    >>> parse('')",
      "    Traceback (most recent call last):",
      "        ...",
      "    ValueError: empty",
      '    """',
      `    return int(text) + ${i}`,
      "",
    ].join("\n"),
  ).join("\n");
  const page = many(60, (i) =>
    [
      `## Error ${i}: ${word(i)}`,
      "",
      `An error is raised when the ${word(i)} cannot be read, and a failed ${word(i + 3)} is tried again.`,
      `- \`${word(i)}Error\`: the ${word(i)} failed`,
      "",
    ].join("\n"),
  ).join("\n");
  const manual = many(20, (i) =>
    [
      `## Step ${i}`,
      "",
      ...many(6, (k) => sentence(i * 6 + k)),
      `Run the tests of the ${word(i)}:`,
      "",
      "```console",
      "$ pytest",
      "E       assert 1 == 2",
      `FAILED test_${word(i)}.py::test_a - assert 1 == 2`,
      "```",
      "",
    ].join("\n"),
  ).join("\n");
  const catalogue = JSON.stringify(
    Object.fromEntries(
      many(300, (i) => `${word(i)}.${i}`).map((key, i) => [key, { message: `Failed to load ${word(i)}` }]),
    ),
    null,
    2,
  );

  it.each([
    ["tests and handlers", handlers, "test_login.py"],
    ["a script", script, "load.ts"],
    ["doctests", doctest, "parse.py"],
    ["a page about errors", page, "errors.md"],
    ["the examples of a manual", manual, "manual.md"],
    ["a catalogue of messages", catalogue, "en.json"],
  ])("%s", async (_, text, path) => {
    expect(await protectedLines(text, path)).toBe(0);
  });
});
