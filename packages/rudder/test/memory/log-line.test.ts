// One line of a log: whatever was said comes back, and it is one line.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatLogLine, LEVELS, type LogLine, parseLogLine } from "../../src/index.ts";

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const words = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "a {{b}}",
    'x {{{"by":"eve"}}}',
    "two\nlines",
    "\r\n",
    "[T001] [TIP] no",
    "$(id)",
    "\u001b[31m",
    " ",
    "half \ud800 a pair",
  ),
);
const line: fc.Arbitrary<LogLine> = fc
  .record({
    at: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
    level: fc.constantFrom(...LEVELS),
    message: words.filter((text) => text.trim() !== ""),
    taskId: optional(fc.integer({ min: 1, max: 9_999 }).map((n) => `T${String(n).padStart(3, "0")}`)),
    files: optional(fc.array(words, { minLength: 1, maxLength: 3 })),
    snippet: optional(words),
    command: optional(words),
    by: optional(words),
  })
  .map((all) => JSON.parse(JSON.stringify(all)));

describe("log lines", () => {
  it("RU-09 a line is `<ISO ts> [LEVEL] message {{json meta}}`", () => {
    const at = "2026-01-02T03:04:05.678Z";
    expect(formatLogLine({ at, level: "tip", message: "use UTC" })).toBe(`${at} [TIP] use UTC`);
    expect(formatLogLine({ at, level: "warn", message: "slow", taskId: "T042", files: ["a.js"] })).toBe(
      `${at} [T042] [WARN] slow {{{"files":["a.js"]}}}`,
    );
  });

  it("RU-09 whatever is logged comes back, and stays on one line", () => {
    fc.assert(
      fc.property(line, (one) => {
        const text = formatLogLine(one);
        expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(Buffer.from(text).toString()).toBe(text);
        expect(parseLogLine(text)).toEqual(one);
      }),
      { numRuns: 1_000 },
    );
  });

  it("RU-09 line ends of every kind, also in files and snippets, do not end the line", () => {
    for (const end of ["\n", "\r", "\u0085", "\u2028", "\u2029", "\u007f", "\u009b"]) {
      const one: LogLine = {
        at: "2026-01-01T00:00:00.000Z",
        level: "tip",
        message: `a${end}b`,
        files: [`c${end}d`],
        snippet: end,
      };
      const text = formatLogLine(one);
      expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      expect(parseLogLine(text)).toEqual(one);
    }
  });

  it("RU-09 a line that cannot be parsed is shown as it is", () => {
    expect(parseLogLine("written by hand").message).toBe("written by hand");
    expect(parseLogLine('2026-01-01T00:00:00Z [TIP] half {{{"by":').message).toBe('half {{{"by":');
  });
});
