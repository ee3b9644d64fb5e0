import { prune, WHY } from "@jeeves/prune";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCutRecord } from "../src/cut-record.ts";

const LABELS = { what: "lines", name: "" } as const;

describe("what is kept about a cut", () => {
  it("X-21 blocks and reasons together cover every line exactly once", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: WHY.length }), { maxLength: 60 }), (codes) => {
        const kept = Uint8Array.from(codes);
        const blocks = [];
        for (let i = 0; i < kept.length; i++) {
          if (kept[i] !== 0) continue;
          let end = i;
          while (kept[end + 1] === 0) end++;
          blocks.push({ startLine: i + 1, endLine: end + 1, lineCount: end - i + 1, label: LABELS });
          i = end;
        }
        const record = toCutRecord({ kept, blocks });
        const said = Array.from({ length: kept.length }, () => "");
        for (const [from, to] of record.blocks) for (let i = from; i <= to; i++) said[i - 1] += "dropped";
        for (const [from, to, why] of record.why) for (let i = from; i <= to; i++) said[i - 1] += why;
        expect(said).toEqual(codes.map((code) => (code === 0 ? "dropped" : WHY[code - 1])));
      }),
    );
  });

  it("X-21 a real cut says why its lines stayed", async () => {
    const lines = Array.from({ length: 400 }, (_, i) =>
      i === 200 ? "function chooseTheListeningPort() { return 8080; }" : `const value${i} = compute(${i});`,
    );
    const pruned = await prune(lines.join("\n"), {
      focus: "where is the listening port chosen?",
      amount: { mode: "share", keep: 0.2 },
      path: "a.js",
    });
    const { why } = toCutRecord(pruned);
    expect(why.find(([from, to]) => from <= 201 && 201 <= to)?.[2]).toBe("evidence");
  });
});
