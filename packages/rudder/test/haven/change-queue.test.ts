// Changes of one process under one lock: in order, one at a time, and never at the cost of others who wait.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROC, readProcess } from "@jeeves/base";
import { withLock } from "@jeeves/state";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildProgram } from "../../../state/test/child-program.ts";
import { createChangeQueue } from "../../src/haven/change-queue.ts";
import { toRudderError } from "../../src/rudder-error.ts";

let dir: string;
let lock: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "rudder-queue-"));
  lock = join(dir, ".lock");
});
afterEach(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10 }));

/** How often the lock was taken: its numbers only grow. */
const taken = (): number => Math.max(0, ...readdirSync(lock).map((name) => Number.parseInt(name, 10) || 0));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("changes", () => {
  it("X-30 are made one at a time, in their order; one that fails fails alone", async () => {
    const queue = createChangeQueue(lock, { lingerMs: 0 });
    const order: number[] = [];
    let inside = 0;
    const made = Array.from({ length: 20 }, (_, n) =>
      queue.add(async () => {
        expect(++inside).toBe(1);
        await turn();
        order.push(n);
        inside -= 1;
        if (n === 7) throw new Error("seven");
        return n;
      }),
    );
    const settled = await Promise.allSettled(made);
    expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(settled.map((one) => one.status === "fulfilled")).toEqual(order.map((n) => n !== 7));
  });

  it("X-30 that wait together share the lock", async () => {
    const queue = createChangeQueue(lock, { lingerMs: 0 });
    await Promise.all(Array.from({ length: 20 }, () => queue.add(turn)));
    // Once, unless the machine stood still in between.
    const before = taken();
    expect(before).toBeLessThan(5);
    await expect.poll(() => readdirSync(lock), { timeout: 30_000 }).toContain(`${before}.free`);
    await queue.add(turn);
    expect(taken()).toBe(before + 1);
  });

  it("X-30 of a queue that lingers, which follow each other, share it too", async () => {
    const queue = createChangeQueue(lock, { lingerMs: 20_000 });
    for (let n = 0; n < 10; n++) await queue.add(turn);
    expect(taken()).toBeLessThan(5);
    // Somebody waits: after the next change it is let go of.
    writeFileSync(join(lock, `wait.${process.ppid}`), "");
    await queue.add(turn);
    await expect.poll(() => readdirSync(lock), { timeout: 30_000 }).toContain(`${taken()}.free`);
  });

  it("X-30 of a caller that was told to stop are not made", async () => {
    const queue = createChangeQueue(lock, { lingerMs: 0 });
    const stop = new AbortController();
    let isMade = false;
    const first = queue.add(turn);
    const second = queue.add(async () => {
      isMade = true;
    }, stop.signal);
    stop.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    await first;
    expect(isMade).toBe(false);
  });

  it("X-30 of a caller that was told to stop do not wait for whoever holds the lock", async () => {
    const queue = createChangeQueue(lock, { lingerMs: 0 });
    const stop = new AbortController();
    const order: string[] = [];
    await withLock(lock, async () => {
      const waits = queue.add(turn, stop.signal);
      void queue.add(async () => void order.push("goes on"));
      stop.abort(new Error("enough"));
      await expect(waits).rejects.toThrow("enough");
      order.push("let go");
    });
    await expect.poll(() => order, { timeout: 30_000 }).toEqual(["let go", "goes on"]);
  });

  it.runIf(existsSync(PROC))(
    "X-54 a command that was stopped inside the lock held up every caller: the wait ends, and the holder is named",
    async () => {
      const holder = buildProgram(`
        import { withLock } from "@jeeves/state";
        await withLock(process.argv[2] ?? "", async () => {
          console.log("held");
          await new Promise((done) => process.stdin.once("data", done));
        });
      `)(lock);
      await holder.nextLine();
      const { pid } = holder.process;
      holder.process.kill("SIGSTOP");
      await expect.poll(() => readProcess(pid ?? 0)?.isStopped).toBe(true);
      const queue = createChangeQueue(lock, { lingerMs: 0, waitMs: 50 });
      const error = await queue.add(async () => {}).catch((one: unknown) => one);
      expect(toRudderError(error, dir)).toMatchObject({
        code: "busy",
        message: expect.stringMatching(new RegExp(`held by process ${pid} \\(.+\\) since \\d{4}-`)),
        hint: expect.stringContaining(`kill -CONT ${pid}`),
      });
      holder.process.kill("SIGKILL");
      expect(await queue.add(async () => "mine")).toBe("mine");
    },
  );
});
