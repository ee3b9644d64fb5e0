// The gate in front of the tools: how many at once, in which order, and what an abort does to one that waits.
import { describe, expect, it } from "vitest";
import { createGate } from "../../src/mcp/concurrency.ts";

const never = new AbortController().signal;

describe("the gate", () => {
  it("lets as many in as it has places, and the next when one leaves, in order", async () => {
    const gate = createGate(2);
    const inside: number[] = [];
    const leaves = new Map<number, () => void>();
    const enter = async (n: number) => {
      const leave = await gate.enter(never);
      if (leave === undefined) throw new Error("not aborted");
      inside.push(n);
      leaves.set(n, leave);
    };
    const all = [0, 1, 2, 3].map(enter);
    await Promise.all(all.slice(0, 2));
    expect(inside).toEqual([0, 1]);
    leaves.get(1)?.();
    leaves.get(1)?.();
    await all[2];
    expect(inside).toEqual([0, 1, 2]);
    leaves.get(0)?.();
    await all[3];
    expect(inside).toEqual([0, 1, 2, 3]);
  });

  it("turns away one that is aborted, before or while it waits, without losing a place", async () => {
    const gate = createGate(1);
    const leave = await gate.enter(never);
    expect(await gate.enter(AbortSignal.abort())).toBeUndefined();
    const stop = new AbortController();
    const waiting = gate.enter(stop.signal);
    const next = gate.enter(never);
    stop.abort();
    expect(await waiting).toBeUndefined();
    leave?.();
    (await next)?.();
    expect(await gate.enter(never)).toBeDefined();
  });
});
