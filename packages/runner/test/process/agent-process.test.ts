import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startAgentProcess, waitForSpawn } from "../../src/process/agent-process.ts";
import { readJsonLines } from "../../src/process/json-lines.ts";
import { isRunning, makeTempDir, waitUntil } from "../scratch.ts";

const DEAF =
  "process.on('SIGTERM', () => {}); require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 60000)";
const pidIn = async (cwd: string) => Number(await readFile(join(cwd, "pid"), "utf8").catch(() => "0"));
const env = { PATH: process.env.PATH };

it("J-81 an agent that is deaf to SIGTERM is forced, and so is everybody in its group", async () => {
  const cwd = await makeTempDir();
  const args = ["-c", `trap '' TERM; "${process.execPath}" -e "${DEAF}"; sleep 1000`];
  const agent = startAgentProcess({ command: "sh", args, cwd, env }, { signal: new AbortController().signal });
  await waitUntil("the child", async () => (await pidIn(cwd)) > 0);
  await agent.end();
  expect(await agent.closed).toEqual({ code: null, signal: "SIGKILL" });
  const pid = await pidIn(cwd);
  await waitUntil("the end of its child", () => !isRunning(pid));
});

it("J-81 a child that keeps the agent's pipes open does not keep the reader waiting", async () => {
  const cwd = await makeTempDir();
  const args = ["-c", `echo 1; setsid "${process.execPath}" -e "${DEAF}" & echo 2`];
  const agent = startAgentProcess({ command: "sh", args, cwd, env }, { signal: new AbortController().signal });
  try {
    const values: unknown[] = [];
    for await (const line of readJsonLines(agent.child.stdout)) if (line.kind === "value") values.push(line.value);
    expect(values).toEqual([1, 2]);
    expect(await agent.closed).toEqual({ code: 0, signal: null });
    await waitUntil("the child", async () => (await pidIn(cwd)) > 0);
    expect(isRunning(await pidIn(cwd))).toBe(true);
  } finally {
    const pid = await pidIn(cwd);
    if (pid > 0) process.kill(pid, "SIGKILL");
  }
});

it("J-92 a reader that is slower than the agent's end still gets every line", async () => {
  const cwd = await makeTempDir();
  const args = [
    "-e",
    "for (let index = 0; index < 2000; index++) console.log(JSON.stringify({ index, words: 'x'.repeat(200) }))",
  ];
  const agent = startAgentProcess(
    { command: process.execPath, args, cwd, env },
    { signal: new AbortController().signal },
  );
  const started = Date.now();
  let count = 0;
  for await (const line of readJsonLines(agent.child.stdout)) {
    expect(line).toMatchObject({ kind: "value", value: { index: count } });
    // Long enough, and often enough, for whoever is impatient to have given up.
    if (count % 700 === 0) await waitUntil("a while", () => Date.now() - started > 1_200 * (1 + count / 700));
    count++;
  }
  expect(count).toBe(2_000);
  expect(await agent.closed).toEqual({ code: 0, signal: null });
});

it("J-80 a program that cannot be started is an error that names it", async () => {
  const cwd = await makeTempDir();
  const agent = startAgentProcess({ command: cwd, args: [], cwd, env }, { signal: new AbortController().signal });
  await expect(waitForSpawn(agent, cwd)).rejects.toMatchObject({
    code: "agent_not_started",
    message: expect.stringContaining(cwd),
  });
});
