// what a call costs one server with 200, 5,000 and 20,000 tasks: show, claim, log and ready, each beside changes
// that others make meanwhile, and memory after some thousand calls. The ratio of the largest to the smallest is what counts.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/setup.mjs";
import { median, print, printFigure } from "./figures.mjs";
import { makeTasks } from "./rudder-haven.mjs";
import { cpuMs, ended, openClient, rssMb, started } from "./rudder-server.mjs";
import { createTempDir } from "./temp-dir.mjs";

const SIZES = [200, 5_000, 20_000];
const MAX_RATIO = 2;
const MAX_MB = 200;
/** Before anything is measured: a server that has just started spends most of a call on compiling itself. */
const WARM_CALLS = 150;
const WORK = { clients: 50, calls: 10_000 };
const AFTER_DONE = "deps ready after a task was done";

/** @param {{ rounds: number }} options */
export async function benchGrowth({ rounds }) {
  print(
    `one server, ${SIZES.join(", ")} tasks: the CPU time of a call, ${rounds} calls each, in turns with claims by another`,
  );
  const found = [];
  for (const taskCount of SIZES) found.push(await measure({ taskCount, rounds }));
  for (const name of Object.keys(found[0].times)) {
    for (const { taskCount, times } of found)
      printFigure(`${name}, ${taskCount} tasks`, times[name], { unit: " ms", digits: 2 });
    const isBound = ["task_show", "assign_claim", "task_log", "deps ready", AFTER_DONE].includes(name);
    const ratio = found.at(-1).times[name] / found[0].times[name];
    printFigure(`${name}, 20,000 to 200`, ratio, { unit: " x", digits: 2, ...(isBound ? { atMost: MAX_RATIO } : {}) });
  }
  printFigure("memory, 20,000 tasks", found.at(-1).mb, { unit: " MB", digits: 0, atMost: MAX_MB });
}

async function measure({ taskCount, rounds }) {
  const dir = createTempDir();
  const haven = join(dir, "haven");
  const env = { PATH: process.env.PATH, HOME: dir, RUDDER_HAVEN: haven };
  for (const folder of ["artefacts/prds", "memory", "runs", "assignments"])
    mkdirSync(join(haven, folder), { recursive: true });
  makeTasks({ haven, taskCount });
  const socket = join(haven, "mcp.sock");
  const server = await started(
    [join(root, "packages/rudder/dist/rudder-server.js"), "--socket", socket, "--project-root", dir],
    { dir, env, socket },
  );
  try {
    const [one, other] = [await openClient(socket), await openClient(socket)];
    // Everything is read, and settles.
    await one.call("status", {});
    await new Promise((settled) => setTimeout(settled, 2_500));
    let next = 1;
    const calls = {
      task_show: () => one.call("task_show", { task_id: "T042" }),
      assign_claim: () => one.call("assign_claim", { task_id: `T${free(next++)}` }),
      task_log: () => one.call("task_log", { task_id: "T042", message: "what was learned" }),
      "deps ready": () => one.call("cli", { command: "deps ready" }),
      task_show_memory: () => one.call("task_show_memory", { task_id: "T042" }),
      status: () => one.call("status", {}),
    };
    const claim = () => other.call("assign_claim", { task_id: `T${free(next++)}` });
    const release = () => other.call("cli", { command: `assign release T${free(next - 1)} --status todo` });
    // A haven of 200 tasks has 100 that can be claimed: they are given back.
    const another = async () => {
      if (next > 80) next = 1;
      await claim();
      await release();
    };
    const done = () => other.call("cli", { command: `task done T${free(next++)}` });
    for (let n = 0; n < WARM_CALLS; n++) {
      await another();
      for (const name of ["task_show", "task_log", "deps ready"]) await calls[name]();
    }
    next = 1;
    const times = {};
    for (const [name, call] of Object.entries(calls))
      times[name] = await cpuPerCall(server.pid, {
        rounds,
        between: name === "assign_claim" ? undefined : another,
        call,
      });
    next = 40;
    times[AFTER_DONE] = await cpuPerCall(server.pid, { rounds, between: done, call: calls["deps ready"] });
    await work(socket);
    return { taskCount, times, mb: rssMb(server.pid) };
  } finally {
    await ended(server);
  }
}

/** What agents do most, until the heap has the size that it keeps. */
async function work(socket) {
  const clients = await Promise.all(Array.from({ length: WORK.clients }, () => openClient(socket)));
  let n = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (n < WORK.calls)
        await client.call("task_log", { task_id: `T${1 + (n++ % 200)}`, message: "what was learned" });
    }),
  );
  for (const client of clients) client.close();
}

/** The median of what the server's threads were on a processor for; another's change comes before each call. */
async function cpuPerCall(pid, { rounds, between, call }) {
  const took = [];
  for (let round = 0; round < rounds + 2; round++) {
    await between?.();
    const from = await settledCpuMs(pid);
    await call();
    if (round >= 2) took.push((await settledCpuMs(pid)) - from);
  }
  return median(took);
}

/** What is left of a call (its lock, its notices) belongs to it. */
async function settledCpuMs(pid) {
  await new Promise((next) => setTimeout(next, 30));
  return cpuMs(pid);
}

/** Tasks that wait for nothing: every other one (rudder-haven.mjs). */
function free(n) {
  return 2 * n;
}
