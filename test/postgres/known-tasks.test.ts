// What a server knows of tasks saves round trips, and never decides alone: what another machine has changed is seen.
import { expect, it } from "vitest";
import { type HavenStore, openPostgresStore, RudderError } from "../../packages/rudder/src/index.ts";
import { commandTask } from "../../packages/rudder/src/tasks/change-task.ts";
import { claim } from "../../packages/rudder/src/tasks/leases/leases.ts";
import type { TaskSession } from "../../packages/rudder/src/tasks/session.ts";
import { openForTest } from "./database-under-test.ts";
import { HAVEN_ID, havenForTest, openStore } from "./haven-under-test.ts";

const TTL_MS = 60_000;

const sessionOf = (store: HavenStore, name: string): TaskSession =>
  ({ store, projectHash: "p", signal: undefined, caller: { kind: "name", name }, ttlMs: TTL_MS }) as TaskSession;
const claimAs = (store: HavenStore, id: string, name: string) =>
  claim(sessionOf(store, name), { id, operation: "x", quiet: true, force: false });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof RudderError ? error.code : String(error)),
  );
const edit = (store: HavenStore, id: string, from: string, to: string) =>
  store.changeTask(id, ({ stored }) => ({
    kind: "changed",
    value: null,
    effects: { text: stored.text.replace(from, to), audit: { event: "edited" } },
  }));

/** A server, and what its calls cost. */
async function serverForTest(count: number) {
  const url = await havenForTest(count);
  const database = openForTest(url);
  const server = openPostgresStore({ database, id: HAVEN_ID, haven: "/nowhere", isLive: true });
  const costOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = database.roundTrips;
    await work();
    return database.roundTrips - before;
  };
  return { server, other: openStore(url), costOf };
}

it("X-65 a claim of a task that the server knows is one round trip, and of one that has changed at most four", async () => {
  const { server, other, costOf } = await serverForTest(5);
  await claimAs(server, "T001", "ada");
  expect(await costOf(() => claimAs(server, "T001", "ada"))).toBe(1);
  await edit(other, "T001", "title: ", "title: New ");
  expect(await costOf(() => claimAs(server, "T001", "ada"))).toBeLessThanOrEqual(4);
  expect((await server.artefact("T001")).text).toContain("title: New ");
});

it("X-65 changes that come in at the same time go together, each with its own outcome", async () => {
  const { server, costOf } = await serverForTest(40);
  const ids = Array.from({ length: 40 }, (_, at) => `T${String(at + 1).padStart(3, "0")}`);
  const outcomes: string[] = [];
  const cost = await costOf(async () => {
    outcomes.push(...(await Promise.all(ids.map((id) => codeOf(claimAs(server, id, "ada"))))));
    outcomes.push(await codeOf(claimAs(server, "T001", "bob")));
  });
  expect(outcomes).toEqual([...ids.map(() => "done"), "held"]);
  expect(cost).toBeLessThan(20);
  const { changes, last } = await server.changesSince(0);
  expect(changes.slice(-40).map(({ seq }) => seq)).toEqual(ids.map((_, at) => last - 39 + at));
  expect(changes.slice(-40).map(({ id }) => id)).toEqual(ids);
});

it("X-63 a server that knew a task as free sees the lease that another machine has given since", async () => {
  const { server, other } = await serverForTest(3);
  await claimAs(server, "T001", "ada");
  await commandTask(sessionOf(server, "ada"), {
    taskId: "T001",
    command: { kind: "release", by: { kind: "name", name: "ada" }, status: "Not Started" },
  });
  await claimAs(other, "T001", "bob");
  expect(await codeOf(claimAs(server, "T001", "ada"))).toBe("held");
  const late = commandTask(sessionOf(server, "ada"), {
    taskId: "T001",
    command: { kind: "write", what: "edit", by: { kind: "name", name: "ada" } },
    extra: (text) => ({ value: 1, text: `${text}late\n` }),
  });
  expect(await codeOf(late)).toBe("held");
  expect((await other.artefact("T001")).text).not.toContain("late");
});

it("X-65 a server that knew a blocker as done sees that another machine has opened it again", async () => {
  const { server, other } = await serverForTest(3);
  await edit(other, "T002", "blocked_by: []", "blocked_by: [T003]");
  await edit(other, "T003", "status: Not Started", "status: Done");
  const log = () =>
    commandTask(sessionOf(server, "ada"), {
      taskId: "T002",
      command: { kind: "write", what: "log", by: { kind: "name", name: "ada" } },
      extra: () => ({ value: 1, lines: [{ at: "2026-01-01T00:00:00.000Z", level: "tip", message: "x" }] }),
    });
  await log();
  await log();
  await edit(other, "T003", "status: Done", "status: Not Started");
  expect(await codeOf(claimAs(server, "T002", "ada"))).toBe("blocked");
  await edit(other, "T003", "status: Not Started", "status: Done");
  expect(await codeOf(claimAs(server, "T002", "ada"))).toBe("done");
});

it("X-65 lines with a NUL, halves of characters and escapes come back as they were, from one batch", async () => {
  const { server } = await serverForTest(3);
  const logOf = (taskId: string, message: string) =>
    commandTask(sessionOf(server, "ada"), {
      taskId,
      command: { kind: "write", what: "log", by: { kind: "name", name: "ada" } },
      extra: () => ({ value: 1, lines: [{ at: "2026-01-01T00:00:00.000Z", level: "tip", message }] }),
    });
  const messages = ["a NUL \0 in it", "half \ud83d of one", "back\\u0000slash \\ud83d"];
  await Promise.all(messages.map((message, at) => logOf(`T00${at + 1}`, message)));
  const said = await Promise.all(messages.map(async (_, at) => (await server.log(`T00${at + 1}`))[0]?.message));
  expect(said).toEqual(messages);
});
