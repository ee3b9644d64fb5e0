// X-63 through the command line: who may write to a task that another caller holds, or that was lost.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../src/index.ts";
import { projectForTest, type TestHaven, taskPath, taskText } from "../haven-under-test.ts";

const MINUTE = 60_000;
const claim = ["assign", "claim", "T001", "--quiet"];
const late: Clock = () => {
  const now = systemClock();
  return { ...now, monotonicMs: now.monotonicMs + 31 * MINUTE, wallMs: now.wallMs + 31 * MINUTE };
};

/** T001 was ada's and is bob's now. */
async function lostByAda(): Promise<TestHaven> {
  const test = await projectForTest(2);
  expect((await test.json(claim, { agent: "ada" })).token).toBe(1);
  expect(await test.json(claim, { agent: "bob", clock: late })).toMatchObject({ event: "taken-over", token: 2 });
  return test;
}

const WRITES: readonly (readonly string[])[] = [
  ["assign", "release", "T001"],
  ["assign", "renew", "T001"],
  ["task", "update", "T001", "--title", "mine"],
  ["task", "done", "T001"],
  ["task", "block", "T001", "why"],
  ["artifact", "edit", "T001", "--section", "Notes", "--append", "late"],
  ["artifact", "check", "T001", "code"],
  ["deps", "add", "T001", "--blocked-by", "T002"],
  ["memory", "add", "T001", "late"],
];

describe("a former holder", () => {
  it.each([...WRITES, ["task", "log", "T001", "late"]])("X-63 is refused: rudder %s %s %s", async (...words) => {
    const test = await lostByAda();
    const before = test.read(taskPath(1));
    const refused = await test.run(words, { agent: "ada", clock: late });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "lost", holder: "bob" } } });
    expect(refused.text).toMatch(/^Lease lost: T001 is held by bob since \d{4}-/);
    expect(test.read(taskPath(1))).toBe(before);
    expect((await test.json(["assign", "list"]))[0]).toMatchObject({ holder: "bob", token: 2 });
  });

  it("X-63 may write again when the newer holder has released the task", async () => {
    const test = await lostByAda();
    await test.json(["assign", "release", "T001", "--status", "todo"], { agent: "bob", clock: late });
    expect((await test.run(["task", "log", "T001", "back"], { agent: "ada", clock: late })).exitCode).toBe(0);
    expect(await test.json(claim, { agent: "ada", clock: late })).toMatchObject({ event: "claimed", token: 3 });
  });

  it("X-63 a token that is not the lease's own is refused under the right name too", async () => {
    const test = await projectForTest(1);
    await test.json(claim, { agent: "ada" });
    await test.json(["assign", "release", "T001", "--status", "todo"], { agent: "ada" });
    await test.json(claim, { agent: "ada" });
    const stale = await test.run(["assign", "release", "T001", "--token", "1"], { agent: "ada" });
    expect(stale).toMatchObject({ exitCode: 1, json: { error: { code: "lost" } } });
    expect((await test.run(["assign", "renew", "T001", "--token", "2"], { agent: "ada" })).exitCode).toBe(0);
  });
});

describe("another caller", () => {
  it.each(WRITES.slice(2))("X-63 needs --force while the holder lives: rudder %s %s %s", async (...words) => {
    const test = await projectForTest(2);
    await test.json(claim, { agent: "ada" });
    const refused = await test.run(words, { agent: "bob" });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "held", holder: "ada" } } });
    expect((await test.run([...words, "--force"], { agent: "bob" })).exitCode).toBe(0);
    expect(test.read("memory/T001.log")).toContain("Forced by bob:");
    expect(test.read("runs/audit.jsonl")).toContain('"forced":true');
  });

  it("X-63 may log and show", async () => {
    const test = await projectForTest(1);
    await test.json(claim, { agent: "ada" });
    expect((await test.run(["task", "log", "T001", "hello"], { agent: "bob" })).exitCode).toBe(0);
    expect((await test.run(["task", "show", "T001"], { agent: "bob" })).exitCode).toBe(0);
  });

  it("X-63 an agent has no --force", async () => {
    const test = await projectForTest(1);
    await test.json(claim, { agent: "ada" });
    const env = test.env({ RUDDER_AGENT: "bob", RUDDER_AGENT_MARK: "m" });
    const refused = await test.run(["task", "done", "T001", "--force"], { env });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "denied" } } });
  });

  it("X-63 a task without a holder is open to all", async () => {
    const test = await projectForTest(2);
    for (const words of WRITES.slice(2)) expect((await test.run(words, { agent: "bob" })).exitCode).toBe(0);
  });
});

describe("rules of the project", () => {
  it("X-63 an epic with open tasks is not Done: they are named, and a person may force it", async () => {
    const test = await projectForTest(2);
    test.write(taskPath(1), taskText(1, { status: "Done" }));
    const refused = await test.run(["epic", "update", "E001", "--status", "done"]);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "open_tasks", open: ["T002"] } } });
    expect(refused.text).toContain("E001 has 1 open task: T002 (Not Started)");
    expect((await test.run(["epic", "update", "E001", "--status", "done", "--force"])).exitCode).toBe(0);
    test.write(taskPath(2), taskText(2, { status: "Cancelled" }));
    await test.json(["epic", "update", "E001", "--status", "wip"]);
    expect((await test.json(["epic", "update", "E001", "--status", "done"])).status).toBe("Done");
  });

  it("RU-06 a new or reopened task opens a Done epic and its PRD again, and the answer says so", async () => {
    const test = await projectForTest(1);
    const close = async () => {
      for (const [kind, id] of [
        ["task", "T001"],
        ["epic", "E001"],
        ["prd", "PRD-001"],
      ] as const)
        await test.json([kind, "update", id, "--status", "done"]);
    };
    const again = ["E001 was Done, and is In Progress again", "PRD-001 was Done, and is In Progress again"];
    await close();
    expect(await test.run(["task", "update", "T001", "--status", "todo"])).toMatchObject({ notes: again });
    await close();
    expect(await test.run(["task", "block", "T001", "a key"])).toMatchObject({ notes: again });
    await close();
    writeFileSync(join(test.dir, "plan.md"), "# Shop\n\n## Checkout\n\n### Late\n");
    await test.json(["plan", join(test.dir, "plan.md"), "--apply"]);
    const left = async () => [
      (await test.json(["epic", "show", "E001"])).status,
      (await test.json(["prd", "show", "PRD-001"])).status,
    ];
    expect(await left()).toEqual(["In Progress", "In Progress"]);
    await test.json(["task", "done", "T002"]);
    await close();
    const { notes, json } = await test.run(["task", "create", "E001", "late"]);
    expect(notes).toEqual(again);
    expect(json).toMatchObject({ id: "T003", reopened: ["E001", "PRD-001"] });
    expect(await test.json(["deps", "validate"])).toMatchObject({ findings: [] });
  });

  it("RU-16 an epic or a PRD that is Done above open work is named, also after an edit by hand", async () => {
    const test = await projectForTest(2);
    await test.json(["epic", "update", "E001", "--status", "done", "--force"]);
    const prd = "artefacts/prds/PRD-001-shop/prd.md";
    const found = async () => (await test.json(["deps", "validate"])).findings;
    expect(await found()).toMatchObject([
      {
        code: "done_above_open",
        id: "E001",
        message: expect.stringContaining("E001 is Done, but T001, T002 are open"),
      },
    ]);
    await test.json(["epic", "update", "E001", "--status", "wip"]);
    test.write(prd, test.read(prd).replace("In Progress", "Done"));
    expect(await found()).toMatchObject([
      {
        code: "done_above_open",
        id: "PRD-001",
        message: expect.stringContaining("rudder prd update PRD-001 --status wip"),
      },
    ]);
  });

  it("X-63 a task that waits for others is not claimed: they are named, and a person may force it", async () => {
    const test = await projectForTest(2);
    await test.json(["deps", "add", "T001", "--blocked-by", "T002"]);
    const refused = await test.run(claim, { agent: "ada" });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "blocked", waits_for: ["T002"] } } });
    expect(refused.text).toContain("T001 waits for T002");
    expect((await test.json([...claim, "--force"], { agent: "ada" })).event).toBe("claimed");
    expect(test.read("memory/T001.log")).toContain("Forced by ada: claim (it waits for T002)");
    await test.json(["task", "done", "T002"]);
    await test.json(["assign", "release", "T001", "--status", "todo"], { agent: "ada" });
    expect((await test.json(claim, { agent: "bob" })).event).toBe("claimed");
  });

  it("X-24 --description - is read from stdin", async () => {
    const test = await projectForTest(1);
    const readInput = async () => "From a pipe.\nTwo lines.\n";
    const { path } = await test.json(["task", "create", "E001", "piped", "--description", "-"], { readInput });
    expect(test.read(path)).toContain("## Description\n\nFrom a pipe.\nTwo lines.\n");
    expect((await test.run(["task", "create", "E001", "none", "--description", "-"])).exitCode).toBe(2);
  });

  it("X-31 a person at a terminal is user@host, so that the next command can release what this one claimed", async () => {
    const test = await projectForTest(1);
    const { json } = await test.run([...claim], { person: "ada@desk" });
    expect(json).toMatchObject({ holder: "ada@desk", holder_kind: "name" });
    expect((await test.run(["assign", "release", "T001"], { person: "ada@desk" })).exitCode).toBe(0);
  });
});

describe("memory", () => {
  it("X-67 the tips of sibling tasks are shown at once, synced or not, each once", async () => {
    const test = await projectForTest(3);
    await test.json(["task", "log", "T002", "The API wants UTC", "--tip"], { agent: "bob" });
    const tips = async () =>
      (await test.json(["task", "show-memory", "T001"])).epic_log.map((line: { message: string }) => line.message);
    expect(await tips()).toEqual(["The API wants UTC"]);
    await test.json(["memory", "sync"]);
    await test.json(["task", "log", "T003", "And JSON", "--tip"]);
    expect(await tips()).toEqual(["The API wants UTC", "And JSON"]);
  });
});
