// Children in process groups of their own, and the promise that none outlives us: every group that
// was started here is known until it is empty, and killed when the server ends. A supervised
// command has a group with one member, the supervisor, which passes SIGTERM on to all that it started.
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { isProcessThere, PROC, readProcess, systemCodeOf } from "@jeeves/base";
import { WorkspaceError } from "../workspace-error.ts";
import { REPORT_FD, SUPERVISOR_GRACE_MS } from "./supervisor.ts";

const GRACE_MS = 300;
/**
 * A supervisor may hear SIGTERM a second late, asks, waits, forces and waits again; without it what it started could not
 * be found any more.
 */
const SUPERVISED_GRACE_MS = 2 * SUPERVISOR_GRACE_MS + 2000;
const POLL_MS = 20;

export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Undefined when nothing was started. */
  readonly id: number | undefined;
  /** What the supervisor reports; undefined where there is none. */
  readonly report: Readable | undefined;
}

export interface StartOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Its program is a supervisor. */
  readonly isSupervised?: boolean;
}

interface KnownGroup {
  /** Whether its first process, the leader, has ended. */
  leaderEnded: boolean;
  readonly isSupervised: boolean;
}

const known = new Map<number, KnownGroup>();
let exitHooked = false;

export function startGroup(file: string, args: readonly string[], options: StartOptions): ProcessGroup {
  if (!exitHooked) {
    exitHooked = true;
    process.on("exit", signalAllAtExit); // the last net: nothing asynchronous runs any more
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

/** Node throws some failures (arguments too long) and emits others; the emitted ones are for the caller. */
function spawnOrThrow(file: string, args: readonly string[], options: StartOptions): ChildProcess {
  const { cwd, env, isSupervised } = options;
  try {
    const report = isSupervised === true ? ["pipe" as const] : [];
    return spawn(file, [...args], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe", ...report] });
  } catch (error) {
    throw spawnError(file, error);
  }
}

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

/** Ends a whole group: asked first, then forced. Resolves when it is gone. */
export async function endGroup(id: number | undefined): Promise<void> {
  if (id === undefined) return;
  signalGroup(id, "SIGTERM");
  if (await isGoneWithin(id, known.get(id)?.isSupervised === true ? SUPERVISED_GRACE_MS : GRACE_MS)) return;
  signalGroup(id, "SIGKILL");
  await isGoneWithin(id, GRACE_MS); // bounded: a process in the kernel's hands may take its time to die
  known.delete(id); // nothing more can be done to it
}

/** Every group that a command left behind, and those still at work. */
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
 * The system keeps a number from being used again while a group bears it. So once our leader has
 * ended, a living process with that very number is a stranger, and the group is not ours any more.
 */
function isRunning(id: number): boolean {
  if (known.get(id)?.leaderEnded === true && isProcessThere(id)) return false;
  return isProcessThere(-id) && hasLiveMember(id);
}

/** The dead who wait for their parent still answer to a signal; where init is slow to collect them, for seconds. */
function hasLiveMember(id: number): boolean {
  let names: string[];
  try {
    names = readdirSync(PROC);
  } catch {
    return true; // no such list on this platform: believe the signal
  }
  if (!names.includes("self")) return true; // an empty /proc tells nothing
  return names.some((name) => {
    const row = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    return row?.group === id && !row.hasEnded;
  });
}
