// What every haven store promises. Whoever makes another store runs this suite on it.
import { describe, expect, it } from "vitest";
import { applyTaskCommand } from "../../src/actions/task-command.ts";
import { type HavenStore, type Lease, type LogLine, RudderError, systemClock } from "../../src/index.ts";

const line = (message: string): LogLine => ({ at: "2026-01-01T00:00:00.000Z", level: "tip", message });

export function describeStore(name: string, open: () => Promise<{ store: HavenStore; again: () => HavenStore }>): void {
  describe(`the store contract: ${name}`, () => {
    it("X-30 of many claims at once exactly one is granted", async () => {
      const { store, again } = await open();
      const stores = [store, again(), again()];
      const context = { clock: systemClock, projectHash: "p" };
      const claims = Array.from({ length: 30 }, (_, n) => {
        const by = { kind: "name" as const, name: `agent-${n}` };
        const command = { kind: "claim" as const, by, ttlMs: 60_000, operation: "x", pid: 1 };
        const at = stores[n % stores.length] ?? store;
        return at.change((step) => applyTaskCommand(step, { taskId: "T001", command }, context));
      });
      const settled = await Promise.allSettled(claims);
      const granted = settled.filter((one) => one.status === "fulfilled");
      expect(granted).toHaveLength(1);
      const refused = settled.filter((one) => one.status === "rejected").map((one) => one.reason);
      expect(refused.every((error) => error instanceof RudderError && error.code === "held")).toBe(true);
    });

    it("X-54 a lease that was put is there for every reader, and gone when it is removed", async () => {
      const { store, again } = await open();
      const lease: Lease = {
        taskId: "T002",
        holder: { kind: "name", name: "a: b # c" },
        operation: "x",
        startedAtMs: 1_700_000_000_000,
        pid: 3,
        bootId: "b",
        host: "h",
        expiresMonotonicMs: 5,
        expiresAtMs: 1_700_000_001_000,
        ttlMs: 1_000,
      };
      await store.change((step) => step.putLease(lease));
      expect(await again().lease("T002")).toEqual(lease);
      expect((await again().leases()).leases).toContainEqual(lease);
      await again().change((step) => step.removeLease("T002"));
      expect(await store.lease("T002")).toBeUndefined();
    });

    it("RU-09 appended lines are there in order, before and after a sync, each once", async () => {
      const { store, again } = await open();
      for (const n of [1, 2, 3]) await store.change((step) => step.appendLog("T001", line(`line ${n}`)));
      const messages = async () => (await again().log("T001")).map((one) => one.message);
      expect(await messages()).toEqual(["line 1", "line 2", "line 3"]);
      expect((await store.unsyncedLog(["T001", "T002"])).map((one) => one.taskId)).toEqual(["T001", "T001", "T001"]);
      expect(await store.change((step) => step.syncLog("T001", "E001"))).toBe(3);
      expect(await messages()).toEqual(["line 1", "line 2", "line 3"]);
      await store.change((step) => step.appendLog("T001", line("line 4")));
      expect(await messages()).toEqual(["line 1", "line 2", "line 3", "line 4"]);
      expect((await again().log("E001")).map((one) => one.taskId)).toEqual(["T001", "T001", "T001"]);
      expect(await store.change((step) => step.syncLog("T001", "E001"))).toBe(1);
      expect(await messages()).toEqual(["line 1", "line 2", "line 3", "line 4"]);
      expect(await store.change((step) => step.pendingLogs())).toEqual([]);
    });

    it("RU-08 ids are never given twice, also when many ask at once", async () => {
      const { store, again } = await open();
      const other = again();
      const ids = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? store : other).change((step) => step.nextId("task"))),
      );
      expect(new Set(ids).size).toBe(20);
    });

    it("X-30 a step that throws fails alone; those behind it run", async () => {
      const { store } = await open();
      const bad = store.change(async () => {
        throw new RangeError("mine");
      });
      const good = store.change((step) => step.nextId("epic"));
      await expect(bad).rejects.toThrow("mine");
      await expect(good).resolves.toMatch(/^E\d+$/);
    });

    it("X-30 a change that was aborted before its turn is not made", async () => {
      const { store } = await open();
      const stop = new AbortController();
      const first = store.change(async () => stop.abort());
      const second = store.change((step) => step.appendLog("T003", line("never")), { signal: stop.signal });
      await first;
      await expect(second).rejects.toThrow();
      expect(await store.log("T003")).toEqual([]);
    });
  });
}
