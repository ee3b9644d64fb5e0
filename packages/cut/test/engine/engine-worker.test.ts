import { type Block, type Pruned, prune } from "@jeeves/prune";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EngineFailure } from "../../src/engine/engine.ts";
import { toJobDone, toOutcome } from "../../src/engine/engine-worker.ts";

type Outcome = Pruned | EngineFailure;
const sent = (outcome: Outcome): Outcome => toOutcome(structuredClone(toJobDone(1, outcome)));

describe("a cut between threads", () => {
  it("comes out as it went in, whatever its blocks are called", async () => {
    const pruned = await prune("a\nb\nc\n", { focus: "a", amount: { mode: "share", keep: 0.4 } });
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
      fc.property(fc.array(block), fc.uint8Array(), (blocks, kept) => {
        const cut: Outcome = { ...pruned, kept, blocks };
        expect(sent(cut)).toEqual(cut);
      }),
      { numRuns: 1_000 },
    );
  });

  it("loses nothing of what the engine says, nor of why nothing was cut", async () => {
    const text = Array.from({ length: 60 }, (_, n) => `2026-01-01 10:00:0${n % 10} INFO polled the queue`).join("\n");
    const pruned = await prune(text, { focus: "why did it fail", amount: { mode: "share", keep: 0.2 } });
    expect(pruned.blocks.length).toBeGreaterThan(0);
    for (const cut of [pruned, { failed: "timeout" } as const]) {
      expect(sent(cut)).toEqual(cut);
    }
  });
});
