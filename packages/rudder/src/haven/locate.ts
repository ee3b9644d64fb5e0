// Which project this is, and where its haven lies (RU-01, RU-19). Asking git is the only thing that is run here, by argv.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { homeOf } from "@jeeves/base";
import { toGitEnv } from "../git-env.ts";
import { RudderError } from "../rudder-error.ts";

const GIT_TIMEOUT_MS = 15_000;

export interface Place {
  readonly project: string;
  readonly projectHash: string;
  readonly haven: string;
}

export interface LocateOptions {
  readonly cwd: string;
  readonly root?: string | undefined;
  /** RUDDER_HAVEN: wins over everything. */
  readonly haven?: string | undefined;
  readonly home?: string | undefined;
  /** What git is asked in; default: this process' own. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function locate(options: LocateOptions): Promise<Place> {
  const home = homeOf({ HOME: options.home });
  const project = options.root === undefined ? findProject(options.cwd, home) : namedProject(options.root, options.cwd);
  const origin = await originOf(project, options);
  const projectHash = createHash("sha256")
    .update(origin ?? project)
    .digest("hex")
    .slice(0, 12);
  const haven =
    options.haven === undefined || options.haven === ""
      ? join(home, ".sailing", "havens", projectHash)
      : resolve(options.cwd, options.haven);
  return { project, projectHash, haven };
}

function namedProject(root: string, cwd: string): string {
  const path = resolve(cwd, root);
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch {
    // Said below, with the same words as for a file.
  }
  throw new RudderError("invalid_argument", `${path} is no directory`, {
    hint: "--root (or SAILING_PROJECT) names the project's own directory",
  });
}

/**
 * The nearest directory above that has `.sailing/`, within the repository: a stray one further up must not swallow every
 * repository below it. A worktree (`.git` is a file there) belongs to a project above it, if there is one.
 */
function findProject(cwd: string, home: string): string {
  const start = realpathSync(cwd);
  let worktree: string | undefined;
  for (let dir = start; ; dir = dirname(dir)) {
    // Every haven lies in ~/.sailing: that makes nobody's home a project.
    if (dir !== home && existsSync(join(dir, ".sailing"))) return dir;
    const git = statSync(join(dir, ".git"), { throwIfNoEntry: false });
    if (git?.isDirectory() === true) return worktree ?? dir;
    if (git !== undefined) worktree ??= dir;
    if (dirname(dir) === dir) return worktree ?? start;
  }
}

/**
 * Undefined where there is none, or no git: the path is the project. A git that was stopped has said nothing: to take that
 * for "none" would lead to another haven, and to a second holder of every task.
 */
async function originOf(project: string, options: LocateOptions): Promise<string | undefined> {
  if (!existsSync(join(project, ".git"))) return undefined;
  const { signal } = options;
  try {
    const { stdout } = await promisify(execFile)("git", ["-C", project, "config", "--get", "remote.origin.url"], {
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
