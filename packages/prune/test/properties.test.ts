// What holds for every text and every focus, however hostile: order, partition, recovery byte for byte, ratio.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Amount,
  linesOf,
  type Pruned,
  prune,
  renderPruned,
  type SourceKind,
  shortMarker,
  splitLines,
} from "../src/index.ts";
import { createTreeSitterGrammars } from "../src/outline/grammars.ts";
import { mayDrop } from "../src/select/amount.ts";

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "def load(path):",
      "    return open(path)",
      "class Cache {",
      "  get(key) {",
      "}",
      "import os",
      "",
      "",
      "ERROR boom",
      "2026-01-01 12:00:01 INFO ok",
      "# Title",
      "```",
      "| a | b |",
      "src/a.ts:1:2:load()",
      "⟦NO_PRUNE_BEGIN⟧",
      "⟦NO_PRUNE_END⟧",
      "Traceback (most recent call last):",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("\r", "\u2028", "\0", "😀", "\ud800", "é", "日本語", "\u001b[31mred\u001b[0m"),
  },
);
const textOf = fc
  .array(fc.tuple(piece, fc.constantFrom("\n", "\n", "\n", "\r\n", "")), { maxLength: 80 })
  .map((rows) => rows.map(([a, b]) => a + b).join(""));
const amountOf: fc.Arbitrary<Amount> = fc.oneof(
  fc.constant<Amount>({ mode: "auto" }),
  fc.record({ mode: fc.constant("share" as const), keep: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({
    mode: fc.constant("ratio" as const),
    maxPruneRatio: fc.double({ min: 0, max: 1, noNaN: true }),
    minKeepLines: fc.nat(90),
  }),
);
const focusOf = fc.oneof(
  fc.constantFrom("", "load path", "where is the cache", "日本", "`get`", "ERROR"),
  fc.string({ unit: "binary", maxLength: 30 }),
);
const kindOf = fc.constantFrom<SourceKind>("code", "logs", "docs", "matches");
const grammars = createTreeSitterGrammars();

/** The original, rebuilt from what the reader got and what was dropped. */
function rebuild(text: string, pruned: Pruned): string {
  const table = splitLines(text);
  const out: string[] = [];
  let next = 1;
  for (const b of pruned.blocks) {
    if (b.startLine > next) out.push(linesOf(table, next, b.startLine - 1));
    out.push(linesOf(table, b.startLine, b.endLine));
    next = b.endLine + 1;
  }
  if (next <= table.count) out.push(linesOf(table, next, table.count));
  return out.join("\n") + (text.endsWith("\n") ? "\n" : "");
}

describe("properties", () => {
  it("K-02 X-48 kept lines and blocks partition every text, in order, and rebuild it byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(textOf, focusOf, kindOf, amountOf, fc.boolean(), async (text, focus, kind, amount, parse) => {
        const pruned = await prune(text, { focus, kind, amount, path: "a.py", ...(parse ? { grammars } : {}) });
        const table = splitLines(text);
        expect(pruned.note).not.toBe("engine_error");
        expect(pruned.kept.length).toBe(table.count);
        const dropped = new Set<number>();
        let last = 0;
        for (const b of pruned.blocks) {
          expect(b.startLine).toBeGreaterThan(last);
          expect(b.lineCount).toBe(b.endLine - b.startLine + 1);
          last = b.endLine;
          for (let l = b.startLine; l <= b.endLine; l++) dropped.add(l);
        }
        expect([...pruned.kept].map((k, i) => (k === 0) === dropped.has(i + 1)).every(Boolean)).toBe(true);
        expect(rebuild(text, pruned)).toBe(text);
        const rendered = renderPruned(text, pruned, { marker: () => undefined });
        const keptOnly = [...pruned.kept.keys()]
          .filter((i) => pruned.kept[i] !== 0)
          .map((i) => linesOf(table, i + 1, i + 1));
        expect(rendered).toBe(keptOnly.join("\n") + (keptOnly.length > 0 && text.endsWith("\n") ? "\n" : ""));
      }),
      { numRuns: 150 },
    );
  });

  it("X-38 a ratio is never passed, and nothing more is kept than it asks, protected lines aside", async () => {
    const plain = fc.array(fc.stringMatching(/^[a-z ]{1,20}$/), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        plain,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(70),
        async (rows, maxPruneRatio, minKeepLines) => {
          const text = rows.join("\n");
          const n = splitLines(text).count;
          const pruned = await prune(text, {
            focus: "ab",
            kind: "code",
            amount: { mode: "ratio", maxPruneRatio, minKeepLines },
          });
          if (minKeepLines > n) {
            expect(pruned).toMatchObject({ status: "whole", note: "constraints_unmet" });
            return;
          }
          const kept = pruned.kept.filter((k) => k !== 0).length;
          expect(kept).toBe(Math.max(minKeepLines, n - mayDrop(n, maxPruneRatio)));
        },
      ),
      // The letter in which an assertion of pytest opens its lines is no failure in lower case.
      { numRuns: 150, examples: [[["e  a", "a", "a", "a", "a", "a "], 0.5, 0]] },
    );
  });

  it("X-19 what is called pruned is smaller than raw with its markers, and the same input gives the same answer", async () => {
    await fc.assert(
      fc.asyncProperty(
        textOf,
        focusOf,
        kindOf,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (text, focus, kind, keep) => {
          const once = await prune(text, { focus, kind, amount: { mode: "share", keep } });
          const again = await prune(text, { focus, kind, amount: { mode: "share", keep } });
          expect(again).toEqual(once);
          if (once.status === "pruned")
            expect(renderPruned(text, once, { marker: shortMarker }).length).toBeLessThan(text.length);
        },
      ),
      { numRuns: 150 },
    );
  });
});
