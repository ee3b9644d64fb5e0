// The whole story (issue's end to end): agents take what is ready, in order, each in its worktree; what one learned the
// next one is told; one is killed in the middle, and its task is taken over when its lease has ended.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { taskPath, taskText } from "../haven-under-test.ts";
import {
  cleanUpAgents,
  makeAgentHaven,
  processesOf,
  recordOf,
  rudderTool,
  type Step,
  waitUntil,
  writes,
} from "./agents-under-test.ts";

cleanUpAgents();

const story = (id: string): readonly Step[] => [
  rudderTool("context_load", { operation: id }),
  writes(`${id}.txt`, `by ${id}`),
  rudderTool("task_log", { task_id: id, message: `learned in ${id}`, level: "tip" }),
  rudderTool("assign_release", { task_id: id }),
  { say: "Done." },
];

it("R-33 X-30 X-31 three agents take deps ready in order, tell each other, and a crashed one's task is taken over", async () => {
  const test = await makeAgentHaven(3);
  test.write(taskPath(2), taskText(2, { blocked_by: "[T001]" }));
  test.write(taskPath(3), taskText(3, { blocked_by: "[T002]" }));
  const env = { RUDDER_LEASE_TTL_S: "3" };
  const nextReady = async (): Promise<string | undefined> => (await test.ask(["deps", "ready"], env))[0]?.id;
  const run = (id: string, args: readonly string[] = []) =>
    test.spawn(id, story(id), { args: ["--wait", ...args], env });

  expect(await nextReady()).toBe("T001");
  expect(await run("T001")).toMatchObject({ code: 0 });

  // The second one is killed together with everything that looks after it.
  expect(await nextReady()).toBe("T002");
  const [context, work] = story("T002");
  if (context === undefined || work === undefined) throw new Error("the story is too short");
  expect(await test.spawn("T002", [context, work, { hold: true }], { env })).toMatchObject({ code: 0 });
  await waitUntil("its work", () => existsSync(join(test.worktree("T002"), "T002.txt")));
  process.kill(recordOf(test, "T002").supervisor.pid, "SIGKILL");
  await waitUntil("its end", async () => (await test.ask(["agent", "status", "T002"])).state === "error");
  const bob = () => test.rudder(["assign", "claim", "T002", "--quiet"], { ...env, RUDDER_AGENT: "bob" });
  expect((await bob()).stderr).toContain("T002 is held by agent-T002");
  // Nobody renews it any more.
  await waitUntil(
    "the end of its lease",
    async () => (await test.ask(["agent", "status", "T002"])).lease?.live === false,
  );
  expect(await run("T002", ["--resume"])).toMatchObject({ code: 0 });
  expect(test.read("memory/T002.log")).toMatch(
    /\[WARN\] Takeover by agent-T002-2: the lease of agent-T002 ended \d{4}-/,
  );

  expect(await nextReady()).toBe("T003");
  expect(await run("T003")).toMatchObject({ code: 0 });
  expect(await nextReady()).toBeUndefined();

  const told = (id: string) =>
    /got mcp:rudder\/context_load: (.*)/.exec(test.read(`agents/${id}/run.log`).split("attempt").at(-1) ?? "")?.[1];
  expect(told("T001")).not.toContain("learned in");
  expect(told("T002")).toContain("TIP T001: learned in T001");
  expect(told("T003")).toMatch(/TIP T002: learned in T002[\s\S]*TIP T001: learned in T001/);
  for (const id of ["T001", "T002", "T003"]) {
    expect((await test.rudder(["agent", "reap", id, "--commit"])).code).toBe(0);
    expect(test.git("show", `main:${id}.txt`)).toBe(`by ${id}`);
  }
  expect(processesOf(test.dir)).toEqual([]);
});

it("X-30 an attempt that is known to be dead hands its task on at once, and both are logged", async () => {
  const test = await makeAgentHaven();
  expect(await test.spawn("T001", [{ hold: true }])).toMatchObject({ code: 0 });
  process.kill(recordOf(test, "T001").supervisor.pid, "SIGKILL");
  await waitUntil("its end", async () => (await test.ask(["agent", "status", "T001"])).running === false);
  expect((await test.rudder(["assign", "claim", "T001"], { RUDDER_AGENT: "bob" })).code).toBe(1);
  expect(await test.spawn("T001", story("T001"), { args: ["--wait", "--resume"] })).toMatchObject({ code: 0 });
  expect(test.read("memory/T001.log")).toMatch(/\[WARN\] agent-T001 is gone, agent-T001-2 goes on/);
  expect(recordOf(test, "T001")).toMatchObject({ attempt: 2, state: "completed" });
});

it("X-29 X-31 in the sandbox a second attempt speaks under its own name, although the first one's socket was never dropped", async () => {
  const test = await makeAgentHaven();
  const env = { PATH: test.fakeSandbox({ without: ["socat"] }).PATH };
  expect(await test.spawn("T001", [{ hold: true }], { args: ["--sandbox"], env })).toMatchObject({ code: 0 });
  process.kill(recordOf(test, "T001").supervisor.pid, "SIGKILL");
  await waitUntil("its end", async () => (await test.ask(["agent", "status", "T001"])).running === false);
  expect(existsSync(join(test.haven, "agents/T001/mcp.sock"))).toBe(true);
  // Whatever happens to the server in between.
  process.kill((await test.ask(["mcp", "status"])).pid, "SIGKILL");
  const claim = rudderTool("assign_claim", { task_id: "T001" });
  const args = ["--sandbox", "--resume", "--wait"];
  expect(await test.spawn("T001", [claim, writes("a.txt", "1")], { args, env })).toMatchObject({ code: 0 });
  expect(test.read("agents/T001/run.log")).toMatch(/got mcp:rudder\/assign_claim: T001 renewed: agent-T001-2/);
  expect(existsSync(join(test.haven, "agents/T001/mcp.sock"))).toBe(false);
});
