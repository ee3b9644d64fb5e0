// 500 calls of sandboxed agents through the bridge, while the haven's server is killed again and again.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { checkSandbox } from "../../src/agent/sandbox/sandbox-check.ts";
import { findServer } from "../../src/mcp/server/haven-server.ts";
import { taskId, taskPath } from "../haven-under-test.ts";
import {
  type AgentHaven,
  cleanUpAgents,
  makeAgentHaven,
  recordOf,
  rudderTool,
  type Step,
  waitUntil,
  writes,
} from "./agents-under-test.ts";

cleanUpAgents();

const log = (id: string, message: string): Step => rudderTool("task_log", { task_id: id, message });

describe("500 calls", () => {
  const AGENTS = 5;
  const CALLS = 100;
  /** So many calls are made in a row; then the agent does something else for a moment. */
  const IN_A_ROW = 10;
  const pause: Step = { run: ["sleep", "0.2"] };

  it("X-29 X-63 of sandboxed agents, while the server is killed a second after each first answer: none fails, none is applied twice", async () => {
    const test = await makeAgentHaven(AGENTS);
    const isReal = (await checkSandbox({ env: process.env })).isReady;
    // `npm run test:sandbox` has seen that there is one.
    if (process.env.JEEVES_REAL_SANDBOX === "1") expect(isReal).toBe(true);
    const PATH = isReal ? (process.env.PATH ?? "") : test.fakeSandbox().PATH;
    const ids = Array.from({ length: AGENTS }, (_, index) => taskId(index + 1));
    for (const id of ids) {
      const calls = Array.from({ length: CALLS }, (_, index) => [
        ...(index % IN_A_ROW === 0 ? [pause] : []),
        log(id, `call ${index} of ${id}.`),
      ]);
      const steps = [...calls.flat(), writes("a.txt", "1")];
      expect(await test.spawn(id, steps, { args: ["--sandbox"], env: { PATH } })).toMatchObject({ code: 0 });
    }
    const isRunning = (): boolean => ids.some((id) => recordOf(test, id).state === "spawned");
    const written = (): number => ids.reduce((sum, id) => sum + readIfThere(test, `memory/${id}.log`).length, 0);
    let kills = 0;
    for (let before = written(); isRunning(); before = written()) {
      await waitUntil("an answer", () => written() > before || !isRunning());
      await delay(1_000); // not a wait for something: so long each server lives
      const pid = (await findServer(test.haven))?.pid;
      if (pid === undefined || !isRunning()) continue;
      process.kill(pid, "SIGKILL");
      kills += 1;
    }
    for (const id of ids) {
      expect(recordOf(test, id)).toMatchObject({ state: "completed" });
      const run = test.read(`agents/${id}/run.log`);
      expect(run).not.toMatch(/failed mcp:/);
      const lines = test.read(`memory/${id}.log`);
      const counts = Array.from({ length: CALLS }, (_, index) => lines.split(` call ${index} of ${id}.`).length - 1);
      expect(counts).toEqual(Array.from({ length: CALLS }, () => 1));
      expect(test.read(taskPath(Number(id.slice(1))))).toContain("status: Done");
    }
    expect(kills).toBeGreaterThan(1);
    console.log(`${AGENTS * CALLS} calls, ${kills} servers killed, ${isReal ? "real" : "stand-in"} sandbox`);
  });
});

function readIfThere(test: AgentHaven, path: string): string {
  try {
    return readFileSync(join(test.haven, path), "utf8");
  } catch {
    return "";
  }
}
