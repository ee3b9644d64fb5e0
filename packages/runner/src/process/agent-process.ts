// One agent's process, the leader of a group of its own: the terminal's Ctrl-C reaches us alone, and we end the group.
// It knows nothing of what the process prints.
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

export interface AgentProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** The last words on stderr. */
  stderrTail(): string;
  /** Resolves when the process has ended and its pipes are closed. */
  readonly closed: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Asks the whole group to end, then forces it. */
  end(): Promise<void>;
}

const alive = new Set<number>();
let isExitHooked = false;

export function startAgentProcess(
  asked: AgentCommand,
  options: { readonly signal: AbortSignal; readonly onProcess?: (pid: number) => void },
): AgentProcess {
  hookExit();
  const { command, args, cwd, env } = withLauncher(asked);
  const child = spawn(command, [...args], { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {}); // an agent that does not read its prompt ends by itself, and prints why
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
    // While a group bears a number no other gets it; once our leader has ended, a process with that
    // very number is a stranger, and so is its group.
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

/** Throws where the system would not start it. */
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
 * A child of the agent may hold its pipes and outlive it; a reader must not wait for that one. What has come in
 * already is read to its end, however slowly.
 */
function endIdle(pipes: readonly Readable[]): void {
  for (const pipe of pipes) {
    if (pipe.readableEnded || pipe.readableLength > 0) continue;
    if (pipe.listenerCount("error") === 0) pipe.on("error", () => {}); // what comes later has no reader
    pipe.push(null);
  }
}

/** The last net: an exit in the middle of a run takes the agents along. */
function hookExit(): void {
  if (isExitHooked) return;
  isExitHooked = true;
  process.on("exit", () => {
    for (const pid of alive) signalGroup(pid, "SIGKILL");
  });
}
