// The archive in files: the contract, and what only files can do to it.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFileStore } from "../../src/index.ts";
import { projectForTest, taskPath, taskText } from "../haven-under-test.ts";
import { describeArchive } from "./archive-contract.ts";

describeArchive("files", async () => {
  const { haven } = await projectForTest(3);
  const open = () => openFileStore({ haven });
  return { store: open(), again: open };
});

describe("the archive in files", () => {
  it("RU-08 a lost counter does not give the id of an archived task again", async () => {
    const test = await projectForTest(3);
    const store = openFileStore({ haven: test.haven });
    await store.change(async (step) => step.moveArtefact(await step.artefact("T003"), "archive"));
    rmSync(join(test.haven, "state.json"), { force: true });
    expect(await openFileStore({ haven: test.haven }).change((step) => step.nextId("epic"))).toBe("E002");
    expect(await openFileStore({ haven: test.haven }).change((step) => step.nextId("task"))).toBe("T004");
  });

  it("X-66 a person's edit while a task is being archived is not lost", async () => {
    const test = await projectForTest(1);
    const store = openFileStore({ haven: test.haven });
    const edited = taskText(1, { title: "Edited meanwhile" });
    let isEdited = false;
    await store.change(async (step) => {
      const stored = await step.artefact("T001");
      if (!isEdited) test.write(taskPath(1), edited);
      isEdited = true;
      await step.moveArtefact(stored, "archive");
    });
    expect((await store.archived("T001"))?.text).toBe(edited);
  });

  it.each(["staged", "journaled", "half", "applied"] as const)(
    "X-54 a kill at '%s' leaves a task live or archived, never both or neither",
    async (point) => {
      const test = await projectForTest(1);
      const dying = openFileStore({
        haven: test.haven,
        crash: (at) => {
          if (at === point) throw new Error("killed");
        },
      });
      await dying.change(async (step) => step.moveArtefact(await step.artefact("T001"), "archive")).catch(() => {});
      const store = openFileStore({ haven: test.haven });
      await store.change((step) => step.nextId("epic"));
      const live = (await store.snapshot()).artefacts.filter(({ id }) => id === "T001").length;
      expect([live, (await store.archivedIds()).length]).toEqual(
        point === "staged" || point === "journaled" ? [1, 0] : [0, 1],
      );
    },
  );
});
