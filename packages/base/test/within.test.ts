import { expect, it } from "vitest";
import { within } from "../src/within.ts";

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
