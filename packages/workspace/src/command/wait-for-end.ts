// Waits for the end of one command: its shell has ended, its time is over, or the caller aborts. Background children do not
// delay it.
import { constants } from "node:os";
import type { BoundedStream } from "./bounded-output.ts";
import { endGroup, type ProcessGroup, spawnError } from "./process-group.ts";
import { STARTED } from "./supervisor.ts";

/** J-36: after the shell has ended, its pipes get this long; a background child may keep them open for ever. */
const PIPE_GRACE_MS = 200;

/** How a program ended; a signal n gives the exit code 128+n. */
export interface Ended {
  readonly exitCode: number;
  readonly timedOut: boolean;
  /** False where a supervisor ended before it started the command. */
  readonly hasStarted: boolean;
  /** A signal that may be ours ended the program. */
  readonly wasStopped: boolean;
}

/** The limits, and where the output goes. */
export interface Waiting {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly stdout: BoundedStream;
  readonly stderr: BoundedStream;
}

/** Collects what the command prints until its shell has ended, or ends it at the time limit or the abort. */
export async function waitForEnd(group: ProcessGroup, waiting: Waiting): Promise<Ended> {
  const { child } = group;
  let timedOut = false;
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= endGroup(group.id);
  };
  const shell = followShell(group);
  let check: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // Pending events first: where our own event loop was late, the exit may be waiting to be handled.
    check = setImmediate(() => {
      if (shell.exitCode !== undefined) return; // only its pipes are still open
      timedOut = true;
      end();
    });
  }, waiting.timeoutMs);
  waiting.signal?.addEventListener("abort", end, { once: true });
  const keepOut = (chunk: Uint8Array) => waiting.stdout.add(chunk);
  const keepErr = (chunk: Uint8Array) => waiting.stderr.add(chunk);
  child.stdout?.on("data", keepOut);
  child.stderr?.on("data", keepErr);
  try {
    await shell.ended;
    await ending;
    return {
      exitCode: shell.exitCode ?? 0,
      timedOut,
      hasStarted: shell.hasStarted,
      wasStopped: child.signalCode === "SIGTERM" || child.signalCode === "SIGKILL",
    };
  } finally {
    clearTimeout(timer);
    clearImmediate(check);
    waiting.signal?.removeEventListener("abort", end);
    child.stdout?.off("data", keepOut);
    child.stderr?.off("data", keepErr);
    letRun(group);
  }
}

interface Shell {
  /** Undefined while it runs. */
  exitCode: number | undefined;
  hasStarted: boolean;
  /** Resolves when the shell has ended and its pipes are closed, at the latest PIPE_GRACE_MS after its end. */
  readonly ended: Promise<void>;
}

function followShell(group: ProcessGroup): Shell {
  const { child, report } = group;
  const { promise, resolve, reject } = withResolvers();
  const shell: Shell = { exitCode: undefined, hasStarted: report === undefined, ended: promise };
  let grace: NodeJS.Timeout | undefined;
  const finish = () => {
    clearTimeout(grace);
    resolve();
  };
  const onShellEnd = (exitCode: number) => {
    if (shell.exitCode !== undefined) return;
    shell.exitCode = exitCode;
    grace = setTimeout(finish, PIPE_GRACE_MS);
  };
  child.once("error", (error) => {
    if (group.id !== undefined) return; // a signal could not be sent; the exit event still comes
    reject(spawnError(child.spawnfile, error));
  });
  child.once("exit", (code, signal) => onShellEnd(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  child.once("close", finish);
  // A supervisor stays as long as what the shell left behind: then it reports the shell's exit code.
  let reported = "";
  const pipes = report === undefined ? [] : [child.stdout, child.stderr].filter((pipe) => pipe !== null);
  const finishIfClosed = () => {
    if (reported.endsWith("\n") && pipes.every((pipe) => pipe.closed)) finish();
  };
  for (const pipe of pipes) pipe.once("close", finishIfClosed);
  report?.on("error", () => {}); // the exit event is enough
  report?.on("data", (chunk: Buffer) => {
    reported += chunk.toString("latin1");
    shell.hasStarted = reported.startsWith(STARTED);
    if (!reported.endsWith("\n")) return;
    onShellEnd(Number(reported.slice(STARTED.length)));
    finishIfClosed();
  });
  return shell;
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function withResolvers() {
  let resolve: () => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}

/** A child that still has the pipes lives on: its output is read and dropped, because a closed pipe would kill it. Nothing
 * of it keeps this process running. */
function letRun({ child, report }: ProcessGroup): void {
  for (const stream of [child.stdout, child.stderr, report]) {
    if (!stream) continue; // Node makes none where descriptors have run out
    stream.on("error", () => {});
    stream.resume();
    if ("unref" in stream && typeof stream.unref === "function") stream.unref();
  }
  child.unref();
}
