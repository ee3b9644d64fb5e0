import { describe, expect, it } from "vitest";
import { mayDrop } from "../src/amount.ts";
import { type Amount, prune } from "../src/index.ts";

const text = Array.from({ length: 420 }, (_, i) => `value_${i} = compute(${i})`).join("\n");
const keptOf = async (amount: Amount): Promise<number> =>
  (await prune(text, { focus: "value_7", kind: "code", amount })).kept.filter((k) => k !== 0).length;

describe("amount", () => {
  it("X-38 the lines that may go are counted on the decimal that was written", () => {
    expect(mayDrop(420, 0.55)).toBe(231);
    expect(mayDrop(100, 0.29)).toBe(29); // 100 * 0.29 is 28.999999999999996
    expect(mayDrop(10, 1e-7)).toBe(0);
    expect(mayDrop(1e7, 1e-7)).toBe(1);
    expect([mayDrop(7, 0), mayDrop(7, 1), mayDrop(7, Number.NaN)]).toEqual([0, 7, 0]);
  });

  it("X-38 drops exactly as much as ratio and minKeepLines allow", async () => {
    expect(await keptOf({ mode: "ratio", maxPruneRatio: 0.55, minKeepLines: 1 })).toBe(189);
    expect(await keptOf({ mode: "ratio", maxPruneRatio: 0.9, minKeepLines: 100 })).toBe(100);
    expect(await keptOf({ mode: "ratio", maxPruneRatio: 1, minKeepLines: 0 })).toBe(0);
    expect(await keptOf({ mode: "ratio", maxPruneRatio: 0, minKeepLines: 0 })).toBe(420);
  });

  it("X-38 more lines to keep than there are is not to be met, and nothing goes", async () => {
    const pruned = await prune("a\nb", { focus: "a", amount: { mode: "ratio", maxPruneRatio: 0.5, minKeepLines: 3 } });
    expect(pruned).toMatchObject({ status: "whole", note: "constraints_unmet", blocks: [] });
  });

  it("a share is spent on characters, markers charged, and never passed", async () => {
    for (const keep of [0.1, 0.2, 0.45]) {
      const pruned = await prune(text, { focus: "value_200", kind: "code", amount: { mode: "share", keep } });
      const lines = text.split("\n");
      const chars = lines.filter((_, i) => pruned.kept[i] !== 0).reduce((sum, l) => sum + l.length + 1, 0);
      expect(chars + pruned.blocks.length * 28).toBeLessThanOrEqual(text.length * keep);
      expect(chars).toBeGreaterThan(text.length * keep * 0.8);
    }
  });

  it("generosity keeps more and maxChars caps it", async () => {
    const long = Array.from(
      { length: 3000 },
      (_, i) => `def f${i}():\n    return ${i % 9 === 0 ? "alpha" : "beta"}_${i}\n`,
    ).join("\n");
    const size = async (amount: Amount): Promise<number> =>
      (await prune(long, { focus: "alpha", kind: "code", amount })).kept.filter((k) => k !== 0).length;
    const normal = await size({ mode: "auto" });
    expect(await size({ mode: "auto", generosity: 2 })).toBeGreaterThan(normal * 1.5);
    expect(await size({ mode: "auto", maxChars: 2000 })).toBeLessThan(120);
  });
});
