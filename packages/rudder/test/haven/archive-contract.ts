// What every haven store promises about artefacts that go: removed, archived and brought back. Every store runs this
// suite beside store-contract.ts.
import { describe, expect, it } from "vitest";
import { type HavenStore, RudderError } from "../../src/index.ts";

type Open = () => Promise<{ store: HavenStore; again: () => HavenStore }>;

const claim = (store: HavenStore, taskId: string, name: string) =>
  store.change(async (step) => {
    const { state, nowMs } = await step.task(taskId);
    const lease = {
      taskId,
      holder: { kind: "name" as const, name },
      token: 1,
      operation: "work",
      startedAtMs: nowMs,
      expiresAtMs: nowMs + 60_000,
      ttlMs: 60_000,
      pid: 1,
      isHolderGone: false,
    };
    await step.putTask({ ...state, status: "In Progress", lease, lastToken: 1 });
  });

/** Runs the suite on haven stores with the tasks T001, T002 and T003 of E001. */
export function describeArchive(name: string, open: Open): void {
  describe(`the store contract of what goes: ${name}`, () => {
    const idsOf = async (store: HavenStore) => (await store.snapshot()).artefacts.map(({ id }) => id);

    it("RU-08 a removed artefact is gone with its lease, and its id is not given again", async () => {
      const { store, again } = await open();
      await claim(store, "T003", "ada");
      await store.change(async (step) => step.removeArtefact(await step.artefact("T003")));
      expect(await idsOf(again())).not.toContain("T003");
      expect(await again().lease("T003")).toBeUndefined();
      await expect(again().artefact("T003")).rejects.toMatchObject({ code: "not_found" });
      expect(await again().change((step) => step.nextId("task"))).toBe("T004");
    });

    it("X-66 an archived artefact is in no query but those of the archive, byte for byte", async () => {
      const { store, again } = await open();
      const before = await store.artefact("T002");
      await claim(store, "T002", "ada");
      await store.change(async (step) => step.moveArtefact(await step.artefact("T002"), "archive"));
      const other = again();
      expect(await idsOf(other)).not.toContain("T002");
      expect((await other.find(["T002"])).size).toBe(0);
      expect((await other.tasksOf("E001")).map(({ id }) => id)).not.toContain("T002");
      expect(await other.lease("T002")).toBeUndefined();
      expect(await other.archivedIds()).toEqual(["T002"]);
      expect(await other.archived("T002")).toMatchObject({ id: "T002", text: before.text, kind: "task" });
      expect((await other.archived("T002"))?.artefact).toMatchObject({ epic: "E001", prd: "PRD-001" });
      expect(await other.archived("T001")).toBeUndefined();
    });

    it("X-66 what is archived is changed by nothing, and the refusal names the way back", async () => {
      const { store } = await open();
      await store.change(async (step) => step.moveArtefact(await step.artefact("T002"), "archive"));
      const refused = await store.change((step) => step.task("T002")).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(RudderError);
      expect(refused).toMatchObject({ code: "archived", hint: expect.stringContaining("--restore T002") });
    });

    it("X-66 what was brought back is as it was, and where it was", async () => {
      const { store, again } = await open();
      const before = await store.artefact("T002");
      await store.change(async (step) => step.moveArtefact(await step.artefact("T002"), "archive"));
      await store.change(async (step) => {
        const stored = await step.archived("T002");
        if (stored !== undefined) await step.moveArtefact(stored, "live");
      });
      expect(await again().archivedIds()).toEqual([]);
      expect(await again().artefact("T002")).toMatchObject({ text: before.text, path: before.path });
    });

    it("RU-08 counters know what was given, and can be raised and never lowered", async () => {
      const { store, again } = await open();
      expect(await store.counters()).toMatchObject({ prd: 1, epic: 1, task: 3 });
      await store.change((step) => step.raiseCounter("task", 41));
      await store.change((step) => step.raiseCounter("task", 7));
      expect((await again().counters()).task).toBe(41);
      expect(await again().change((step) => step.nextId("task"))).toBe("T042");
    });

    it("RU-08 an id that only its artefact had counted is not given again when it is archived", async () => {
      const { store, again } = await open();
      await store.change((step) => step.nextId("epic")); // the other counters are written, too
      await store.change(async (step) => step.moveArtefact(await step.artefact("T003"), "archive"));
      expect(await again().change((step) => step.nextId("task"))).toBe("T004");
    });

    it("RU-08 an artefact that is made in the archive keeps its id", async () => {
      const { store, again } = await open();
      const { text, path } = await store.artefact("T003");
      await store.change(async (step) => {
        await step.nextId("epic");
        await step.createArtefact({ id: "T009", path: `archive/${path.replace("T003", "T009")}`, text });
      });
      expect(await again().archivedIds()).toEqual(["T009"]);
      expect(await again().change((step) => step.nextId("task"))).toBe("T010");
    });

    it("RU-09 lines that a change appends are synced by the same change, each once", async () => {
      const { store, again } = await open();
      const line = (message: string) => ({ at: "2026-01-01T00:00:00.000Z", level: "info" as const, message });
      await store.change((step) => step.appendLog("T001", line("before")));
      await store.change(async (step) => {
        await step.appendLog("E001", { ...line("of another"), taskId: "T002" });
        await step.appendLog("T001", line("now"));
        await step.syncLog("T001", "E001");
        await step.appendLog("E001", { ...line("after"), taskId: "T002" });
      });
      expect((await again().log("E001")).map(({ message }) => message)).toEqual([
        "of another",
        "before",
        "now",
        "after",
      ]);
      expect(await again().unsyncedLog(["T001"])).toEqual([]);
    });

    it("RU-10 noted ids are those with memory or lines, whether their artefact is there or not", async () => {
      const { store, again } = await open();
      await store.change(async (step) => {
        await step.writeMemory("E001", "# Memory\n");
        await step.appendLog("T009", { at: "2026-01-01T00:00:00.000Z", level: "info", message: "gone" });
      });
      expect((await again().notedIds()).filter((id) => id !== "project")).toEqual(["E001", "T009"]);
    });
  });
}
