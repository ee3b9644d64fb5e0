import { estimateTokens, renderedLength, renderPruned, shortMarker, splitLines } from "@jeeves/prune";
import fc from "fast-check";
import { expect, it } from "vitest";
import { keptTokensOf, measure, rawTokensOf } from "../../src/show/measure.ts";

const words = fc.array(fc.constantFrom("foo", "barBaz", "42", "(", ")", " ", "é", "_"), { maxLength: 12 });
const lines = fc.array(
  words.map((some) => some.join("")),
  { minLength: 2, maxLength: 60 },
);

it("what is left is measured without rendering it: its length exactly, its tokens within 8 %", () => {
  fc.assert(
    fc.property(lines, fc.boolean(), fc.integer({ min: 2, max: 7 }), (some, endsOpen, every) => {
      const table = splitLines(`${some.join("\n")}${endsOpen ? "" : "\n"}`);
      const blocks = [];
      for (let line = 1; line + 1 <= table.count; line += every)
        blocks.push({ startLine: line, endLine: line, lineCount: 1, label: { what: "lines", name: "" } as const });
      const shown = renderPruned(table, { blocks }, { marker: shortMarker });
      expect(renderedLength(table, { blocks }, shortMarker)).toBe(shown.length);
      const measured = measure(table);
      expect(rawTokensOf(measured)).toBe(estimateTokens(table.text));
      const exact = estimateTokens(shown);
      expect(Math.abs(keptTokensOf(measured, blocks, shortMarker) - exact)).toBeLessThanOrEqual(2 + exact * 0.08);
    }),
  );
});
