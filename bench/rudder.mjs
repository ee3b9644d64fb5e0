// rudder on a haven with 5,000 tasks: commands as people run them, claims per second with 1 and 30 processes beside git
// making the same kind of promise (a ref that is created only if nobody has it), in turns, in one run; then its server.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/setup.mjs";
import { median, print, printFigure } from "./figures.mjs";
import { benchServer } from "./rudder-server.mjs";
import { createTempDir } from "./temp-dir.mjs";

const USAGE =
  "usage: npm run bench -- rudder [--rounds N] [--tasks N] [--only server]   (default 7 rounds, 5000 tasks)";
const MAX_COMMAND_MS = 500;
const EPIC_SIZE = 50;
const CLAIMS = 120;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    tasks: { type: "string", default: "5000" },
    only: { type: "string" },
    help: { type: "boolean" },
  },
});
const rounds = Number(values.rounds);
const taskCount = Number(values.tasks);
if (values.help || !Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(taskCount) || taskCount < 1) {
  print(USAGE);
  process.exit(values.help ? 0 : 2);
}

const bin = join(root, "packages", "rudder", "dist", "rudder.js");
const dir = createTempDir();
const env = { PATH: process.env.PATH, HOME: dir, RUDDER_HAVEN: join(dir, "haven"), RUDDER_AGENT: "bench" };
await run();

async function run() {
  await rudder(["init"]);
  makeTasks();
  if (values.only === "server") {
    await new Promise((settled) => setTimeout(settled, 2_100)); // files that just changed are not cached yet
    return benchServer({ dir, env, rounds, taskCount });
  }
  print(`rudder on ${taskCount} tasks: medians of ${rounds} rounds, each a command of its own`);
  const first = await timed(() => rudder(["status"]));
  printFigure("status, the first time (every file parsed)", first, { unit: " ms", digits: 0 });
  await new Promise((settled) => setTimeout(settled, 2_100)); // files that just changed are not cached yet
  await rudder(["status"]);
  const bare = await rounded(() => spawned(process.execPath, ["-e", "0"]));
  printFigure("bare node", bare, { unit: " ms", digits: 0 });
  for (const words of [["status"], ["deps", "ready"], ["task", "show", "T042"], ["context", "load", "T042"]]) {
    const target = words[0] === "status" || words[1] === "ready" ? { atMost: MAX_COMMAND_MS } : {};
    printFigure(words.join(" "), await rounded(() => rudder(words)), { unit: " ms", digits: 0, ...target });
  }
  print();
  print(`claims, each a process of its own: ${CLAIMS} of them`);
  await git(["init", "-q", "-b", "main"]);
  await git(["-c", "user.name=b", "-c", "user.email=b@example.org", "commit", "-q", "--allow-empty", "-m", "start"]);
  const oid = await git(["rev-parse", "HEAD"]);
  const none = "0".repeat(oid.trim().length);
  let taken = 0;
  for (const parallel of [1, 30]) {
    const base = taken;
    const ours = await perSecond(parallel, (n) => rudder(["assign", "claim", `T${base + n + 1}`, "--quiet"]));
    const theirs = await perSecond(parallel, (n) => git(["update-ref", `refs/claims/T${base + n + 1}`, "HEAD", none]));
    taken += CLAIMS;
    const words = parallel === 1 ? "1 process" : `${parallel} processes`;
    printFigure(`rudder assign claim, ${words}`, ours, { unit: " /s", digits: 1 });
    printFigure(`git update-ref (create only), ${words}`, theirs, { unit: " /s", digits: 1 });
    printFigure(`bare node, ${words}`, await perSecond(parallel, () => spawned(process.execPath, ["-e", "0"])), {
      unit: " /s",
      digits: 1,
    });
  }
  print();
  await benchServer({ dir, env, rounds, taskCount });
}

async function rounded(act) {
  const times = [];
  for (let round = 0; round < rounds; round++) times.push(await timed(act));
  return median(times);
}

async function timed(act) {
  const from = performance.now();
  await act();
  return performance.now() - from;
}

async function perSecond(parallel, act) {
  let next = 0;
  const worker = async () => {
    while (next < CLAIMS) await act(next++);
  };
  const ms = await timed(() => Promise.all(Array.from({ length: parallel }, worker)));
  return CLAIMS / (ms / 1000);
}

function rudder(words) {
  return spawned(process.execPath, [bin, ...words]);
}

function git(words) {
  return spawned("git", ["-C", dir, ...words]);
}

async function spawned(command, args) {
  const child = spawn(command, args, { cwd: dir, env, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${code}: ${err}`);
  return out;
}

/** Written straight to the disk: 100 epics, each task waiting for up to three earlier ones, a third of them done. */
function makeTasks() {
  const base = join(env.RUDDER_HAVEN, "artefacts", "prds", "PRD-001-bench");
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
    const blockers = [task - 1, task - 7, task - 31].filter((other) => other > 0 && (task * 7 + other) % 3 === 0);
    // The first ones stay open: they are the ones that are claimed.
    const status = task > taskCount / 2 && task % 3 === 0 ? "Done" : "Not Started";
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
