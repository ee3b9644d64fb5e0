// the heap of a server with a large haven does not grow to a multiple of what lives in it.
import { expect, it } from "vitest";
import { growthFor } from "../../../src/mcp/server/bound-heap.ts";

const MB = 1024 * 1024;

it("X-66 a small heap may grow as V8 finds best, a large one by half and a bit", () => {
  expect([10, 29, 40].map((mb) => growthFor(mb * MB))).toEqual([0, 0, 0]);
  expect([41, 70, 200].map((mb) => growthFor(mb * MB))).toEqual([60, 60, 60]);
});
