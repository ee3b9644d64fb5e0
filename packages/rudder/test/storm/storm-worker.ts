// One agent of the storm, as a process of its own: claims, renews, releases and logs on random tasks until it is told to
// stop or is killed. It writes down what it is about to do and what was acknowledged, one whole line at a time, so that
// the test can tell what it may count on after a SIGKILL.
import { appendFileSync } from "node:fs";
import { runRudder } from "../../src/index.ts";
import { createRandom } from "../random.ts";

const [project = "", record = "", agent = "", seed = "1", taskCount = "1"] = process.argv.slice(2);
const random = createRandom(Number(seed));
const context = { cwd: project, env: process.env };
let isStopping = false;
process.once("SIGTERM", () => {
  isStopping = true;
});

function note(entry: Readonly<Record<string, unknown>>): void {
  const at = Number(process.hrtime.bigint() / 1_000_000n);
  appendFileSync(record, `${JSON.stringify({ agent, at, ...entry })}\n`);
}

const held = new Set<string>();
for (let count = 0; !isStopping; count++) {
  const mine = [...held];
  const dice = random(100);
  const task = `T${String(1 + random(Number(taskCount))).padStart(3, "0")}`;
  const own = mine[random(mine.length || 1)] ?? task;
  const id = `${process.pid}-${count}`;
  const [op, target, argv] =
    dice < 40
      ? (["claim", task, ["assign", "claim", task, "--quiet"]] as const)
      : dice < 50
        ? (["renew", own, ["assign", "renew", own]] as const)
        : dice < 70
          ? (["release", own, ["assign", "release", own, "--status", "todo"]] as const)
          : dice < 97
            ? (["log", task, ["task", "log", task, `line ${id}`, "--tip"]] as const)
            : (["sync", task, ["memory", "sync"]] as const);
  note({ step: "send", id, op, task: target });
  const outcome = await runRudder([...argv, "--json"], context);
  const error = outcome.exitCode === 0 ? undefined : JSON.parse(outcome.text).error?.code;
  note({ step: "ack", id, op, task: target, ok: outcome.exitCode === 0, error });
  if (outcome.exitCode === 0 && op === "claim") held.add(task);
  if (op === "release") held.delete(own);
}
note({ step: "end" });
