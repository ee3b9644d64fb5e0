// The pool: how many at once, what waits, what is refused, and how each task ends.
import { describe, expect, it } from "vitest";
import { outcome as outcomeSchema } from "../../src/report/schema.ts";
import { ResearchError } from "../../src/research-error.ts";
import { createPool } from "../../src/runtime/pool.ts";

const never = new AbortController().signal;

function gate(): { readonly passed: Promise<void>; open(): void } {
  let open: () => void = () => {};
  const passed = new Promise<void>((go) => {
    open = go;
  });
  return { passed, open: () => open() };
}

describe("pool", () => {
  it("C-16 C-17 runs no more than maxConcurrentTasks at once, and the rest in order", async () => {
    const pool = createPool({ maxConcurrentTasks: 2, maxQueuedTasks: 10 });
    const gates = [gate(), gate(), gate(), gate()];
    const started: number[] = [];
    let most = 0;
    const runs = gates.map(({ passed }, n) =>
      pool.run(
        async () => {
          started.push(n);
          most = Math.max(most, pool.running);
          await passed;
          return n;
        },
        { signal: never, deadlineMs: 60_000 },
      ),
    );
    await Promise.resolve();
    expect(started).toEqual([0, 1]);
    expect(pool.queued).toBe(2);
    for (const { open } of gates) open();
    expect((await Promise.all(runs)).map((run) => run.status)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(started).toEqual([0, 1, 2, 3]);
    expect(most).toBe(2);
    expect(pool.running).toBe(0);
  });

  it("C-16 C-20 refuses what the queue has no place for, with a stable code", async () => {
    const pool = createPool({ maxConcurrentTasks: 1, maxQueuedTasks: 0 });
    const { passed, open } = gate();
    const first = pool.run(() => passed, { signal: never, deadlineMs: 60_000 });
    const second = await pool.run(async () => 1, { signal: never, deadlineMs: 60_000 });
    expect(second).toMatchObject({ status: "error", error: { name: "saturated" } });
    open();
    expect((await first).status).toBe("ok");
  });

  it("C-18 a task past its deadline is a timeout, and its signal is aborted", async () => {
    const pool = createPool({ maxConcurrentTasks: 1, maxQueuedTasks: 1 });
    let seen: AbortSignal | undefined;
    const result = await pool.run(
      (signal) => {
        seen = signal;
        return new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
      },
      { signal: never, deadlineMs: 5 },
    );
    expect(result).toMatchObject({ status: "timeout", error: { name: "deadline_exceeded" } });
    expect("value" in result).toBe(false);
    expect(seen?.aborted).toBe(true);
    expect(pool.running).toBe(0);
  });

  it("C-19 a cancelled task is canceled, whether it runs or waits", async () => {
    const pool = createPool({ maxConcurrentTasks: 1, maxQueuedTasks: 1 });
    const cancel = new AbortController();
    let ran = 0;
    const running = pool.run(
      (signal) => new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason))),
      {
        signal: cancel.signal,
        deadlineMs: 60_000,
      },
    );
    const waiting = pool.run(async () => void ran++, { signal: cancel.signal, deadlineMs: 60_000 });
    cancel.abort();
    expect((await running).status).toBe("canceled");
    expect((await waiting).status).toBe("canceled");
    expect(ran).toBe(0);
    expect(pool.queued).toBe(0);
  });

  it("C-13 C-20 a failure has an error and no value, and never the words of an unforeseen one", async () => {
    const reported: unknown[] = [];
    const pool = createPool({ maxConcurrentTasks: 1, maxQueuedTasks: 1, onError: (error) => reported.push(error) });
    const options = { signal: never, deadlineMs: 60_000 };
    const known = await pool.run(() => Promise.reject(new ResearchError("search_failed", "why")), options);
    const unknown = await pool.run(() => Promise.reject(new Error("secret words")), options);
    expect(known).toMatchObject({ status: "error", error: { name: "search_failed", message: "why" } });
    expect(unknown).toMatchObject({ status: "error", error: { name: "internal_error" } });
    expect(JSON.stringify(unknown)).not.toContain("secret words");
    expect(reported).toHaveLength(1);
    expect(outcomeSchema.safeParse(known).success).toBe(true);
  });
});
