// One command in the platform's shell, with a time limit, a size limit and an end. It runs with all
// rights of this process (J-37): this is no sandbox. A command that failed or timed out did run, so
// that is an outcome; only what could not start is an error.
import { stat } from "node:fs/promises";
import { constants } from "node:os";
import { systemCodeOf } from "@jeeves/base";
import { type Root, resolveInside } from "../root.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { type BoundedStream, createBoundedStream, shareLimit } from "./bounded-output.ts";
import { findShell } from "./find-shell.ts";
import { endGroup, type ProcessGroup, spawnError, startGroup } from "./process-group.ts";

/** J-36: after the shell has ended, its pipes get this long; a background child may keep them open for ever. */
const PIPE_GRACE_MS = 200;

export interface RunCommandOptions {
  readonly command: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly baseEnv: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** For stdout and stderr together, each sure of half. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface CommandOutcome {
  readonly stdout: string;
  readonly stderr: string;
  /** The shell's own; 128+n when signal n ended it, so after a timeout mostly 143 or 137. */
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly truncated: boolean;
  readonly validUtf8: boolean;
  readonly durationMs: number;
  readonly cwd: string;
}

export async function runCommand(root: Root, options: RunCommandOptions): Promise<CommandOutcome> {
  const cwd = await resolveCwd(root, options.cwd ?? ".", "invalid_cwd");
  const env = { ...withoutOurSettings(options.baseEnv), ...options.env };
  const shell = await findShell(options.baseEnv);
  options.signal?.throwIfAborted();

  const startedMs = performance.now();
  const group = startGroup(shell.path, [shell.flag, options.command], { cwd, env });
  const stdout = createBoundedStream(options.maxBytes);
  const stderr = createBoundedStream(options.maxBytes);
  const ended = await waitForEnd(group, { ...options, stdout, stderr });
  options.signal?.throwIfAborted();

  const [out, err] = shareLimit(stdout.read(), stderr.read(), options);
  return {
    stdout: out.text,
    stderr: err.text,
    exitCode: ended.exitCode,
    timedOut: ended.timedOut,
    truncated: out.truncated || err.truncated,
    validUtf8: out.validUtf8 && err.validUtf8,
    durationMs: Math.round(performance.now() - startedMs),
    cwd,
  };
}

export async function resolveCwd(root: Root, cwd: string, code: "invalid_cwd" | "invalid_path"): Promise<string> {
  try {
    const { real } = await resolveInside(root, cwd);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    if (!(error instanceof WorkspaceError) && systemCodeOf(error) === undefined) throw error;
    const why = error instanceof WorkspaceError ? error.message : String(systemCodeOf(error));
    throw new WorkspaceError(code, `cannot start in ${cwd}: ${why}`, {
      hint: "name an existing directory inside the root",
      cause: error,
    });
  }
  throw new WorkspaceError(code, `cannot start in ${cwd}: not a directory`, {
    hint: "name an existing directory inside the root",
  });
}

/** J-33: our own settings are no business of what we start. */
function withoutOurSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:MCP_)?PRUNER_/.test(name)));
}

interface Ended {
  readonly exitCode: number;
  readonly timedOut: boolean;
}

interface Waiting {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly stdout: BoundedStream;
  readonly stderr: BoundedStream;
}

async function waitForEnd(group: ProcessGroup, waiting: Waiting): Promise<Ended> {
  const { child } = group;
  let timedOut = false;
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= endGroup(group.id);
  };
  let check: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // One look at what happened first: where our own loop was late, the end may be waiting to be heard.
    check = setImmediate(() => {
      if (child.exitCode !== null || child.signalCode !== null) return; // only its pipes are still open
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
    const exitCode = await exitOf(group);
    await ending;
    return { exitCode, timedOut };
  } finally {
    clearTimeout(timer);
    clearImmediate(check);
    waiting.signal?.removeEventListener("abort", end);
    child.stdout?.off("data", keepOut);
    child.stderr?.off("data", keepErr);
    letRun(group);
  }
}

/** Resolves when the shell has ended and its pipes are closed, or have had their time. */
function exitOf(group: ProcessGroup): Promise<number> {
  const { child } = group;
  return new Promise((done, fail) => {
    let exitCode = 0;
    let grace: NodeJS.Timeout | undefined;
    child.once("error", (error) => {
      if (group.id !== undefined) return; // a signal that could not be sent; the exit still comes
      fail(spawnError(child.spawnfile, error));
    });
    child.once("exit", (code, signal) => {
      exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      grace = setTimeout(() => done(exitCode), PIPE_GRACE_MS);
    });
    child.once("close", () => {
      clearTimeout(grace);
      done(exitCode);
    });
  });
}

/** What still holds the pipes lives on: its output is read and forgotten (a closed pipe would kill it), and keeps nobody awake. */
function letRun({ child }: ProcessGroup): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue; // Node makes none where descriptors have run out
    stream.on("error", () => {});
    stream.resume();
    if ("unref" in stream && typeof stream.unref === "function") stream.unref();
  }
  child.unref();
}
