// One agent's process, the leader of a process group of its own: the terminal's Ctrl-C reaches only us, and we end the
// group. Its output is read elsewhere.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { isProcessThere } from "@jeeves/base";
import { messageOf, RunnerError } from "../runner-error.ts";
import { withLauncher } from "./launcher.ts";

const GRACE_MS = 1_000;
const STDERR_TAIL_CHARS = 4_000;

interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A started agent and the means to end it. `child` has no pid where the system refused to start it (see waitForSpawn). */
export interface AgentProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** The last 4,000 characters of stderr. */
  stderrTail(): string;
  /** Resolves when the process has ended and its pipes are closed. */
  readonly closed: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Ends the whole group: SIGTERM, then SIGKILL after a second. */
  end(): Promise<void>;
}

const alive = new Set<number>();
let isExitHooked = false;

/**
 * Starts a program, behind the run's launcher if there is one. An abort of `signal` ends its process group, and so does the
 * exit of this process. `onProcess` is called with the pid.
 */
export function startAgentProcess(
  asked: AgentCommand,
  options: { readonly signal: AbortSignal; readonly onProcess?: (pid: number) => void },
): AgentProcess {
  hookExit();
  const { command, args, cwd, env } = withLauncher(asked);
  const child = spawn(command, [...args], { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {}); // an agent that does not read its prompt exits, and prints why
  let tail = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    tail = (tail + text).slice(-STDERR_TAIL_CHARS);
  });
  const { pid } = child;
  if (pid !== undefined) {
    alive.add(pid);
    options.onProcess?.(pid);
  }

  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const end = async () => {
    // The system gives a number to no new process while a group has it. So once our leader has ended, a process with its pid
    // is not ours, and neither is the group.
    if (pid === undefined || (hasEnded() && isProcessThere(pid))) return;
    signalGroup(pid, "SIGTERM");
    await Promise.race([closed, delay(GRACE_MS, undefined, { ref: false })]);
    if (!(hasEnded() && isProcessThere(pid))) signalGroup(pid, "SIGKILL");
  };
  const onAbort = () => void end();
  options.signal.addEventListener("abort", onAbort, { once: true });
  let release: NodeJS.Timeout | undefined;
  child.once("exit", () => {
    release = setInterval(() => endIdle([child.stdout, child.stderr]), GRACE_MS);
  });
  const closed = once(child, "close")
    .then(([code, signal]) => ({ code, signal }))
    .catch(() => ({ code: null, signal: null }))
    .finally(() => {
      clearInterval(release);
      options.signal.removeEventListener("abort", onAbort);
      if (pid !== undefined) alive.delete(pid);
    });
  if (options.signal.aborted) onAbort();
  return { child, stderrTail: () => tail, closed, end };
}

/** Resolves when the process runs. Rejects with a RunnerError where the system could not start it. */
export async function waitForSpawn({ child }: AgentProcess, command: string): Promise<void> {
  if (child.pid !== undefined) return;
  const error: unknown = await once(child, "spawn").catch((reason: unknown) => reason);
  throw new RunnerError("agent_not_started", `${command} could not be started: ${messageOf(error)}`, {
    hint: `run ${command} by hand and see what it says`,
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // No process is left in it.
  }
}

/**
 * A child of the agent may inherit its pipes and outlive it; a reader must not wait for that child. Output that has arrived
 * is still read to its end, however slowly.
 */
function endIdle(pipes: readonly Readable[]): void {
  for (const pipe of pipes) {
    if (pipe.readableEnded || pipe.readableLength > 0) continue;
    if (pipe.listenerCount("error") === 0) pipe.on("error", () => {}); // what comes later has no reader
    pipe.push(null);
  }
}

/** When this process exits in the middle of a run, its agents are killed. */
function hookExit(): void {
  if (isExitHooked) return;
  isExitHooked = true;
  process.on("exit", () => {
    for (const pid of alive) signalGroup(pid, "SIGKILL");
  });
}
