import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { startTimeLimit, within } from "../src/within.ts";

const never = new Promise<never>(() => {});

it("what is done in time is its value, what fails in time its failure, and what is late undefined", async () => {
  expect(await within(60_000, Promise.resolve("done"))).toBe("done");
  await expect(within(60_000, Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await within(0, never)).toBeUndefined();
});

it("more time than a timer can hold is long, not none", async () => {
  const soon = new Promise((resolve) => setTimeout(() => resolve("done"), 20));
  expect(await within(1e20, soon)).toBe("done");
});

it("a time limit was collected as garbage before its time was over, and never came: now it comes", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const other = new AbortController();
  const aborted: string[] = [];
  // Only what listens knows the signal, as with a request that is under way.
  (() => {
    const { signal } = startTimeLimit(200, other.signal);
    signal.addEventListener("abort", () => aborted.push((signal.reason as Error).name), { once: true });
  })();
  const gone = new Promise((resolve) => setTimeout(resolve, 1_000));
  const collecting = setInterval(collect, 20);
  await gone;
  clearInterval(collecting);
  expect(aborted).toEqual(["TimeoutError"]);
});

it("another signal ends a time limit first, and a limit that was ended does not come", async () => {
  const other = new AbortController();
  const first = startTimeLimit(60_000, undefined, other.signal);
  const ended = once(first.signal, "abort");
  other.abort(new Error("stopped"));
  await ended;
  expect(first.signal.reason).toEqual(new Error("stopped"));
  expect(first.isOver).toBe(false);
  const second = startTimeLimit(20);
  second.end();
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(second.signal.aborted).toBe(false);
});
