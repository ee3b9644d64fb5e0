// The haven's server dies under sandboxed agents: their calls go on, and what could not be finished is not Done.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findServer } from "../../src/mcp/server/haven-server.ts";
import { SERVER_GONE } from "../../src/server-gone.ts";
import { taskPath } from "../haven-under-test.ts";
import {
  type AgentHaven,
  cleanUpAgents,
  makeAgentHaven,
  recordOf,
  rudderTool,
  type Step,
  waitUntil,
  whereIs,
  writeIn,
  writes,
} from "./agents-under-test.ts";

cleanUpAgents();

const log = (id: string, message: string): Step => rudderTool("task_log", { task_id: id, message });
const waitFor = (name: string): Step => ({
  run: ["sh", "-c", `touch at-${name}.txt; until [ -e ${name}.txt ]; do sleep 0.05; done`],
});

/** Kills the server while the agent of T001 waits, and lets the agent go on once a new one is there. */
async function killServerUnder(test: AgentHaven): Promise<void> {
  await waitUntil("the agent", () => existsSync(join(test.worktree("T001"), "at-go.txt")));
  const pid = (await findServer(test.haven))?.pid ?? 0;
  process.kill(pid, "SIGKILL");
  await waitUntil("a new server", async () => ![undefined, pid].includes((await findServer(test.haven))?.pid));
  writeIn(test.worktree("T001"), "go.txt", "");
}

async function waitForEnd(test: AgentHaven, id = "T001"): Promise<void> {
  await waitUntil("the agent's end", () => recordOf(test, id).state !== "spawned");
}

describe("a server that is killed under a sandboxed agent", () => {
  it("X-29 X-30 every later call failed, and nothing started the server again: the supervisor does, and the bridge comes back", async () => {
    const test = await makeAgentHaven();
    const { PATH } = test.fakeSandbox({ without: ["socat"] });
    const steps = [log("T001", "before"), waitFor("go"), log("T001", "after"), writes("a.txt", "1")];
    expect(await test.spawn("T001", steps, { args: ["--sandbox"], env: { PATH } })).toMatchObject({ code: 0 });
    await killServerUnder(test);
    await waitForEnd(test);
    expect(recordOf(test, "T001").state).toBe("completed");
    const lines = test.read("memory/T001.log");
    for (const message of ["before", "after"]) expect(lines.split(` ${message}`)).toHaveLength(2);
    expect(test.read("agents/T001/run.log")).toContain("the haven's server is back");
    expect(test.read(taskPath(1))).toContain("status: Done");
    // Its socket went with it, although the server that made it is gone.
    expect(existsSync(join(test.haven, "agents/T001/mcp.sock"))).toBe(false);
  });

  it("X-29 X-30 an agent on socat lost its server for good and ended as Done: its task stays open, for --resume", async () => {
    if (whereIs("socat") === undefined) return console.warn("NOT TRIED: socat is not installed");
    const test = await makeAgentHaven();
    writeIn(test.project, ".sailing/config.yaml", "agent: { mcp_command: socat }\n");
    const { PATH } = test.fakeSandbox();
    const steps = [log("T001", "before"), writes("a.txt", "half"), waitFor("go"), log("T001", "after")];
    expect(await test.spawn("T001", steps, { args: ["--sandbox"], env: { PATH } })).toMatchObject({ code: 0 });
    await killServerUnder(test);
    await waitForEnd(test);
    expect(recordOf(test, "T001")).toMatchObject({
      state: "error",
      run_status: "completed",
      message: expect.stringContaining("the haven's server went away while it worked"),
    });
    expect(test.read(taskPath(1))).toContain("status: In Progress");
    expect(test.read("runs/T001.run")).toContain("agent-T001");
  });
});

describe("a server that did not come back", () => {
  const call = { id: "x", tool: "mcp:rudder/task_log" };
  const unanswered: Step[] = [
    { event: { kind: "tool_call", ...call, input: {} } },
    { event: { kind: "tool_result", ...call, isError: true, text: `MCP error -32000: ${SERVER_GONE}` } },
  ];

  it("X-30 an agent whose last call was not answered ended as Done: it did not complete", async () => {
    const test = await makeAgentHaven(2);
    const done = await test.spawn("T001", [writes("a.txt", "half"), ...unanswered], { args: ["--wait"] });
    expect(done.code).toBe(1);
    expect(recordOf(test, "T001")).toMatchObject({ state: "error", message: expect.stringContaining(SERVER_GONE) });
    expect(test.read(taskPath(1))).toContain("status: In Progress");
    // Where a later call was answered, nothing is missing that the agent did not know of.
    const steps = [writes("a.txt", "1"), ...unanswered, log("T002", "again")];
    expect(await test.spawn("T002", steps, { args: ["--wait"] })).toMatchObject({ code: 0 });
    expect(test.read(taskPath(2))).toContain("status: Done");
  });
});

describe("--restrict", () => {
  it("R-26 spawn could not ask for a restricted socket: its calls concern its own task alone, after a restart too", async () => {
    const test = await makeAgentHaven(2);
    const { PATH } = test.fakeSandbox();
    const steps = [
      rudderTool("task_show", { task_id: "T002" }),
      waitFor("go"),
      rudderTool("task_show", { task_id: "T002" }),
      log("T001", "own"),
      writes("a.txt", "1"),
    ];
    const done = await test.spawn("T001", steps, { args: ["--sandbox", "--restrict"], env: { PATH } });
    expect(done).toMatchObject({ code: 0 });
    await killServerUnder(test);
    await waitForEnd(test);
    const denied = test.read("agents/T001/run.log").match(/Access denied: This agent can only access task T001/g);
    expect(denied).toHaveLength(2);
    expect(test.read("memory/T001.log")).toContain("own");
    const refused = await test.spawn("T002", [], { args: ["--restrict"] });
    expect(refused.code).toBe(2);
    expect(refused.stdout).toContain("--restrict cannot be had with --no-sandbox");
  });
});
