// The engine in the caller's own thread, and when it stops.
import { describe, expect, it } from "vitest";
import { pruneHere } from "../../src/engine/in-process.ts";

describe("the engine in this thread", () => {
  it("K-27 stops at whichever check it learns that its text is no longer wanted", async () => {
    const lines = Array.from({ length: 60 }, (_, n) => `const value${n} = compute(${n});`);
    const amount = { mode: "ratio", maxPruneRatio: 0.5, minKeepLines: 1 } as const;
    let cuts = 0;
    const cut = async (wantedChecks: number) => {
      let checks = 0;
      // Another text each time: the outline of a known one is remembered, and takes no checks.
      const text = [`// ${100 + cuts++}`, ...lines].join("\n");
      const outcome = await pruneHere(text, { focus: "value7", amount }, () => ++checks > wantedChecks);
      return { outcome, checks };
    };
    const { outcome, checks } = await cut(Number.POSITIVE_INFINITY);
    expect(outcome).toMatchObject({ status: "pruned" });
    expect(checks).toBeGreaterThan(1);
    for (let wanted = 0; wanted < checks; wanted++) expect((await cut(wanted)).outcome).toEqual({ failed: "timeout" });
  });
});
