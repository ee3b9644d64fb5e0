// Which row shows what: every line exactly once, in order, however blocks are folded.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFoldModel } from "../../src/page/cut/fold-model.ts";

/** Ascending blocks that do not touch, and which of them are open. */
const folded = fc
  .record({
    gaps: fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 30 }), fc.boolean()), {
      maxLength: 20,
    }),
    tail: fc.nat(9),
  })
  .map(({ gaps, tail }) => {
    let line = 1;
    const blocks: { from: number; to: number }[] = [];
    const open = new Set<number>();
    for (const [gap, length, isOpen] of gaps) {
      const from = line + gap;
      blocks.push({ from, to: from + length - 1 });
      if (isOpen) open.add(blocks.length - 1);
      line = from + length;
    }
    return { blocks, open, lineCount: line - 1 + tail };
  });

describe("folding", () => {
  it("A call: kept lines, bars and unfolded lines are each there once, in order", () => {
    fc.assert(
      fc.property(folded, ({ blocks, open, lineCount }) => {
        const model = createFoldModel({ blocks, open, lineCount });
        const rows = Array.from({ length: model.rowCount }, (_, i) => model.rowAt(i));
        const lines = rows.flatMap((row) => (row?.kind === "line" ? [row.line] : []));
        const hidden = blocks.flatMap(({ from, to }, i) =>
          open.has(i) ? [] : Array.from({ length: to - from + 1 }, (_, j) => from + j),
        );
        const all = Array.from({ length: lineCount }, (_, i) => i + 1);
        expect(lines).toEqual(all.filter((line) => !hidden.includes(line)));
        expect(rows.filter((row) => row?.kind === "bar")).toHaveLength(blocks.length);
        blocks.forEach((_, i) => {
          expect(model.rowAt(model.rowOfBlock(i))).toEqual({ kind: "bar", block: i, isOpen: open.has(i) });
        });
        for (const line of all) {
          const row = model.rowAt(model.rowOfLine(line));
          if (row?.kind === "line") expect(row.line).toBe(line);
          else expect(hidden).toContain(line);
        }
        expect([model.rowAt(-1), model.rowAt(model.rowCount)]).toEqual([undefined, undefined]);
      }),
    );
  });
});
