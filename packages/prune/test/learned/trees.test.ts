import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseFocus } from "../../src/focus.ts";
import { extractColumns } from "../../src/learned/line-columns.ts";
import { parseTrees, type TreeData } from "../../src/learned/trees.ts";
import { WEIGHTS } from "../../src/learned/weights.ts";
import { splitLines } from "../../src/lines.ts";
import { segment } from "../../src/segment.ts";

const words = (values: number[]): string => Buffer.from(Int16Array.from(values).buffer).toString("base64");
const bytes = (values: number[]): string => Buffer.from(values).toString("base64");

/** a < 10 ? (b < -3 ? 100 : -200) : 7, and a tree that is a leaf. */
const SMALL: TreeData = {
  features: ["a", "b"],
  root: words([0, 5]),
  feature: bytes([0, 1, 255, 255, 255, 255]),
  threshold: words([10, -3, 100, -200, 7, 1000]),
  left: words([1, 2, 0, 0, 0, 0]),
  right: words([4, 3, 0, 0, 0, 0]),
};

describe("trees", () => {
  it("a line's sum is that of its leaves; a value at the threshold goes right", () => {
    const sums = parseTrees(SMALL).sum([Int16Array.of(9, 9, 10, -500), Int16Array.of(-4, -3, -4, 30)], 4);
    expect([...sums]).toEqual([1100, 800, 1007, 800]);
  });

  it("trees in which a walk would not end are refused", () => {
    expect(() => parseTrees({ ...SMALL, left: words([0, 2, 0, 0, 0, 0]) })).toThrow("node 0");
    expect(() => parseTrees({ ...SMALL, right: words([9, 3, 0, 0, 0, 0]) })).toThrow("node 0");
  });

  it("every feature that the weights ask for is one that the extractor gives", async () => {
    const table = splitLines("def load(name):\n    return name\n");
    const outline = await segment(table, { kind: "code", path: "a.py", grammars: undefined, shouldStop: () => false });
    const { columns } = extractColumns({ table, focus: parseFocus("load"), outline });
    const given = new Set(columns.map(([name]) => name));
    expect(WEIGHTS.features.filter((name) => !given.has(name))).toEqual([]);
    for (const [, values] of columns) expect(values).toHaveLength(table.count);
  });

  it("the weights are a small file", () => {
    const file = readFileSync(new URL("../../src/learned/weights.ts", import.meta.url));
    expect(file.length).toBeLessThan(2_000_000);
  });
});
