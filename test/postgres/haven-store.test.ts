// The haven store in PostgreSQL: the contract of every haven store, as a command opens it and as a server does.
import { describe, expect, it, onTestFinished } from "vitest";
import { type HavenStore, openPostgresStore } from "../../packages/rudder/src/index.ts";
import { commandTask } from "../../packages/rudder/src/tasks/change-task.ts";
import { claim } from "../../packages/rudder/src/tasks/leases/leases.ts";
import type { TaskSession } from "../../packages/rudder/src/tasks/session.ts";
import { describeArchive } from "../../packages/rudder/test/haven/archive-contract.ts";
import { type Crash, describeStore } from "../../packages/rudder/test/haven/store-contract.ts";
import { cuttingProxy } from "./cutting-proxy.ts";
import { openForTest } from "./database-under-test.ts";
import { dieAt, HAVEN_ID, havenForTest, openStore } from "./haven-under-test.ts";

/** A database knows two places to die: before it was given the change, and after. */
const POINTS: Readonly<Record<Crash, string>> = {
  staged: "before-commit",
  journaled: "committed",
  half: "committed",
  applied: "committed",
};

for (const isLive of [false, true]) {
  const name = isLive ? "PostgreSQL of a server" : "PostgreSQL";
  describeStore(name, async () => {
    const url = await havenForTest(5);
    // A clock of a machine that is wrong changes nothing here; only time that has passed does.
    const again = ({ aheadMs = 0 } = {}) => openStore(url, { aheadMs, isLive });
    return { store: again(), again, dieAt: (crash) => dieAt(url, POINTS[crash]) };
  });
  describeArchive(name, async () => {
    const url = await havenForTest(3);
    return { store: openStore(url, { isLive }), again: () => openStore(url, { isLive }) };
  });
}

describe("round trips", () => {
  const ada = { kind: "name", name: "ada" } as const;
  const session = (store: HavenStore) => ({ store, projectHash: "p", signal: undefined });

  it("X-65 a claim costs at most four, a log line at most three, with blockers and with the answer of its operation", async () => {
    const url = await havenForTest(5);
    const database = openForTest(url);
    const store = openPostgresStore({ database, id: HAVEN_ID, haven: "/nowhere" });
    await store.changeTask("T002", ({ stored }) => ({
      kind: "changed",
      value: null,
      effects: { text: stored.text.replace("blocked_by: []", "blocked_by: [T003, T004]"), audit: { event: "edited" } },
    }));
    const costOf = async (work: () => Promise<unknown>): Promise<number> => {
      const before = database.roundTrips;
      await work();
      return database.roundTrips - before;
    };
    const claimOf = (id: string) => () =>
      claim({ ...session(store), caller: ada, ttlMs: 60_000 } as unknown as TaskSession, {
        id,
        operation: "x",
        quiet: true,
        force: false,
      });
    expect(await costOf(claimOf("T001"))).toBeLessThanOrEqual(4);
    const blocked = costOf(() => claimOf("T002")().catch(() => {}));
    expect(await blocked).toBeLessThanOrEqual(4);
    const command = { kind: "write", what: "log", by: ada } as const;
    const line = { at: "2026-01-01T00:00:00.000Z", level: "tip", message: "x" } as const;
    const log = () =>
      commandTask(session(store), { taskId: "T001", command, extra: () => ({ value: 1, lines: [line] }) });
    expect(await costOf(log)).toBeLessThanOrEqual(3);
    expect(await costOf(() => store.artefact("T001"))).toBe(1);
  });
});

it("X-65 a change whose answer was lost with the connection is made once, and its outcome comes back", async () => {
  const url = await havenForTest(3);
  const proxy = await cuttingProxy(url);
  onTestFinished(() => proxy.close());
  const store = openStore(proxy.url);
  const line = (n: number) => ({ at: "2026-01-01T00:00:00.000Z", level: "tip", message: `line ${n}` }) as const;
  await store.change((step) => step.appendLog("T001", line(0)));
  for (let n = 1; n <= 12; n++) {
    // The server gets what is sent, and its answer goes nowhere; for one task alone, and with the haven held.
    const arm = n % 2 === 0 ? "COMMIT" : "jeeves_change_tasks";
    proxy.cutAfter(arm);
    const made =
      n % 2 === 0
        ? store.change(async (step) => {
            await step.appendLog("T001", line(n));
            return n;
          })
        : store
            .changeTask("T001", () => ({
              kind: "changed",
              value: n,
              effects: { lines: [line(n)], audit: { event: "logged" } },
            }))
            .then((settled) => (settled.kind === "done" ? settled.value : undefined));
    expect(await made).toBe(n);
  }
  expect(proxy.cuts).toBe(12);
  const messages = (await openStore(url).log("T001")).map(({ message }) => message);
  expect(messages).toEqual(Array.from({ length: 13 }, (_, n) => `line ${n}`));
});

it("X-65 a database that is down is waited for within the call's limit, and then named", async () => {
  const url = await havenForTest(1);
  const proxy = await cuttingProxy(url);
  onTestFinished(() => proxy.close());
  const database = openForTest(proxy.url);
  const store = openPostgresStore({ database, id: HAVEN_ID, haven: "/nowhere", waitMs: 300 });
  await store.artefact("T001");
  proxy.refuse(true);
  await expect(store.artefact("T001")).rejects.toMatchObject({
    code: "no_database",
    message: expect.stringMatching(/waited/),
  });
  // The next one does not wait as long again: a command makes several calls.
  const tried = proxy.connections;
  await expect(store.change((step) => step.nextId("task"))).rejects.toMatchObject({ code: "no_database" });
  expect(proxy.connections - tried).toBe(1);
  proxy.refuse(false);
  expect(await store.change((step) => step.nextId("task"))).toBe("T002");
});
