import { describe, expect, it } from "vitest";
import { createGate } from "../src/index.ts";

const never = new AbortController().signal;

describe("createGate", () => {
  it("lets the others wait, and lets them in in their order", async () => {
    const gate = createGate(2);
    const order: string[] = [];
    const first = await gate.enter(never);
    const second = await gate.enter(never);
    const third = gate.enter(never).then((leave) => order.push("third") && leave);
    const fourth = gate.enter(never).then((leave) => order.push("fourth") && leave);
    expect([gate.inside, gate.waiting]).toEqual([2, 2]);
    second?.();
    const leaveThird = await third;
    expect(order).toEqual(["third"]);
    first?.();
    const leaveFourth = await fourth;
    expect(order).toEqual(["third", "fourth"]);
    for (const leave of [leaveThird, leaveFourth]) if (typeof leave === "function") leave();
    expect([gate.inside, gate.waiting]).toEqual([0, 0]);
  });

  it("a place is given back once, however often it is left", async () => {
    const gate = createGate(1);
    const leave = await gate.enter(never);
    leave?.();
    leave?.();
    expect(gate.inside).toBe(0);
    await gate.enter(never);
    let isIn = false;
    void gate.enter(never).then(() => {
      isIn = true;
    });
    leave?.();
    await new Promise(setImmediate);
    expect(isIn).toBe(false);
  });

  it("a cancelled one waits no longer, and takes no place", async () => {
    const gate = createGate(1);
    expect(await gate.enter(AbortSignal.abort())).toBeUndefined();
    const leave = await gate.enter(never);
    const cancelling = new AbortController();
    const cancelled = gate.enter(cancelling.signal);
    const next = gate.enter(never);
    cancelling.abort();
    expect(await cancelled).toBeUndefined();
    leave?.();
    expect(await next).toBeTypeOf("function");
    expect([gate.inside, gate.waiting]).toEqual([1, 0]);
  });
});
