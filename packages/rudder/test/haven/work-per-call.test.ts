// what a server does for a call does not grow with the haven. Work is counted, never timed.
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { commandLine } from "../../src/cli/command-line.ts";
import { locate } from "../../src/haven/locate.ts";
import { createTaskService } from "../../src/mcp/tools/task-service.ts";
import { projectForTest, taskId, taskPath, taskText } from "../haven-under-test.ts";
import { countFileCalls } from "./count-files.ts";

/** Notices of the system about files that were just written come when they come, and have these looked at again. */
const NOISE = 25;

type Costs = Readonly<Record<string, number>>;

/** File calls of each command in a haven with so many tasks, each with a line in its log. */
async function costsWith(tasks: number, tasksOfAnEpic = 10): Promise<Costs> {
  const test = await projectForTest(tasks);
  for (let n = 1; n <= tasks; n++) {
    const epic = `E${String(Math.ceil(n / tasksOfAnEpic)).padStart(3, "0")}`;
    const front = `id: ${epic}\ntitle: Part\nparent: PRD-001\nstatus: In Progress`;
    if (epic !== "E001") test.write(`artefacts/prds/PRD-001-shop/epics/${epic}-part.md`, `---\n${front}\n---\n`);
    test.write(taskPath(n), taskText(n, { parent: `PRD-001/${epic}` }));
    test.write(`memory/${taskId(n)}.log`, `[2026-01-01T00:00:00.000Z] [TIP] line of ${taskId(n)}\n`);
  }
  const env = test.env();
  const place = await locate({ cwd: test.project, haven: test.haven, home: test.dir, env, root: undefined });
  const service = createTaskService({ place, env, ttlMs: 1_800_000, commandLine });
  onTestFinished(() => service.close());
  // A log that changed in the last two seconds is read again: it may change within a tick of its clock.
  const last = statSync(join(test.haven, "memory", `${taskId(tasks)}.log`));
  await vi.waitFor(() => expect(Date.now() - last.ctimeMs).toBeGreaterThan(2_100), { timeout: 10_000, interval: 50 });
  const { signal } = new AbortController();
  const caller = { kind: "name", name: "ada" } as const;
  const run = async (...words: string[]): Promise<void> => {
    const outcome = await service.runWords(words, { caller, signal, operation: undefined });
    expect(outcome.exitCode, outcome.text).toBe(0);
  };
  const counter = countFileCalls();
  onTestFinished(() => counter.stop());
  const costs: Record<string, number> = {};
  for (const [name, words] of [
    ["show", (id: string) => ["task", "show", id]],
    ["claim", (id: string) => ["assign", "claim", id]],
    ["log", (id: string) => ["task", "log", id, "The API wants UTC", "--tip"]],
    ["ready", () => ["deps", "ready", "--limit", "5"]],
  ] as const) {
    await run(...words(taskId(1))); // reads what a server reads once
    for (const n of [11, 22, 33]) {
      const before = counter.count();
      await run(...words(taskId(n)));
      costs[name] = Math.min(costs[name] ?? Number.POSITIVE_INFINITY, counter.count() - before);
    }
  }
  counter.stop();
  return costs;
}

it("X-66 a server's show, claim, log and ready ask about as many files with 500 tasks as with 50", async () => {
  const few = await costsWith(50);
  const many = await costsWith(500);
  for (const [name, count] of Object.entries(many)) {
    expect(count, `${name}: ${JSON.stringify({ few, many })}`).toBeLessThanOrEqual((few[name] ?? 0) + NOISE);
  }
  expect(Math.min(...Object.values(many)), JSON.stringify(many)).toBeGreaterThan(0);
}, 120_000);

it("X-66 a claim read the logs of all tasks of the same epic, every time: each is looked at once", async () => {
  const apart = await costsWith(300);
  const together = await costsWith(300, 300);
  // One look at each log, instead of opening, reading and closing it.
  expect(together.claim, JSON.stringify({ apart, together })).toBeLessThanOrEqual((apart.claim ?? 0) + 300 + NOISE);
}, 120_000);

it("X-66 the count sees what looks at every file", async () => {
  const test = await projectForTest(60);
  const counter = countFileCalls();
  onTestFinished(() => counter.stop());
  await test.json(["task", "list"]);
  expect(counter.count()).toBeGreaterThan(60);
});
