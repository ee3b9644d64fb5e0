// One command in the platform's shell, with a time limit, a size limit and an end. It runs with all
// rights of this process (J-37): this is no sandbox. A command that failed or timed out has an outcome;
// only one that could not be started is an error.
import { stat } from "node:fs/promises";
import { systemCodeOf } from "@jeeves/base";
import { type Root, resolveInside } from "../root.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { type BoundedStream, createBoundedStream, shareLimit } from "./bounded-output.ts";
import { findShell } from "./find-shell.ts";
import { startGroup } from "./process-group.ts";
import { type Program, superviseProgram } from "./supervisor.ts";
import { type Ended, waitForEnd } from "./wait-for-end.ts";

/** A command, where it runs, and its limits. */
export interface RunCommandOptions {
  readonly command: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly baseEnv: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** For stdout and stderr together; each may have at least half. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** What a command printed, and how it ended. */
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

/** Runs a shell command inside a root; its whole process group ends with a timeout or an abort. */
export async function runCommand(root: Root, options: RunCommandOptions): Promise<CommandOutcome> {
  const cwd = await resolveCwd(root, options.cwd ?? ".", "invalid_cwd");
  const env = { ...withoutOurSettings(options.baseEnv), ...options.env };
  const shell = await findShell(options.baseEnv);
  const bare: Program = { file: shell.path, args: [shell.flag, options.command], env };
  const supervised = await superviseProgram(bare);
  options.signal?.throwIfAborted();

  const startedMs = performance.now();
  const ended =
    (supervised && (await runSupervised(supervised, cwd, options))) ?? (await runProgram(bare, cwd, options));
  options.signal?.throwIfAborted();

  const [out, err] = shareLimit(ended.stdout.read(), ended.stderr.read(), options);
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

interface RunProgram extends Ended {
  readonly stdout: BoundedStream;
  readonly stderr: BoundedStream;
}

/** Undefined where the supervisor did not start the command; the caller then runs it without one. */
async function runSupervised(
  program: Program,
  cwd: string,
  options: RunCommandOptions,
): Promise<RunProgram | undefined> {
  let ended: RunProgram;
  try {
    ended = await runProgram(program, cwd, { ...options, isSupervised: true });
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "spawn_error") return undefined; // alone it may be short enough
    throw error;
  }
  return ended.hasStarted || ended.timedOut || ended.wasStopped ? ended : undefined;
}

async function runProgram(
  { file, args, env }: Program,
  cwd: string,
  options: RunCommandOptions & { readonly isSupervised?: boolean },
): Promise<RunProgram> {
  options.signal?.throwIfAborted(); // right before the listener in waitForEnd: an abort in between would be missed
  const { isSupervised = false } = options;
  const stdout = createBoundedStream(options.maxBytes);
  const stderr = createBoundedStream(options.maxBytes);
  const ended = await waitForEnd(startGroup(file, args, { cwd, env, isSupervised }), { ...options, stdout, stderr });
  return { ...ended, stdout, stderr };
}

/** The real path of a directory inside the root. Throws a WorkspaceError with `code` where there is none. */
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

/** J-33: commands do not inherit our own settings. */
function withoutOurSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:MCP_)?PRUNER_/.test(name)));
}
