// `rudder task|epic|prd remove`: not from under a holder, not from under what waits for it, and no id twice.
import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../src/index.ts";
import { projectForTest, taskPath, taskText } from "../haven-under-test.ts";

const claim = ["assign", "claim", "T001", "--quiet"];

describe("remove", () => {
  it("RU-08 deletes a task by the built bin; its id is not given again, its lines stay in its epic's log", async () => {
    const test = await projectForTest(3);
    await test.json(["task", "log", "T003", "a tip for all", "--tip"]);
    const done = await test.bin(["task", "remove", "t3"], { RUDDER_AGENT: "lead" });
    expect(done).toMatchObject({ code: 0, stdout: "T003  removed: Task 3\n" });
    expect(await test.run(["task", "show", "T003"])).toMatchObject({
      exitCode: 1,
      json: { error: { code: "not_found" } },
    });
    expect((await test.json(["task", "create", "E001", "Next"])).id).toBe("T004");
    expect(test.read("memory/E001.log")).toMatch(
      /\[T003\] \[TIP\] a tip for all[\s\S]*\[T003\] \[WARN\] Removed: Task 3/,
    );
    expect(
      (await test.json(["task", "show-memory", "T001"])).epic_log.map((line: { message: string }) => line.message),
    ).toContain("a tip for all");
    expect(test.read("runs/audit.jsonl")).toMatch(/"event":"removed","taskId":"T003","by":"lead"/);
  });

  it("X-63 the audit has a change as forced only where nothing but --force allowed it", async () => {
    const test = await projectForTest(2);
    const last = () => JSON.parse(test.read("runs/audit.jsonl").trimEnd().split("\n").at(-1) ?? "");
    await test.json(["task", "remove", "T002", "--force"]);
    expect(last()).toMatchObject({ event: "removed" });
    expect(last()).not.toHaveProperty("forced");
    await test.json(["epic", "update", "E001", "--title", "Pay", "--force"]);
    expect(last()).not.toHaveProperty("forced");
    await test.json(["epic", "update", "E001", "--status", "done", "--force"]);
    expect(last()).toMatchObject({ event: "updated", forced: true });
  });

  it("X-63 is refused under a live lease, the holder's own too, and takes it with --force", async () => {
    const test = await projectForTest(1);
    await test.json(claim, { agent: "ada" });
    const others = await test.run(["task", "remove", "T001"], { agent: "bob" });
    expect(others).toMatchObject({ exitCode: 1, json: { error: { code: "held", holder: "ada" } } });
    expect((await test.run(["task", "remove", "T001"], { agent: "ada" })).text).toContain("T001 is held by you");
    expect(test.read(taskPath(1))).toContain("In Progress");
    expect((await test.run(["task", "remove", "T001", "--force"], { agent: "bob" })).exitCode).toBe(0);
    expect(test.read("memory/E001.log")).toContain("Removed: Task 1 (forced: ada held it)");
    expect(test.read("runs/audit.jsonl")).toContain('"forced":true');
    expect(await test.json(["assign", "list"])).toEqual([]);
    const late = await test.run(["task", "log", "T001", "late"], { agent: "ada" });
    expect(late).toMatchObject({ exitCode: 1, json: { error: { code: "not_found" } } });
  });

  it("X-63 a former holder's late remove is refused as lost", async () => {
    const test = await projectForTest(1);
    const late: Clock = () => {
      const now = systemClock();
      return { ...now, monotonicMs: now.monotonicMs + 31 * 60_000, wallMs: now.wallMs + 31 * 60_000 };
    };
    await test.json(claim, { agent: "ada" });
    await test.json(claim, { agent: "bob", clock: late });
    const refused = await test.run(["task", "remove", "T001"], { agent: "ada", clock: late });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "lost", holder: "bob" } } });
    expect(test.read(taskPath(1))).toContain("In Progress");
  });

  it("X-63 an agent has no --force", async () => {
    const test = await projectForTest(1);
    await test.json(claim, { agent: "ada" });
    const refused = await test.run(["task", "remove", "T001", "--force"], {
      env: test.env({ RUDDER_AGENT: "bob", RUDDER_AGENT_MARK: "m" }),
    });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "denied" } } });
  });

  it("X-24 is refused while others wait for it, and names them; --force ends the wait", async () => {
    const test = await projectForTest(3);
    test.write(taskPath(2), taskText(2, { blocked_by: "[T1]" }));
    test.write(taskPath(3), taskText(3, { blocked_by: "[T001, T002]" }));
    const refused = await test.run(["task", "remove", "T001"]);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "needed", dependents: ["T002", "T003"] } } });
    expect(refused.text).toContain("T002, T003 wait for T001");
    expect((await test.json(["task", "remove", "T001", "--force"])).freed).toEqual(["T002", "T003"]);
    expect((await test.json(["task", "show", "T003"])).blocked_by).toEqual(["T002"]);
    expect(test.read("memory/T002.log")).toContain("no longer waits for T001, which was removed");
    expect((await test.json(["deps", "validate"])).findings).toEqual([]);
  });

  it("X-24 epics and PRDs go when they are empty; archived work counts", async () => {
    const test = await projectForTest(1);
    for (const words of [
      ["epic", "remove", "E001"],
      ["prd", "remove", "PRD-001"],
      ["prd", "remove", "PRD-001", "--force"],
    ]) {
      expect(await test.run(words), words.join(" ")).toMatchObject({
        exitCode: 1,
        json: { error: { code: "not_empty" } },
      });
    }
    await test.json(["task", "done", "T001"]);
    await test.json(["archive", "T001", "--apply"]);
    expect((await test.run(["epic", "remove", "E001"])).text).toContain("T001 (archived)");
    await test.json(["archive", "--restore", "T001"]);
    await test.json(["task", "remove", "T001"]);
    await test.json(["epic", "remove", "E001"]);
    await test.json(["prd", "remove", "PRD-001"]);
    expect(await test.json(["status"])).toMatchObject({ prds: { total: 0 }, epics: { total: 0 }, tasks: { total: 0 } });
    expect((await test.json(["prd", "create", "Next"])).id).toBe("PRD-002");
  });
});
