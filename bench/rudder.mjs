// rudder on a haven with 5,000 tasks: commands as people run them, claims per second with 1 and 30 processes beside git
// making the same kind of promise (a ref that is created only if it does not exist), in turns, in one run; then its
// server, and what a call costs as the haven grows.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/setup.mjs";
import { median, print, printFigure } from "./figures.mjs";
import { benchGrowth } from "./rudder-growth.mjs";
import { makeTasks } from "./rudder-haven.mjs";
import { benchServer } from "./rudder-server.mjs";
import { createTempDir } from "./temp-dir.mjs";

const USAGE =
  "usage: npm run bench -- rudder [--rounds N] [--tasks N] [--only server|growth] [--store postgres]   (default 7 rounds, 5000 tasks)";
const MAX_COMMAND_MS = 500;
const CLAIMS = 120;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    tasks: { type: "string", default: "5000" },
    only: { type: "string" },
    store: { type: "string", default: "files" },
    help: { type: "boolean" },
  },
});
const rounds = Number(values.rounds);
const taskCount = Number(values.tasks);
const isStore = ["files", "postgres"].includes(values.store);
if (
  values.help ||
  !isStore ||
  !Number.isInteger(rounds) ||
  rounds < 1 ||
  !Number.isInteger(taskCount) ||
  taskCount < 1
) {
  print(USAGE);
  process.exit(values.help ? 0 : 2);
}

const bin = join(root, "packages", "rudder", "dist", "rudder.js");
const dir = createTempDir();
const env = { PATH: process.env.PATH, HOME: dir, RUDDER_HAVEN: join(dir, "haven"), RUDDER_AGENT: "bench" };
if (values.store === "postgres") {
  const { benchPostgres } = await import("./postgres/rudder.mjs");
  await benchPostgres({ rounds, dir, taskCount, only: values.only });
} else if (values.only === "growth") await benchGrowth({ rounds: Math.min(rounds, 9) });
else await run();

async function run() {
  await rudder(["init"]);
  makeTasks({ haven: env.RUDDER_HAVEN, taskCount });
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
    const ours = await perSecond(parallel, (n) => rudder(["assign", "claim", `T${2 * (base + n + 1)}`, "--quiet"]));
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
  print();
  await benchGrowth({ rounds: Math.min(rounds, 9) });
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
