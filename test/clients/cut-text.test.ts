// The judge of a cut text must itself refuse a bad one.
import { describe, expect, it } from "vitest";
import { blocksOf } from "./cut-text.ts";

const RAW = ["a", "b", "c", "d", "e"];

describe("blocksOf", () => {
  it("finds the blocks of an honest cut", () => {
    expect(blocksOf(["a", "⟦… 2 lines 2-3⟧", "d", "⟦… 1 lines 5-5⟧"], RAW)).toEqual([
      { startLine: 2, endLine: 3 },
      { startLine: 5, endLine: 5 },
    ]);
  });

  it.each([
    ["a changed line", ["a", "B", "c", "d", "e"]],
    ["a line gone without a marker", ["a", "c", "d", "e"]],
    ["an end gone without a marker", ["a", "b", "c"]],
    ["a line shown twice", ["a", "a", "b", "c", "d", "e"]],
    ["a marker that miscounts", ["a", "⟦… 3 lines 2-3⟧", "d", "e"]],
    ["a marker at the wrong place", ["a", "⟦… 2 lines 3-4⟧", "e"]],
    ["a marker beyond the end", ["a", "b", "c", "⟦… 3 lines 4-6⟧"]],
  ])("refuses %s", (_, shown) => {
    expect(() => blocksOf(shown, RAW)).toThrow();
  });
});
