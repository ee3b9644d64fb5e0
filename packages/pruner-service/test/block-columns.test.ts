import { type Block, prune } from "@jeeves/prune";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBlocks, toColumns } from "../src/block-columns.ts";

describe("blocks between threads", () => {
  it("come out as they went in, through a real message too", () => {
    const lines = fc.tuple(fc.integer({ min: 1, max: 2 ** 30 }), fc.nat({ max: 1_000 }));
    const what = fc.constantFrom<Block["label"]["what"]>("function", "class", "section", "imports", "lines");
    const label = fc.record({ what, name: fc.string({ unit: "binary" }) });
    const repeats = fc.record({
      what: fc.constant("repeats" as const),
      name: fc.constant(""),
      like: fc.integer({ min: 1, max: 2 ** 30 }),
    });
    const block = fc.tuple(lines, fc.oneof(label, repeats)).map(
      ([[startLine, more], of]): Block => ({
        startLine,
        endLine: startLine + more,
        lineCount: more + 1,
        label: { ...of },
      }),
    );
    fc.assert(
      fc.property(fc.array(block), (blocks) => {
        expect(toBlocks(structuredClone(toColumns(blocks)))).toEqual(blocks);
      }),
      { numRuns: 1_000 },
    );
  });

  it("lose nothing of what the engine says of a block", async () => {
    const text = Array.from({ length: 60 }, (_, n) => `2026-01-01 10:00:0${n % 10} INFO polled the queue`).join("\n");
    const { blocks } = await prune(text, { focus: "why did it fail", amount: { mode: "share", keep: 0.2 } });
    expect(blocks.length).toBeGreaterThan(0);
    expect(toBlocks(toColumns(blocks))).toEqual(blocks);
  });
});
