// a bad outcome among many good ones of the same form is a failure, whatever the text is called; a list of what
// failed is one in every item; a report of many runs is no manual.
import { describe, expect, it } from "vitest";
import { type Amount, prune, renderPruned, type SourceKind, shortMarker } from "../../src/index.ts";
import { createTreeSitterGrammars } from "../../src/outline/grammars.ts";

const grammars = createTreeSitterGrammars();
const EXTENSIONS = [".log", ".txt", ".md", ".rst", ".html", ".json", ".yaml", ".csv", ".py", ""];
const KINDS: readonly SourceKind[] = ["code", "docs", "logs"];
const FOCUS = "did test_17 pass?";
const SHARE: Amount = { mode: "share", keep: 0.05 };
const RATIO: Amount = { mode: "ratio", maxPruneRatio: 0.95, minKeepLines: 0 };
const WORDS = "river stone lamp cloud paper wheel garden table engine copper".split(" ");

const word = (i: number): string => WORDS[(i * 7919 + (i >> 3)) % WORDS.length] ?? "";
const many = <T>(count: number, line: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => line(i));
const sentence = (i: number): string =>
  `The ${word(i)} of the ${word(i + 3)} is moved by the ${word(i * 3 + 1)} before the ${word(i * 5 + 2)} is told.`;

async function show(text: string, how: { path?: string; kind?: SourceKind; amount?: Amount }): Promise<string> {
  const pruned = await prune(text, { focus: FOCUS, grammars, ...how });
  expect(pruned.note).not.toBe("engine_error");
  return renderPruned(text, pruned, { marker: shortMarker });
}

async function expectKept(text: string, failed: readonly string[]): Promise<void> {
  const lines = (shown: string): Set<string> => new Set(shown.split("\n"));
  for (const extension of EXTENSIONS) {
    const shown = lines(await show(text, { path: `out${extension}`, amount: SHARE }));
    for (const line of failed) expect(shown.has(line), `${extension}: ${line}`).toBe(true);
  }
  for (const kind of KINDS) {
    const shown = lines(await show(text, { kind, amount: RATIO }));
    for (const line of failed) expect(shown.has(line), `${kind}, ratio: ${line}`).toBe(true);
  }
}

async function protectedLines(text: string, path: string): Promise<string[]> {
  const { kept } = await prune(text, { focus: FOCUS, path, grammars, amount: RATIO });
  return text.split("\n").filter((_, i) => kept[i] === 3);
}

/** How a run tells of test i, and whether it went well. */
type Told = (i: number, isGood: boolean) => readonly string[];
const RUNS: Record<string, Told> = {
  "a table in words": (i, good) => [`| test_${i} | ${good ? "PASS" : "FAIL"} | 0.0${i % 9} |`],
  "a table in lower case": (i, good) => [`| test_${i} | ${word(i)} | ${good ? "passed" : "failed"} |`],
  "a table in marks": (i, good) => [`| test_${i} | ${good ? "✅" : "❌"} | 0.0${i % 9} |`],
  "a table with a reason": (i, good) => [`| test_${i} | ${good ? "ok" : "error: no cart"} | 0.0${i % 9} |`],
  "a table in two letters": (i, good) => [`| test_${i} | ${good ? "OK" : "KO"} | 0.0${i % 9} |`],
  "a table of times": (i, good) => [`| test_${i} | ${good ? "OK" : "TIMEOUT"} | 0.0${i % 9} |`],
  "rows of CSV": (i, good) => [`test_${i},${good ? "passed" : "failed"},0.0${i % 9}`],
  "a numbered list": (i, good) => [`${i}. ${word(i)} ${word(i + 3)} — ${good ? "OK" : "FAIL"}`],
  "numbered lines of any length": (i, good) => [
    `${i}. ${many(1 + (i % 4), (k) => word(i + k)).join(" ")} — ${good ? "OK" : "FAIL"}`,
  ],
  "a list of names": (i, good) => [`- [${good ? "x" : " "}] test_${i}: ${good ? "passed" : "failed"}`],
  "records of YAML": (i, good) => [
    `  - name: test_${i}`,
    `    status: ${good ? "passed" : "failed"}`,
    `    took: ${i % 90}`,
  ],
  "records of YAML with a flag": (i, good) => [`- name: test_${i}`, `  ok: ${good}`, `  took: ${i % 90}`],
  "records of YAML with a code": (i, good) => [
    `- name: test_${i}`,
    `  exit_code: ${good ? 0 : 3}`,
    `  took: ${i % 90}`,
  ],
  "records of TOML": (i, good) => ["[[test]]", `name = "test_${i}"`, `status = "${good ? "passed" : "failed"}"`, ""],
};

describe("X-59 a bad outcome among good ones stays", () => {
  it.each(Object.entries(RUNS))("one in a thousand, under every name: %s", async (_, told) => {
    await expectKept(
      `# Results\n\n${many(1000, (i) => told(i, i !== 600))
        .flat()
        .join("\n")}\n`,
      told(600, false).slice(0, 2),
    );
  });

  it.each(Object.entries(RUNS))("each of a few dozen, with the name of its test: %s", async (_, told) => {
    const isGood = (i: number): boolean => i % 25 !== 3 && (i < 600 || i >= 615);
    const failed = many(1000, (i) => (isGood(i) ? [] : told(i, false).filter((line) => line.includes(`${i}`))));
    await expectKept(
      `${many(1000, (i) => told(i, isGood(i)))
        .flat()
        .join("\n")}\n`,
      failed.flat(),
    );
  });

  it("in a short table on a long page", async () => {
    const told = RUNS["a table in words"] as Told;
    const page = (from: number): string[] => many(300, (i) => `${sentence(from + i)}\n`);
    const table = many(24, (i) => told(i, i !== 12)).flat();
    const text = [...page(0), "| test | result | time |", "|---|---|---|", ...table, "", ...page(300)].join("\n");
    for (const path of ["report.md", "report.txt", "report"])
      expect(await show(text, { path, amount: SHARE }), path).toContain("| test_12 | FAIL |");
  });

  it("a line of any length, and many of them, are read once", async () => {
    const text = `${'"status": "passed", "ok": true | PASS | '.repeat(50_000)}\n${"| a | error |\n".repeat(20_000)}`;
    expect((await show(text, { path: "out.md", amount: SHARE })).length).toBeGreaterThan(0);
  });
});

describe("X-59 an outcome that is none is not protected", () => {
  const NO_RUNS: Record<string, readonly [path: string, (i: number) => string]> = {
    "a table of what is supported": [
      "features.md",
      (i) => `| ${word(i)} ${word(i + 3)} | ${i % 3 === 0 ? "❌" : "✅"} |`,
    ],
    "a table of codes": [
      "codes.md",
      (i) => `| E${i} | ${i % 4 === 0 ? "Error" : word(i)} | the ${word(i)} was refused |`,
    ],
    "settings that name an outcome": [
      "rules.yaml",
      (i) => `  - when: ${i % 4 === 0 ? "failed" : "success"}\n    then: ${word(i)}`,
    ],
    "settings of JSON": [
      "rules.json",
      (i) => `  { "when": "${i % 4 === 0 ? "failed" : "success"}", "then": "${word(i)}" },`,
    ],
    "messages of a page": [
      "en.yaml",
      (i) =>
        `  ${word(i)}_${i}: ${["Done", "Failed", "Open the file", "Close", "Save as", "OK", "Print", "Undo"][i % 8]}`,
    ],
    "counts of both": ["sums.txt", (i) => `${word(i)}: ${i} passed, 0 failed, ${i % 7} skipped`],
    "fields that count both": ["sums.yaml", (i) => `- suite: ${word(i)}\n  passed: ${i}\n  failed: 0`],
    "cases of a source's tests": [
      "cases.kt",
      (i) => `    case("${word(i)}", ${i}, "${i % 5 === 0 ? "error" : "ok"}"),`,
    ],
    "rows of SQL": ["seed.sql", (i) => `INSERT INTO runs VALUES (${i}, '${i % 5 === 0 ? "failed" : "passed"}');`],
  };
  it.each(Object.entries(NO_RUNS))("%s", async (_, [path, line]) => {
    expect(await protectedLines(`${many(200, line).join("\n")}\n`, path)).toEqual([]);
  });
});

describe("X-59 a list of what failed stays, whatever its items say", () => {
  const stream = (i: number): string =>
    `2026-01-11T10:00:${10 + (i % 50)}Z INFO handled ${word(i)} ${i} in ${i % 90} ms`;
  const items = many(60, (i) => `  features/${word(i)}_${i}.feature:${i}  adds ${word(i + 1)} to ${word(i + 2)}`);
  const LISTS: Record<string, readonly string[]> = {
    behave: ["Failing scenarios:", ...items.slice(0, 2), "", "0 features passed, 1 failed, 0 skipped"],
    "behave, sixty of them": ["Failing scenarios:", ...items],
    RSpec: [
      "Failed examples:",
      "",
      "rspec ./spec/cart_spec.rb:12 # Cart adds",
      "rspec ./spec/user_spec.rb:3 # User is nobody at all",
    ],
    "a flat list": [
      "The following tests failed:",
      "tests/test_cart.py::test_adds",
      "tests/test_user.py::test_is_nobody",
    ],
    "a list with bullets": ["2 failed checks:", "  - cart adds two", "  - user is nobody"],
  };
  it.each(Object.entries(LISTS))("%s", async (_, list) => {
    const text = `${[...many(300, stream), "", ...list, "", ...many(300, stream)].join("\n")}\n`;
    await expectKept(
      text,
      list.filter((line) => line !== ""),
    );
    expect((await show(text, { path: "out.txt", amount: SHARE })).length).toBeLessThan(text.length / 3);
  });
});

describe("X-59 a report of many runs is no manual", () => {
  const step = (i: number, printed: readonly string[]): string[] => [
    `### Step ${i}: ${word(i)}`,
    "",
    "```console",
    `$ run ${word(i)} --n ${i}`,
    ...printed,
    "```",
    "",
    sentence(i),
    "",
  ];
  const wentWrong = (i: number): string[] => [
    "Traceback (most recent call last):",
    '  File "run.py", line 3, in <module>',
    "    main()",
    `AssertionError: expected ${i} rows`,
  ];
  const wentWell = ["loaded 3 rows", "wrote 3 rows", "done"];
  const report = (count: number, isGood: (i: number) => boolean): string =>
    many(count, (i) => step(i, isGood(i) ? wentWell : wentWrong(i)))
      .flat()
      .join("\n");

  it.each([
    ["one of sixty", 60, 1],
    ["one of a dozen", 12, 1],
    ["a third of sixty", 60, 20],
  ])("%s", async (_, count, failed) => {
    const every = count / failed;
    const isGood = (i: number): boolean => i % every !== Math.min(4, every - 1);
    const text = report(count, isGood);
    for (const path of ["report.md", "report.txt", "report.rst", "report.log", "report"]) {
      const shown = await show(text, { path, amount: SHARE });
      for (let i = 0; i < count; i++)
        if (!isGood(i)) expect(shown, `${path}, ${i}`).toContain(`AssertionError: expected ${i} rows`);
    }
  });

  it("one of many blocks that have nothing in common", async () => {
    const text = many(60, (i) =>
      step(i, i === 33 ? wentWrong(i) : [`${word(i)} ${word(i * 3)}${i} ${word(i * 7)}`]),
    ).flat();
    expect(await show(text.join("\n"), { path: "report.md", amount: SHARE })).toContain("expected 33 rows");
  });
});

describe("X-59 a verdict alone on its line stays among sentences of one form", () => {
  it.each(["FAIL", "ABORT", "Killed", "Terminated", "AssertionError", "exit 1", `black${".".repeat(60)}Failed`])(
    "%s",
    async (verdict) => {
      const lines = many(400, (i) =>
        i % 6 === 5
          ? ""
          : `The ${word(i)} beside the ${word(i + 2)} was moved to the ${word(i + 3)}, near the ${word(i + 5)} (${i}).`,
      );
      lines.splice(200, 0, verdict);
      for (const path of ["out.txt", "out.md", "out.log"])
        expect((await show(`${lines.join("\n")}\n`, { path, amount: SHARE })).split("\n"), path).toContain(verdict);
    },
  );
});
