// What every haven store promises about epics and PRDs that are Done: a part of store-contract.ts.
import { describe, expect, it } from "vitest";
import type { HavenStore } from "../../src/index.ts";
import { type CreateRequest, create } from "../../src/tasks/artefacts/create.ts";
import { setStatus, type UpdateRequest, update } from "../../src/tasks/artefacts/update.ts";
import { release } from "../../src/tasks/leases/leases.ts";
import type { TaskSession } from "../../src/tasks/session.ts";

type Open = () => Promise<{ readonly store: HavenStore; again(): HavenStore }>;

const session = (store: HavenStore, name = "ada") =>
  ({
    store,
    caller: { kind: "name", name },
    ttlMs: 60_000,
    projectHash: "p",
    env: {},
    isServed: false,
    nextOperation: () => undefined,
  }) as unknown as TaskSession;

const made = (kind: CreateRequest["kind"], parent: string): CreateRequest => ({
  kind,
  parent,
  title: "late",
  tags: [],
  targets: {},
});

/** Runs the suite on haven stores with PRD-001, E001 and the tasks T001 to T005. */
export function describeDone(open: Open): void {
  const setTo = (store: HavenStore, kind: UpdateRequest["kind"], id: string, status: string, force = false) =>
    update(session(store), { kind, id, options: { status, force } });
  const statusesOf = async (store: HavenStore) =>
    [...(await store.find(["PRD-001", "E001"])).values()].map((one) => one.status);

  /** Everything Done, from below. */
  async function allDone(store: HavenStore): Promise<void> {
    for (const { id } of await store.tasksOf("E001")) await setTo(store, "task", id, "done");
    await setTo(store, "epic", "E001", "done");
    await setTo(store, "prd", "PRD-001", "done");
    expect(await statusesOf(store)).toEqual(["Done", "Done"]);
  }

  describe("epics and PRDs that are Done", () => {
    it("RU-06 a PRD with open epics is not Done: they are named, and a person may force it", async () => {
      const { store, again } = await open();
      await expect(setTo(store, "prd", "PRD-001", "done")).rejects.toMatchObject({
        code: "open_tasks",
        details: { open: ["E001"] },
      });
      expect(await statusesOf(again())).not.toContain("Done");
      await setTo(store, "prd", "PRD-001", "done", true);
      expect((await statusesOf(again()))[0]).toBe("Done");
    });

    it("RU-06 a new task opens its Done epic and PRD again, and so does a new epic", async () => {
      const { store, again } = await open();
      await allDone(store);
      expect(await create(session(store), made("task", "E001"))).toMatchObject({ reopened: ["E001", "PRD-001"] });
      expect(await statusesOf(again())).toEqual(["In Progress", "In Progress"]);
      expect(await create(session(store), made("task", "E001"))).toMatchObject({ reopened: [] });
      await setTo(store, "prd", "PRD-001", "done", true);
      expect(await create(session(again()), made("epic", "PRD-001"))).toMatchObject({ reopened: ["PRD-001"] });
    });

    it.each([
      ["update", (store: HavenStore) => setTo(store, "task", "T001", "todo")],
      [
        "a command of its own",
        (store: HavenStore) => setStatus(session(store), { id: "T001", status: "Blocked", reason: "" }),
      ],
    ])("RU-06 a task that is opened again by %s opens its Done epic and PRD in the same change", async (_by, act) => {
      const { store, again } = await open();
      await allDone(store);
      const { last } = await store.changesSince(0);
      expect(await act(store)).toMatchObject({ reopened: ["E001", "PRD-001"] });
      expect(await statusesOf(again())).toEqual(["In Progress", "In Progress"]);
      expect((await store.snapshot()).artefacts.filter(({ status }) => status === "Done")).toHaveLength(4);
      expect((await again().changesSince(last)).changes).toMatchObject([{ id: "T001" }]);
    });

    it("RU-06 an epic that is opened again opens its Done PRD, and a task that is cancelled opens nothing", async () => {
      const { store, again } = await open();
      await allDone(store);
      expect(await setTo(store, "task", "T001", "cancelled")).toMatchObject({ reopened: [] });
      expect(await statusesOf(again())).toEqual(["Done", "Done"]);
      expect(await setTo(store, "epic", "E001", "wip")).toMatchObject({ reopened: ["PRD-001"] });
      expect(await statusesOf(again())).toEqual(["In Progress", "In Progress"]);
    });

    it("X-30 a task that waits is started by no one who could not claim it; a person may force it", async () => {
      const { store, again } = await open();
      await store.changeTask("T002", ({ stored }) => ({
        kind: "changed",
        value: null,
        effects: { text: stored.text.replace("blocked_by: []", "blocked_by: [T001]"), audit: { event: "edited" } },
      }));
      const start = { id: "T002", status: "In Progress", reason: "" } as const;
      const refusal = { code: "blocked", details: { waits_for: ["T001"] } };
      await expect(setStatus(session(store), start)).rejects.toMatchObject(refusal);
      await expect(setTo(again(), "task", "T002", "wip")).rejects.toMatchObject(refusal);
      await setTo(store, "task", "T002", "blocked");
      await expect(setStatus(session(store), start)).rejects.toMatchObject(refusal);
      await setStatus(session(store), { ...start, force: true });
      expect((await again().log("T002")).map((one) => one.message)).toEqual([
        "Forced by ada: set-status (it waits for T001)",
      ]);
      await expect(release(session(store), { id: "T002" })).rejects.toMatchObject({ code: "not_held" });
      await setTo(store, "task", "T002", "todo");
      await setTo(store, "task", "T001", "done");
      expect(await setStatus(session(again()), start)).toMatchObject({ status: "In Progress" });
    });
  });
}
