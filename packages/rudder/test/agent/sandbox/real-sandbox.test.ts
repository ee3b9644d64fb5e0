// The real sandbox, where this machine has one: what an agent inside can see, write and reach of its haven.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkSandbox } from "../../../src/agent/sandbox/sandbox-check.ts";
import { taskPath } from "../../haven-under-test.ts";
import {
  type AgentHaven,
  cleanUpAgents,
  makeAgentHaven,
  recordOf,
  rudderTool,
  type Step,
  waitUntil,
  writeIn,
  writes,
} from "../agents-under-test.ts";

cleanUpAgents();

const isReady = (await checkSandbox({ env: process.env })).isReady;
/** `npm run test:sandbox` has seen that there is one. */
const isPromised = process.env.JEEVES_REAL_SANDBOX === "1";
const notTried = (): void => {
  expect(isPromised, "rudder sandbox check finds no sandbox").toBe(false);
  console.warn("NOT TRIED: rudder sandbox check finds no sandbox on this machine: npm run test:sandbox");
};

/** Runs in the agent's sandbox: says that it is there, waits for the word to go on, then notes what each command did. */
function tries(commands: Readonly<Record<string, string>>): Step {
  const lines = Object.entries(commands).map(
    ([name, command]) =>
      `if (${command}) >/dev/null 2>&1; then echo ${name}=yes; else echo ${name}=no; fi >> tried.txt`,
  );
  const wait = "touch ready.txt; until [ -e go.txt ]; do sleep 0.05; done";
  return { run: ["sh", "-c", [wait, ...lines, "touch done.txt"].join("\n")] };
}

async function triedIn(test: AgentHaven, taskId: string, between: () => Promise<void>): Promise<string[]> {
  const inPlace = (name: string): string => join(test.worktree(taskId), name);
  await waitUntil("the sandbox", () => existsSync(inPlace("ready.txt")));
  await between();
  writeIn(test.worktree(taskId), "go.txt", "");
  await waitUntil("the end of the tries", () => existsSync(inPlace("done.txt")));
  return readFileSync(inPlace("tried.txt"), "utf8").trim().split("\n");
}

describe("in the real sandbox", () => {
  it("X-63 X-31 T001 could release T002 on T002's socket: it finds its own socket alone, after a restart of the server too", async () => {
    if (!isReady) return notTried();
    const test = await makeAgentHaven(2);
    const release =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"assign_release","arguments":{"task_id":"T002"}}}';
    const speak = (socket: string): string =>
      `echo '${release}' | socat -t 5 - UNIX-CONNECT:${join(test.haven, socket)} | grep -q jsonrpc`;
    const env = { PATH: process.env.PATH ?? "" };
    const steps = [
      tries({
        own: speak("agents/T001/mcp.sock"),
        others: speak("agents/T002/mcp.sock"),
        havens: speak("mcp.sock"),
      }),
    ];
    const done = await test.spawn("T001", steps, { args: ["--sandbox"], env });
    expect(done).toMatchObject({ code: 0 });
    const tried = await triedIn(test, "T001", async () => {
      // Later than T001's sandbox: a mask that was made for what was there then would not cover it.
      expect(await test.spawn("T002", [{ hold: true }], { args: ["--sandbox"], env })).toMatchObject({ code: 0 });
      const { pid } = await test.ask(["mcp", "status"]);
      process.kill(pid, "SIGKILL");
      await waitUntil("a new server", async () => (await test.ask(["mcp", "start"])).pid !== pid);
    });
    expect(tried).toEqual(["own=yes", "others=no", "havens=no"]);
    expect(test.read(taskPath(2))).toContain("status: In Progress");
    expect(test.read("runs/T002.run")).toContain("agent-T002");
  });

  it("X-29 where the haven's settings refuse sockets none can be spoken on, its own neither, and calls go through pipes", async () => {
    if (!isReady) return notTried();
    const test = await makeAgentHaven(1);
    test.write("srt-settings.json", '{"network":{"allowAllUnixSockets":false}}');
    const own = join(test.haven, "agents/T001/mcp.sock");
    const steps = [
      rudderTool("task_log", { task_id: "T001", message: "through the pipes" }),
      tries({
        own: `echo x | socat -t 5 - UNIX-CONNECT:${own}`,
        pipes: `[ -p ${join(test.haven, "agents/T001/to-haven")} ]`,
      }),
      rudderTool("task_log", { task_id: "T001", message: "and again" }),
    ];
    const env = { PATH: process.env.PATH ?? "" };
    expect(await test.spawn("T001", steps, { args: ["--sandbox"], env })).toMatchObject({ code: 0 });
    const tried = await triedIn(test, "T001", async () => {
      const { pid } = await test.ask(["mcp", "status"]);
      process.kill(pid, "SIGKILL");
    });
    expect(tried).toEqual(["own=no", "pipes=yes"]);
    await waitUntil("its end", () => recordOf(test, "T001").state !== "spawned");
    expect(recordOf(test, "T001")).toMatchObject({ state: "completed", pipes: true });
    const messages = ["through the pipes", "and again"].map(
      (words) => test.read("memory/T001.log").split(words).length - 1,
    );
    expect(messages).toEqual([1, 1]);
  });

  it("RU-20 R-01 a haven and a project under /tmp were writable without a word: only the worktree is", async () => {
    if (!isReady) return notTried();
    const test = await makeAgentHaven(1);
    const write = (path: string): string => `echo x >> ${path}`;
    const steps = [
      tries({
        worktree: write("a.txt"),
        log: write(join(test.haven, "logs/T001/x")),
        task: write(join(test.haven, taskPath(1))),
        lease: write(join(test.haven, "runs/T001.run")),
        settings: write(join(test.haven, "agents/T001/srt-settings.json")),
        project: write(join(test.project, "base.txt")),
        reads: `grep -q T001 ${join(test.haven, taskPath(1))}`,
      }),
      writes("b.txt", "1"),
    ];
    const env = { PATH: process.env.PATH ?? "" };
    const before = readFileSync(join(test.project, "base.txt"), "utf8");
    expect(await test.spawn("T001", steps, { args: ["--sandbox"], env })).toMatchObject({ code: 0 });
    const tried = await triedIn(test, "T001", async () => {});
    expect(tried).toEqual(["worktree=yes", "log=yes", "task=no", "lease=no", "settings=no", "project=no", "reads=yes"]);
    expect(test.read(taskPath(1))).not.toMatch(/^x$/m);
    expect(readFileSync(join(test.project, "base.txt"), "utf8")).toBe(before);
  });
});
