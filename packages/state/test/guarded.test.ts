import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { onStateFault, reportFault } from "../src/faults.ts";
import { guarded, hasOverdueWork, waitMsOf } from "../src/guarded.ts";

function createHang() {
  let end = () => {};
  const hang = new Promise<string>((resolve) => {
    end = () => resolve("back");
  });
  return { hang, end };
}
const stalled = { code: "stalled" };

it("X-60 while one call hangs the next are refused without being made, and made again when it is back", async () => {
  const { hang, end } = createHang();
  await expect(guarded("/a", 20, () => hang)).rejects.toMatchObject(stalled);
  expect(hasOverdueWork()).toBe(true);
  let madeCount = 0;
  const count = async () => ++madeCount;
  await expect(guarded("/a", 60_000, count)).rejects.toMatchObject(stalled);
  expect(madeCount).toBe(0);
  expect(await guarded("/another directory", 60_000, count)).toBe(1);
  end();
  await new Promise((turn) => setImmediate(turn));
  expect(await guarded("/a", 60_000, count)).toBe(2);
  expect(hasOverdueWork()).toBe(false);
});

it("X-60 however many callers there are, few calls hang", async () => {
  const { hang, end } = createHang();
  let madeCount = 0;
  const callers = Array.from({ length: 30 }, () =>
    guarded("/b", 20, () => {
      madeCount++;
      return hang;
    }),
  );
  for (const done of await Promise.allSettled(callers)) expect(done).toMatchObject({ reason: stalled });
  expect(madeCount).toBeLessThan(4);
  end();
  await new Promise((turn) => setImmediate(turn));
});

it("X-60 a computation that holds up the event loop makes nothing late", async () => {
  const reading = guarded("/c", 100, () => readFile(import.meta.filename, "utf8"));
  const until = performance.now() + 400;
  while (performance.now() < until);
  expect(await reading).toContain("X-60");
});

it("X-60 a late failure is ignored, an early one is passed on", async () => {
  let fail = () => {};
  const hang = new Promise<string>((_, reject) => {
    fail = () => reject(new Error("late"));
  });
  await expect(guarded("/d", 20, () => hang)).rejects.toMatchObject(stalled);
  fail();
  await new Promise((turn) => setImmediate(turn));
  const throwing = () => {
    throw new Error("at once");
  };
  await expect(guarded("/d", 60_000, throwing)).rejects.toThrow("at once");
});

it.each([
  [{}, 1_000],
  [{ JEEVES_STATE_WAIT_MS: "200" }, 200],
  [{ JEEVES_STATE_WAIT_MS: "99999" }, 1_000],
  [{ JEEVES_STATE_WAIT_MS: "soon" }, 1_000],
  [{ JEEVES_STATE_WAIT_MS: "-1" }, 1_000],
])("X-60 %j waits at most %i ms", (env, ms) => {
  expect(waitMsOf(env, 1_000)).toBe(ms);
});

it("X-60 each cause is reported once, from the first listener on, and a listener that throws does no harm", () => {
  const heard: string[] = [];
  const full = Object.assign(new Error("ENOSPC: one name"), { code: "ENOSPC" });
  reportFault("meter", "/unheard", full);
  const stop = onStateFault(({ path, message }) => {
    heard.push(`${path} ${message}`);
    throw new Error("no");
  });
  reportFault("meter", "/m", full);
  reportFault("meter", "/m", Object.assign(new Error("ENOSPC: another name"), { code: "ENOSPC" }));
  reportFault("meter", "/m", "odd");
  stop();
  reportFault("meter", "/later", full);
  expect(heard).toEqual(["/m ENOSPC: one name", "/m odd"]);
});
