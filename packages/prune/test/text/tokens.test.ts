import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { lineAt, splitLines } from "../../src/text/lines.ts";
import { estimateTokens, tokensUpToLines } from "../../src/text/tokens.ts";

const src = new URL("../../src/", import.meta.url);
const fixtures = new URL("../fixtures/", import.meta.url);
// The ranker's weights are base64, not code.
const code = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((f) => f.endsWith(".ts") && !f.includes("weights/"))
  .sort()
  .map((f) => readFileSync(new URL(f, src), "utf8"))
  .join("");
const prose = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const log = readFileSync(new URL("pytest.log", fixtures), "utf8");
const python = readFileSync(new URL("cache.py", fixtures), "utf8");

describe("estimateTokens", () => {
  it.each([
    ["TypeScript", code],
    ["Python", python],
    ["prose", prose],
    ["a test log", log],
    [
      "a service log",
      Array.from(
        { length: 300 },
        (_, i) => `2026-03-01T12:${i % 60}:07.${i}Z INFO request ${i * 7919} served in ${i % 300} ms\n`,
      ).join(""),
    ],
    [
      "French",
      "Le système garde les lignes qui répondent à la question posée, et il dit précisément ce qu'il a laissé de côté.\n".repeat(
        4,
      ),
    ],
  ])("is within 8 per cent of o200k on %s", (_, text) => {
    const exact = encode(text).length;
    expect(Math.abs(estimateTokens(text) / exact - 1)).toBeLessThan(0.08);
  });

  it("comes to an end on every text, and grows with it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        expect(estimateTokens(text)).toBeLessThanOrEqual(text.length * 2 + 1);
        expect(estimateTokens(`${text}\nword`)).toBeGreaterThan(0);
      }),
    );
  });

  it("reads a character that it meets for the first time like one that it knows", () => {
    // Of alphabets that nothing else in these tests is written in.
    const text = "ԱՎΏႠ ჩემი ⅷ ტექსტი, ჟურნალი\u2002და ₾12\n";
    const first = estimateTokens(text);
    expect(first).toBeGreaterThan(10);
    expect(estimateTokens(text)).toBe(first);
    expect(estimateTokens(text.repeat(50))).toBeLessThanOrEqual(first * 50);
    expect(estimateTokens(text.repeat(50))).toBeGreaterThan((first - 1) * 50);
  });

  it("never falls by more than two for what is added behind", () => {
    const parts = fc.constantFrom("a", "WORD", "wordy", " ", "\n", "=", "====", "12", "é", "文", "  ");
    fc.assert(
      fc.property(fc.array(parts), fc.array(parts), (head, tail) => {
        const before = head.join("");
        expect(estimateTokens(before + tail.join(""))).toBeGreaterThanOrEqual(estimateTokens(before) - 2);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is the same for a run as for its rules: words by their length, rules of marks, digits by threes, wide characters", () => {
    expect(estimateTokens("word ".repeat(1_000))).toBe(1 + Math.ceil(1.03 + 999 * 1.02));
    expect(estimateTokens("=".repeat(240))).toBe(11);
    expect(estimateTokens("1".repeat(30))).toBe(10);
    expect(estimateTokens("文".repeat(100))).toBe(72);
    expect(estimateTokens("A".repeat(14))).toBe(Math.ceil(2.4 + 2 * 0.15));
    expect(estimateTokens(`${" ".repeat(100)}x`)).toBe(2);
  });

  it("is zero for nothing, and finite for text that is no text", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("\ud800\0\u2028😀")).toBeGreaterThan(0);
  });
});

describe("tokensUpToLines", () => {
  const texts = fc
    .array(fc.constantFrom("a", "Word", "  ", "\n", "\r\n", "==", "{", "12", "é", "😀", "\n\n"))
    .map((parts) => parts.join(""));

  it("ends at what the whole text is, never falls, and has a sum for every line", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const table = splitLines(text);
        const sums = tokensUpToLines(table);
        expect(sums).toHaveLength(table.count + 1);
        expect(Math.ceil(sums.at(-1) ?? 0)).toBe(estimateTokens(text));
        for (let i = 1; i < sums.length; i++) expect(sums[i]).toBeGreaterThanOrEqual(sums[i - 1] ?? 0);
      }),
    );
  });

  it("gives a line about what it is by itself", () => {
    const table = splitLines(python);
    const sums = tokensUpToLines(table);
    for (let i = 0; i < table.count; i++) {
      const own = estimateTokens(`${lineAt(table, i)}\n`);
      expect(Math.abs((sums[i + 1] ?? 0) - (sums[i] ?? 0) - own)).toBeLessThanOrEqual(2);
    }
  });
});
