// Agents of several machines in one haven: every machine lists them all, and each looks after its own alone.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPostgresStore } from "../../packages/rudder/src/index.ts";
import { commandTask } from "../../packages/rudder/src/tasks/change-task.ts";
import { currentProcess } from "../../packages/state/src/index.ts";
import { freshUrl, openForTest } from "./database-under-test.ts";
import { fill, type Machine, machineForTest } from "./machines.ts";

const AT = "2026-01-02T03:04:05.000Z";
const idOf = (machine: Machine): string => readFileSync(join(machine.project, ".sailing/haven"), "utf8").trim();
const havenOf = (machine: Machine): string => join(machine.home, ".sailing/havens", idOf(machine));

function recordOf(taskId: string, name: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    version: 1,
    task_id: taskId,
    name,
    attempt: 1,
    provider: "scripted",
    state: "spawned",
    history: [{ state: "spawned", at: AT }],
    // No process of this machine: whether it lives cannot be seen from here.
    spawner: { pid: 1, startTicks: 1, bootId: "another boot", space: "another pid:[0]" },
    mark: "m",
    sandbox: false,
    project: "/there/shop",
    cwd: "/there/shop",
    timeout_s: 60,
    spawned_at: AT,
    ...more,
  };
}

/** A haven of the database with three tasks, and a store that acts for other machines. */
async function shared() {
  const url = await freshUrl();
  const here = machineForTest(url);
  await here.json(["init"]);
  await fill(here);
  const store = openPostgresStore({ database: openForTest(url), id: idOf(here), haven: "/nowhere" });
  const runsElsewhere = async (taskId: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const name = `agent-${taskId}@other-host`;
    const by = { kind: "name", name } as const;
    const command = { kind: "claim", by, ttlMs: 60_000, operation: "agent-spawn", pid: 1 } as const;
    await commandTask({ store, projectHash: "p", signal: undefined }, { taskId, command });
    await store.change((step) => step.putAgent({ taskId, host: "other-host", record: recordOf(taskId, name, more) }));
    return name;
  };
  return { url, here, store, runsElsewhere };
}

/** As an earlier version left it: a record in a file of the machine. */
function leaveFile(machine: Machine, taskId: string, record: unknown): string {
  const dir = join(havenOf(machine), "agents", taskId);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "agent.json"), JSON.stringify(record));
  writeFileSync(join(dir, "run.log"), "it said this\n");
  return dir;
}

describe("agents of several machines", () => {
  it("X-65 agent list shows another machine's agent: alive while its lease is, and ended when that has ended", async () => {
    const { here, store, runsElsewhere } = await shared();
    const name = await runsElsewhere("T002");
    expect(await here.json(["agent", "list"])).toMatchObject([
      { task_id: "T002", name, host: "other-host", state: "spawned", running: true, dir: null },
    ]);
    expect(await here.json(["agent", "status", "T002"])).toMatchObject({ name, running: true, work: null });
    const by = { kind: "name", name } as const;
    const release = { kind: "release", by, status: "Not Started" } as const;
    await commandTask({ store, projectHash: "p", signal: undefined }, { taskId: "T002", command: release });
    expect(await here.json(["agent", "list"])).toMatchObject([{ name, state: "error", running: false }]);
  });

  it("X-65 what needs its processes or its files is refused, and names the machine where they are", async () => {
    const { here, runsElsewhere } = await shared();
    await runsElsewhere("T002");
    for (const argv of [
      ["agent", "kill", "T002"],
      ["agent", "reap", "T002", "--force"],
      ["agent", "log", "T002"],
    ]) {
      const refused = await here.run(["--json", ...argv]);
      expect(refused, argv.join(" ")).toMatchObject({ exitCode: 1, json: { error: { code: "denied" } } });
      expect(refused.text).toContain("other-host");
    }
    const spawned = await here.run(["--json", "agent", "spawn", "T002", "--provider", "scripted", "--no-worktree"]);
    expect(spawned).toMatchObject({ exitCode: 1, json: { error: { code: "held" } } });
  });

  it("X-65 a new attempt on this machine names the machine where the earlier one's work is", async () => {
    const { here, store } = await shared();
    const record = recordOf("T002", "agent-T002@other-host", { state: "killed" });
    await store.change((step) => step.putAgent({ taskId: "T002", host: "other-host", record }));
    const dry = ["agent", "spawn", "T002", "--provider", "scripted", "--no-worktree", "--no-sandbox", "--dry-run"];
    const words = "what agent-T002@other-host did is on other-host";
    expect((await here.run(dry)).notes.join()).toContain(words);
    await store.change((step) =>
      step.putAgent({ taskId: "T002", host: "other-host", record: { ...record, state: "reaped" } }),
    );
    expect((await here.run(dry)).notes.join()).not.toContain(words);
  });

  it("X-63 X-65 no caller takes the name of an agent, neither of this machine's nor of another one's", async () => {
    const { here, store, runsElsewhere } = await shared();
    const there = await runsElsewhere("T002");
    const own = `agent-T001@${hostname()}`;
    const record = recordOf("T001", own, { spawner: currentProcess() });
    await store.change((step) => step.putAgent({ taskId: "T001", host: hostname(), record }));
    for (const name of [there, own]) {
      const refused = await here.run(["--json", "task", "log", "T003", "x"], { RUDDER_AGENT: name });
      expect(refused, name).toMatchObject({ exitCode: 1, json: { error: { code: "denied" } } });
    }
    const mine = { RUDDER_AGENT: own, RUDDER_AGENT_MARK: "m" };
    await here.json(["task", "log", "T003", "its own process"], mine);
  });

  it("X-65 what becomes of an agent is in the feed that every machine reads", async () => {
    const { here, store } = await shared();
    const { last } = await store.changesSince(0);
    const missing = { JEEVES_SCRIPT: join(here.home, "none.json") };
    const argv = ["agent", "spawn", "T001", "--provider", "scripted", "--no-sandbox", "--no-worktree", "--wait"];
    const said = await here.bin(argv, missing);
    const events = (await store.changesSince(last)).changes.map(({ event }) => event);
    expect(
      events.filter((event) => event.startsWith("agent_")),
      said,
    ).toEqual(["agent_spawned", "agent_supervised", "agent_error"]);
    expect(await here.json(["agent", "list"])).toMatchObject([{ task_id: "T001", host: hostname(), state: "error" }]);
    expect(existsSync(join(havenOf(here), "agents/T001/agent.json"))).toBe(false);
  });
});

describe("records that earlier versions left in files", () => {
  it("X-65 are taken into the database once, as this machine's, and set aside", async () => {
    const { here } = await shared();
    const record = recordOf("T003", `agent-T003@${hostname()}`, { state: "completed" });
    const dir = leaveFile(here, "T003", record);
    leaveFile(here, "T002", "no record");
    const listed = await here.json(["agent", "list"]);
    expect(listed).toMatchObject([{ task_id: "T003", host: hostname(), state: "completed" }]);
    expect(readdirSync(dir).sort()).toEqual(["agent.moved.json", "run.log"]);
    expect((await here.run(["agent", "log", "T003"])).text).toBe("it said this\n");
    // What is put there later is no record of the shared haven.
    leaveFile(here, "T001", recordOf("T001", "agent-T001"));
    expect(await here.json(["agent", "list"])).toHaveLength(1);
  });

  it("X-65 X-64 go with their haven into the database and back, beside what else their directories hold", async () => {
    const url = await freshUrl();
    const a = machineForTest(undefined);
    await a.json(["init"]);
    await fill(a);
    const dir = leaveFile(a, "T001", recordOf("T001", "agent-T001", { state: "completed" }));
    const there = { JEEVES_DATABASE_URL: url };
    await a.json(["haven", "move", "--to", "postgres"], there);
    expect(await a.json(["agent", "list"], there)).toMatchObject([{ name: "agent-T001", host: hostname() }]);
    expect(readdirSync(dir).sort()).toEqual(["agent.moved.json", "run.log"]);
    const store = openPostgresStore({ database: openForTest(url), id: idOf(a), haven: "/nowhere" });
    const record = recordOf("T002", "agent-T002@other-host", { state: "killed" });
    await store.change((step) => step.putAgent({ taskId: "T002", host: "other-host", record }));
    await a.json(["haven", "move", "--to", "files"], there);
    expect(await a.json(["agent", "list"])).toMatchObject([
      { name: "agent-T001", state: "completed" },
      { name: "agent-T002@other-host", host: "other-host", state: "killed" },
    ]);
    expect(readdirSync(dir)).toEqual(expect.arrayContaining(["agent.json", "run.log"]));
    expect(readdirSync(join(havenOf(a), "agents/T002"))).toEqual(["agent@other-host.json"]);
  });
});
