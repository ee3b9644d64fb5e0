// Children in process groups of their own, none of which outlives us: every group that was started
// here is recorded until it is empty, and killed when the server ends. A supervised command has
// a group with one member, the supervisor, which passes SIGTERM on to all that it started.
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { isProcessThere, PROC, readProcess, systemCodeOf } from "@jeeves/base";
import { WorkspaceError } from "../workspace-error.ts";
import { REPORT_FD, SUPERVISOR_GRACE_MS } from "./supervisor.ts";

const GRACE_MS = 300;
/**
 * A supervisor may react to SIGTERM a second late, and then waits twice itself, after SIGTERM and after SIGKILL. It must not
 * be killed before: what it started could not be found any more.
 */
const SUPERVISED_GRACE_MS = 2 * SUPERVISOR_GRACE_MS + 2000;
const POLL_MS = 20;

/** A started child that leads a process group; `id` is the number of both. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Undefined where nothing was started. */
  readonly id: number | undefined;
  /** The supervisor's report; undefined where there is no supervisor. */
  readonly report: Readable | undefined;
}

/** Where a child is started, and with which environment, which is its whole environment. */
export interface StartOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the program is a supervisor (supervisor.ts), which reports on a descriptor of its own. */
  readonly isSupervised?: boolean;
}

interface KnownGroup {
  /** Whether its first process, the leader, has ended. */
  leaderEnded: boolean;
  readonly isSupervised: boolean;
}

const known = new Map<number, KnownGroup>();
let exitHooked = false;

/**
 * Starts a program without stdin. Throws a WorkspaceError where Node refuses at once; other failures are emitted by the
 * child as `error`.
 */
export function startGroup(file: string, args: readonly string[], options: StartOptions): ProcessGroup {
  if (!exitHooked) {
    exitHooked = true;
    process.on("exit", signalAllAtExit); // as a last resort; nothing asynchronous runs any more
  }
  const child = spawnOrThrow(file, args, options);
  const id = child.pid;
  if (id !== undefined) {
    const entry: KnownGroup = { leaderEnded: false, isSupervised: options.isSupervised === true };
    known.set(id, entry);
    child.once("exit", () => {
      entry.leaderEnded = true;
      if (!isRunning(id)) known.delete(id);
    });
  }
  // Node makes no streams at all where descriptors have run out.
  const { stdio }: { readonly stdio?: ChildProcess["stdio"] } = child;
  const report = stdio?.[REPORT_FD];
  return { child, id, report: report && "read" in report ? report : undefined };
}

/** Node throws some failures (arguments too long) and emits others; the caller handles those that are emitted. */
function spawnOrThrow(file: string, args: readonly string[], options: StartOptions): ChildProcess {
  const { cwd, env, isSupervised } = options;
  try {
    const report = isSupervised === true ? ["pipe" as const] : [];
    return spawn(file, [...args], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe", ...report] });
  } catch (error) {
    throw spawnError(file, error);
  }
}

/** Why a program did not start, with a hint that depends on whether a limit of the machine was reached. */
export function spawnError(file: string, error: unknown): WorkspaceError {
  const why = error instanceof Error ? error.message : String(error);
  const isFull = ["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"].includes(systemCodeOf(error) ?? "");
  return new WorkspaceError("spawn_error", `${file} did not start: ${why}`, {
    hint: isFull
      ? "this process or machine is at a limit: try again when other calls have ended"
      : "try again with a shorter command or fewer arguments",
    cause: error,
  });
}

/** Ends a whole group: SIGTERM, then SIGKILL. Resolves when it is gone, or cannot be ended. */
export async function endGroup(id: number | undefined): Promise<void> {
  if (id === undefined) return;
  signalGroup(id, "SIGTERM");
  if (await isGoneWithin(id, known.get(id)?.isSupervised === true ? SUPERVISED_GRACE_MS : GRACE_MS)) return;
  signalGroup(id, "SIGKILL");
  await isGoneWithin(id, GRACE_MS); // bounded: a process inside a system call may take long to end
  known.delete(id); // nothing more can be done to it
}

/** Ends every group that was started here: those of running commands, and those that commands left behind. */
export async function killBackground(): Promise<void> {
  await Promise.all([...known.keys()].map(endGroup));
}

function signalAllAtExit(): void {
  for (const [id, { isSupervised }] of known) signalGroup(id, isSupervised ? "SIGTERM" : "SIGKILL");
}

function signalGroup(id: number, signal: NodeJS.Signals): void {
  if (!isRunning(id)) return;
  try {
    process.kill(-id, signal);
  } catch (error) {
    if (systemCodeOf(error) === "ESRCH") known.delete(id);
  }
}

async function isGoneWithin(id: number, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while (isRunning(id)) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  known.delete(id);
  return true;
}

/**
 * The system gives a number to no new process while a group has it. So once our leader has ended, a
 * living process with that pid is not ours, and neither is the group.
 */
function isRunning(id: number): boolean {
  if (known.get(id)?.leaderEnded === true && isProcessThere(id)) return false;
  return isProcessThere(-id) && hasLiveMember(id);
}

/** Zombies still accept signals, for seconds where init is slow to reap them: only other processes count. */
function hasLiveMember(id: number): boolean {
  let names: string[];
  try {
    names = readdirSync(PROC);
  } catch {
    return true; // no /proc on this platform: rely on the signal
  }
  if (!names.includes("self")) return true; // an empty /proc is no evidence
  return names.some((name) => {
    const row = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    return row?.group === id && !row.hasEnded;
  });
}
