// What git knows about a project: where it comes from, and which repository it is a worktree of. By argv, and bounded.
import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { toGitEnv } from "../../git-env.ts";
import { RudderError } from "../../rudder-error.ts";

const GIT_TIMEOUT_MS = 15_000;

/** How git is asked. */
export interface AskGit {
  /** Default: this process' own. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The address of the project's origin; undefined where there is none, or no git. */
export async function originOf(project: string, options: AskGit): Promise<string | undefined> {
  return askGit(project, ["config", "--get", "remote.origin.url"], options);
}

/** The repository's own directory, which its worktrees share. */
export async function repositoryOf(project: string, options: AskGit): Promise<string | undefined> {
  const dir = await askGit(project, ["rev-parse", "--git-common-dir"], options);
  try {
    return dir === undefined ? undefined : realpathSync(resolve(project, dir));
  } catch {
    return undefined;
  }
}

/**
 * A git that was stopped has not answered: to take that for "none" would lead to another haven, and to a second holder
 * of every task.
 */
async function askGit(project: string, args: readonly string[], options: AskGit): Promise<string | undefined> {
  if (!existsSync(join(project, ".git"))) return undefined;
  const { signal } = options;
  try {
    const { stdout } = await promisify(execFile)("git", ["-C", project, ...args], {
      env: toGitEnv(options.env ?? process.env),
      timeout: GIT_TIMEOUT_MS,
      ...(signal === undefined ? {} : { signal }),
    });
    return stdout.trim() || undefined;
  } catch (error) {
    signal?.throwIfAborted();
    const wasStopped = error instanceof Error && "signal" in error && typeof error.signal === "string";
    if (!wasStopped) return undefined;
    throw new RudderError("busy", `git was stopped before it said where ${project} comes from`, {
      hint: "run the command again, or set RUDDER_HAVEN",
      cause: error,
    });
  }
}
