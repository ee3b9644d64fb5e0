// A program with a time limit that ends all of its processes: vitest ends at once on SIGTERM, but its workers and what
// they started go on, and would slow down what runs next. So it gets a process group, and a mark in its environment by
// which processes that left the group are found as well.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const MARK = "JEEVES_BOUNDED_RUN";
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 5_000;

/** Runs it to its end, or until the signal: then it `wasEnded`. Nothing of it is left when this resolves. */
export async function runBounded(command, args, { cwd, env, until }) {
  const mark = `${MARK}=${randomUUID()}`;
  const [name, value] = mark.split("=");
  const child = spawn(command, args, {
    cwd,
    env: { ...env, [name]: value },
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
  });
  const stop = (signal) => {
    signalAll(child.pid, mark, "SIGKILL");
    process.exit(signal === "SIGINT" ? 130 : 143);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop);
  let forced;
  const end = () => {
    signalAll(child.pid, mark, "SIGTERM");
    forced = setTimeout(() => signalAll(child.pid, mark, "SIGKILL"), GRACE_MS);
  };
  until.addEventListener("abort", end, { once: true });
  try {
    const [code] = await once(child, "exit");
    if (until.aborted) await othersEnded(mark);
    return { status: code ?? 1, wasEnded: until.aborted };
  } finally {
    until.removeEventListener("abort", end);
    clearTimeout(forced);
    signalAll(child.pid, mark, "SIGKILL");
    for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, stop);
  }
}

async function othersEnded(mark) {
  const latest = performance.now() + GRACE_MS;
  while (marked(mark).length > 0 && performance.now() < latest) await delay(100);
}

function signalAll(pid, mark, signal) {
  for (const target of [-pid, ...marked(mark)]) {
    try {
      process.kill(target, signal);
    } catch {
      // Gone already.
    }
  }
}

/** Living processes that carry the mark; where the system has no /proc the group has to do. */
function marked(mark) {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && hasMark(name, mark))
      .map(Number);
  } catch {
    return [];
  }
}

function hasMark(pid, mark) {
  try {
    if (/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"))) return false;
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark);
  } catch {
    return false;
  }
}
