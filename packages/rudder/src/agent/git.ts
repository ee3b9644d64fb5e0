// git by argv, with a time limit. What an agent wrote must never run here: hooks, file system monitors and nested
// repositories are switched off, and a worktree is looked at through the administrative directory that we made, not
// through its own `.git` file, which its agent could have rewritten.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { startTimeLimit } from "@jeeves/base";
import { toGitEnv } from "../git-env.ts";
import { RudderError } from "../rudder-error.ts";

const TIMEOUT_MS = 120_000;
const MAX_CHARS = 4 * 1024 * 1024;
const INERT = [
  ...["-c", "core.hooksPath=/dev/null"],
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "submodule.recurse=false"],
  ...["-c", "diff.external="],
  ...["-c", "commit.gpgSign=false"],
  ...["-c", "core.quotePath=false"],
  ...["-c", "advice.detachedHead=false"],
];

/** Where git runs: in a directory, or in a worktree through an administrative directory that we know. */
export type GitPlace = { readonly dir: string } | { readonly gitDir: string; readonly workTree: string };

interface GitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs git; a refusal by git is a result. Throws `git_failed` where git cannot be run, or takes longer than two
 * minutes.
 */
export async function tryGit(place: GitPlace, args: readonly string[], options: GitOptions): Promise<GitResult> {
  const at =
    "dir" in place
      ? ["-C", place.dir]
      : ["-C", place.workTree, "--git-dir", place.gitDir, "--work-tree", place.workTree];
  const limit = startTimeLimit(TIMEOUT_MS, options.signal);
  const child = spawn("git", [...at, ...INERT, ...args], {
    env: toGitEnv(options.env),
    stdio: ["ignore", "pipe", "pipe"],
    signal: limit.signal,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (stdout.length < MAX_CHARS) stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (stderr.length < MAX_CHARS) stderr += text;
  });
  try {
    const [code] = await once(child, "close");
    return { code: code ?? 1, stdout, stderr };
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new RudderError("git_failed", `git could not be run: ${error instanceof Error ? error.message : error}`, {
      hint: "install git, or spawn with --no-worktree",
      cause: error,
    });
  } finally {
    limit.end();
  }
}

/** The output of git without its last line end; throws `git_failed` with the words of git. */
export async function git(place: GitPlace, args: readonly string[], options: GitOptions): Promise<string> {
  const { code, stdout, stderr } = await tryGit(place, args, options);
  if (code === 0) return stdout.replace(/\n$/, "");
  const words = lastWords(stderr) || lastWords(stdout) || `exit ${code}`;
  throw new RudderError("git_failed", `git ${args[0]} refused: ${words}`, {
    hint: "put that right, then run the command again",
    details: { command: ["git", ...args] },
  });
}

/** The last three lines of what a program printed, as one line of at most 500 characters. */
export function lastWords(text: string): string {
  return text.trim().split("\n").slice(-3).join(" ").slice(0, 500);
}
