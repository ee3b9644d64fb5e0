// A sweep of the shared recovery store beside writers.
import { expect, it, onTestFinished } from "vitest";
import { createPostgresRecoveryStore } from "../../packages/state/src/index.ts";
import { sweepExpired } from "../../packages/state/src/shared/recovery-sweep.ts";
import { freshUrl, openForTest, run } from "./database-under-test.ts";

it("X-65 no writer waits for the row that a sweep counts in", async () => {
  const url = await freshUrl();
  const database = openForTest(url, { maxConnections: 12 });
  const store = createPostgresRecoveryStore({ database });
  await store.put({ text: "old", focus: "", options: {}, ttlS: 0 });
  await run(url, "UPDATE jeeves_cuts SET expires_at = clock_timestamp() - interval '1 day'");
  const usage = async () => (await run(url, "SELECT slot, bytes::int FROM jeeves_usage ORDER BY slot")).rows;
  const before = await usage();
  expect(await sweepExpired(database)).toBe(1);
  const after = await usage();
  const [swept] = after.filter(({ bytes }, at) => bytes < (before[at]?.bytes ?? 0));
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isHeld = (): void => {};
  const holding = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const other = openForTest(url).transaction(async (connection) => {
    await connection.query("SELECT slot FROM jeeves_usage WHERE slot = $1 FOR UPDATE", [swept.slot]);
    isHeld();
    await held;
  });
  onTestFinished(() => letGo());
  await holding;
  const texts = Array.from({ length: 200 }, (_, n) => `text ${n}`);
  const stored = await Promise.all(texts.map((text) => store.put({ text, focus: "", options: {} })));
  expect(new Set(stored.map(({ pruneId }) => pruneId)).size).toBe(200);
  letGo();
  await other;
});
