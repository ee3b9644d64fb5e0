// A haven for the benchmarks, written straight to the disk.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const EPIC_SIZE = 50;

/** Epics of 50 tasks, half of them waiting for up to three earlier ones, a third of them done. */
export function makeTasks({ haven, taskCount }) {
  const base = join(haven, "artefacts", "prds", "PRD-001-bench");
  for (const folder of ["epics", "tasks"]) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, "prd.md"), "---\nid: PRD-001\ntitle: Bench\nstatus: In Progress\n---\n\n# PRD-001: Bench\n");
  const id = (letter, number) => `${letter}${String(number).padStart(3, "0")}`;
  for (let epic = 1; epic <= Math.ceil(taskCount / EPIC_SIZE); epic++) {
    const front = `id: ${id("E", epic)}\ntitle: Epic number ${epic}\nparent: PRD-001\nstatus: In Progress\nblocked_by: []`;
    writeFileSync(
      join(base, "epics", `${id("E", epic)}-part.md`),
      `---\n${front}\n---\n\n# Epic\n\n## Description\n\nPart ${epic}.\n`,
    );
  }
  for (let task = 1; task <= taskCount; task++) {
    // Every other task waits for nothing, so that it can be claimed.
    const isFree = task % 2 === 0;
    const blockers = [task - 1, task - 7, task - 31].filter(
      (other) => !isFree && other > 0 && (task * 7 + other) % 3 === 0,
    );
    // The first ones stay open: they are the ones that are claimed.
    const status = !isFree && task > taskCount / 2 && task % 3 === 0 ? "Done" : "Not Started";
    const front = [
      `id: ${id("T", task)}`,
      `title: Task number ${task} of the bench`,
      `parent: PRD-001/${id("E", Math.ceil(task / EPIC_SIZE))}`,
      `status: ${status}`,
      "assignee:",
      `effort: ${["S", "M", "L", "XL"][task % 4]}`,
      `priority: ${["low", "normal", "high", "critical"][task % 4]}`,
      `blocked_by: [${blockers.map((other) => id("T", other)).join(", ")}]`,
      "tags: [bench, made]",
      "started_at:",
      "done_at:",
    ];
    const body = `# ${id("T", task)}\n\n## Description\n\nWhat task ${task} is about, in a line or two.\n\n## Deliverables\n\n- [ ] code\n- [ ] tests\n`;
    writeFileSync(join(base, "tasks", `${id("T", task)}-task.md`), `---\n${front.join("\n")}\n---\n\n${body}`);
  }
}
