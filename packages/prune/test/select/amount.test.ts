import { describe, expect, it } from "vitest";
import { type Amount, prune, renderPruned, shortMarker } from "../../src/index.ts";
import { mayDrop } from "../../src/select/amount.ts";

const text = Array.from({ length: 420 }, (_, i) => `value_${i} = compute(${i})\n`).join("");
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
      const chars = lines.filter((_, i) => (pruned.kept[i] ?? 0) !== 0).reduce((sum, l) => sum + l.length + 1, 0);
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
    expect(await size({ mode: "auto", generosity: 2 })).toBeGreaterThan(normal * 1.3);
    expect(await size({ mode: "auto", maxChars: 2000 })).toBeLessThan(120);
  });

  it.each([
    ["code", "alpha", (i: number) => `def f${i}():\n    return ${i % 3 === 0 ? "alpha" : "beta"}_${i}\n`],
    ["code", "nothing of this is there", (i: number) => `def f${i}():\n    return beta_${i}\n`],
    ["logs", "alpha", (i: number) => `12:00:01 INFO ${i % 3 === 0 ? "alpha" : `beta ${"x".repeat(i % 9)}`} ${i}\n`],
    ["docs", "alpha", (i: number) => `${i % 3 === 0 ? "alpha" : "beta"} and so on, number ${i}\n\n`],
    ["matches", "alpha", (i: number) => `src/a.ts:${i + 1}:1:${i % 3 === 0 ? "alpha" : "beta"}(${i})\n`],
  ] as const)("%s asked for %s: the answer, markers and all, is no longer than maxChars", async (kind, focus, part) => {
    const long = Array.from({ length: 4000 }, (_, i) => part(i)).join("");
    for (const maxChars of [3000, 6000]) {
      const pruned = await prune(long, { focus, kind, amount: { mode: "auto", maxChars } });
      const shown = renderPruned(long, pruned, { marker: shortMarker });
      expect(shown.length).toBeLessThanOrEqual(maxChars);
      expect(shown.length).toBeGreaterThan(maxChars / 20);
    }
  });

  it("X-20 a match list of one file is pruned to the hits that answer, a quoted phrase first", async () => {
    const list = Array.from(
      { length: 240 },
      (_, i) =>
        `src/a.ts:${i + 1}:5:    log.info("no ${i % 7 === 3 ? "voucher" : "parcel"} with this ${i % 5 === 3 ? "country" : "title"}", { ${i} });\n`,
    ).join("");
    const focus = 'Where is "no voucher with this country" written to the log?';
    const pruned = await prune(list, { focus, kind: "matches" });
    expect(pruned.status).toBe("pruned");
    const lines = list.split("\n");
    expect(pruned.kept.filter((k) => k !== 0).length).toBeLessThan(120);
    lines.forEach((line, i) => {
      if (line.includes("no voucher with this country")) expect(pruned.kept[i]).not.toBe(0);
    });
  });
});
