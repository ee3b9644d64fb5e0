import { describe, expect, it } from "vitest";
import { otherMatches, parseMatchLines, renderOtherMatches } from "../../src/index.ts";

const text = [
  "src/b.ts:1149:x()",
  "src/a.ts:59:x()",
  "src/b.ts:12:x()",
  "src/b.ts:12:9:x()",
  "src/a.ts-60-y",
  "src/a.ts:59:20:x()",
  "c:d.ts:7:x()",
].join("\n");

function others(kept: readonly number[]) {
  const lines = parseMatchLines(text);
  if (lines === undefined) throw new Error("no match list");
  return otherMatches(lines, Uint8Array.from(kept));
}

describe("X-58 the list of matches that are not shown in full", () => {
  it("has every file in the order of the search, every line once, and no context", () => {
    expect(renderOtherMatches(others([0, 0, 0, 0, 0, 0, 0]), { form: "lines", unit: "matches" })).toBe(
      "[4 more matches, path: lines]\nsrc/b.ts: 1149, 12\nsrc/a.ts: 59\nc:d.ts: 7",
    );
  });

  it("does not list a line again that is shown for another match", () => {
    expect(others([0, 1, 0, 1, 0, 0, 1])).toEqual([{ path: "src/b.ts", lines: [1149], count: 1 }]);
    expect(renderOtherMatches(others([1, 1, 1, 0, 0, 0, 1]), { form: "lines", unit: "matches" })).toBe("");
  });

  it("counts by file, and counts what does not fit even so", () => {
    const all = [12, 1, 3].map((count, i) => ({ path: `source/part-${i}.ts`, lines: [i], count }));
    const render = (maxChars: number) => renderOtherMatches(all, { form: "counts", unit: "matches", maxChars });
    const head = "[16 more matches, path: line or path (matches)]\nsource/part-0.ts (12)";
    const whole = `${head}\nsource/part-1.ts: 1\nsource/part-2.ts (3)`;
    expect(render(whole.length)).toBe(whole);
    expect(render(whole.length - 1)).toBe(`${head}\n[and 4 more in 2 files]`);
    expect(render(40)).toBe("[16 more matches in 3 files]");
  });
});
