import { statSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractColumns } from "../../../src/rank/learned/line-columns.ts";
import { parseTrees, type TreeData } from "../../../src/rank/learned/trees.ts";
import { TRAINED } from "../../../src/rank/learned/use.ts";
import { WEIGHTS } from "../../../src/rank/learned/weights/question.ts";
import { segment } from "../../../src/segment.ts";
import { parseFocus } from "../../../src/text/focus.ts";
import { splitLines } from "../../../src/text/lines.ts";

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

  it("any number of lines gets the sums that walking node by node gives", () => {
    const data = WEIGHTS;
    const trees = parseTrees(data);
    const at = (base64: string): DataView => {
      const { buffer, byteOffset, byteLength } = Buffer.from(base64, "base64");
      return new DataView(buffer.slice(byteOffset, byteOffset + byteLength));
    };
    const [root, feature, threshold] = [at(data.root), at(data.feature), at(data.threshold)];
    const [left, right] = [at(data.left), at(data.right)];
    const walk = (row: readonly number[]): number => {
      let sum = 0;
      for (let t = 0; t < root.byteLength; t += 2) {
        let node = root.getUint16(t, true);
        while (feature.getUint8(node) !== 255) {
          const goesLeft = (row[feature.getUint8(node)] ?? 0) < threshold.getInt16(2 * node, true);
          node = (goesLeft ? left : right).getUint16(2 * node, true);
        }
        sum += threshold.getInt16(2 * node, true);
      }
      return sum;
    };
    const row = fc.array(fc.integer({ min: -1024, max: 4096 }), {
      minLength: data.features.length,
      maxLength: data.features.length,
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 9 }), (rows) => {
        const columns = data.features.map((_, f) => Int16Array.from(rows, (values) => values[f] ?? 0));
        expect([...trees.sum(columns, rows.length)]).toEqual(rows.map(walk));
      }),
      { numRuns: 50 },
    );
  });

  it("trees in which a walk would not end are refused", () => {
    expect(() => parseTrees({ ...SMALL, left: words([0, 2, 0, 0, 0, 0]) })).toThrow("node 0");
    expect(() => parseTrees({ ...SMALL, right: words([9, 3, 0, 0, 0, 0]) })).toThrow("node 0");
  });

  it.each(TRAINED)("every feature that the weights for a %s ask for is one that the extractor gives", async (use) => {
    const table = splitLines("def load(name):\n    return name\n");
    const outline = await segment(table, { kind: "code", path: "a.py", grammars: undefined, shouldStop: () => false });
    const { columns } = extractColumns({ table, focus: parseFocus("load"), outline });
    const given = new Set(columns.map(([name]) => name));
    const { WEIGHTS } = await import(`../../../src/rank/learned/weights/${use}.ts`);
    expect(WEIGHTS.features.filter((name: string) => !given.has(name))).toEqual([]);
    for (const [, values] of columns) expect(values).toHaveLength(table.count);
  });

  it("the weights are small files, two megabytes together", () => {
    const sizes = TRAINED.map(
      (use) => statSync(new URL(`../../../src/rank/learned/weights/${use}.ts`, import.meta.url)).size,
    );
    expect(sizes.reduce((a, b) => a + b)).toBeLessThan(2_000_000);
  });
});
