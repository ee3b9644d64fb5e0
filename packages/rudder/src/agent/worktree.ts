// The place where an agent works: a worktree of its own on the branch `task/T042`; and what it did there. Merging is in
// merge-back.ts.
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { writeFileAtomic } from "@jeeves/state";
import { RudderError } from "../rudder-error.ts";
import type { AgentLayout } from "./agent-layout.ts";
import type { AgentRecord } from "./agent-record.ts";
import { type GitOptions, type GitPlace, git, tryGit } from "./git.ts";

/** The git repository of a project, and what is checked out in it. */
export interface Repository {
  readonly root: string;
  /** The project's place in it: empty, or `packages/shop`. */
  readonly prefix: string;
  readonly head: string;
  /** Undefined where HEAD is detached. */
  readonly branch: string | undefined;
}

/**
 * The repository of a project; undefined where there is none. A repository without a commit has nothing to branch from:
 * it is refused where a worktree is wanted, and otherwise counts as none, because it cannot show what an agent did.
 */
export async function findRepository(
  project: string,
  options: GitOptions & { readonly isForWorktree: boolean },
): Promise<Repository | undefined> {
  const place = { dir: project };
  const found = await tryGit(place, ["rev-parse", "--show-toplevel", "--show-prefix"], options);
  if (found.code !== 0) return undefined;
  const [root = project, prefix = ""] = found.stdout.split("\n");
  const head = await tryGit(place, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], options);
  if (head.code !== 0 && !options.isForWorktree) return undefined;
  if (head.code !== 0) {
    throw new RudderError("no_repository", `${root} has no commit yet`, {
      hint: "commit something first: a branch needs a beginning (or spawn with --no-worktree)",
    });
  }
  const branch = await tryGit(place, ["symbolic-ref", "--quiet", "--short", "HEAD"], options);
  return {
    root: realpathSync(root),
    prefix: prefix.replace(/\/$/, ""),
    head: head.stdout.trim(),
    branch: branch.code === 0 ? branch.stdout.trim() : undefined,
  };
}

/** The repository; throws `no_repository` where there is none. */
export function requireRepository(repository: Repository | undefined, project: string): Repository {
  if (repository !== undefined) return repository;
  throw new RudderError("no_repository", `${project} is in no git repository, so there can be no worktree`, {
    hint: "git init and commit, or spawn with --no-worktree: the agent then works in the project itself",
  });
}

interface Worktree {
  readonly path: string;
  readonly gitDir: string;
  readonly branch: string;
  readonly baseCommit: string;
  /** False where it was there already. */
  readonly isNew: boolean;
}

interface MakeWorktree {
  readonly repository: Repository;
  readonly layout: AgentLayout;
  /** Goes on with a branch or a worktree that is there. */
  readonly resume: boolean;
}

/**
 * Makes the worktree and the branch of an agent; with `resume` those of an earlier attempt will do. Throws
 * `branch_exists` before anything is made; `check` alone makes nothing.
 */
export async function makeWorktree(
  wanted: MakeWorktree,
  options: GitOptions & { readonly check?: boolean },
): Promise<Worktree> {
  const { repository, layout } = wanted;
  const main = { dir: repository.root };
  const { worktree: path, branch } = layout;
  const known = await tryGit(main, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], options);
  const hasBranch = known.code === 0;
  const hasPlace = existsSync(path);
  if ((hasBranch || hasPlace) && !wanted.resume) {
    const what = hasBranch ? `the branch ${branch} is there already` : `the directory ${path} is there already`;
    throw new RudderError("branch_exists", what, {
      hint: "go on with it: --resume; or merge it (rudder agent reap), or rename it (git branch -m), and spawn again",
      details: { branch, worktree: path },
    });
  }
  const base = hasBranch ? await git(main, ["merge-base", "HEAD", branch], options) : repository.head;
  const gitDirOf = () => git({ dir: path }, ["rev-parse", "--absolute-git-dir"], options);
  if (hasPlace) {
    const gitDir = await gitDirOf();
    if (realpathSync(dirname(dirname(gitDir))) !== (await commonDir(repository, options))) {
      throw new RudderError("branch_exists", `${path} is no worktree of ${repository.root}`, {
        hint: "move it away, and spawn again",
      });
    }
    return { path, gitDir, branch, baseCommit: base, isNew: false };
  }
  if (options.check === true) return { path, gitDir: "", branch, baseCommit: base, isNew: true };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const add = hasBranch
    ? // -f: the worktree's directory was deleted by hand, and git still remembers it
      ["worktree", "add", "-f", path, branch]
    : ["worktree", "add", "-b", branch, path, base];
  await git(main, add, options);
  return { path, gitDir: await gitDirOf(), branch, baseCommit: base, isNew: !hasBranch };
}

async function commonDir(repository: Repository, options: GitOptions): Promise<string> {
  const dir = await git({ dir: repository.root }, ["rev-parse", "--git-common-dir"], options);
  return realpathSync(resolve(repository.root, dir));
}

/** Removes what makeWorktree has just made, before anything was done there. */
export async function unmakeWorktree(repository: Repository, made: Worktree, options: GitOptions): Promise<void> {
  if (!made.isNew) return;
  await tryGit({ dir: repository.root }, ["worktree", "remove", "--force", made.path], options);
  rmSync(made.path, { recursive: true, force: true });
  await tryGit({ dir: repository.root }, ["branch", "-D", made.branch], options);
}

/** git removes only a worktree whose `.git` names its own administrative directory; an agent may have rewritten it. */
export async function restoreLink(record: AgentRecord): Promise<void> {
  if (record.worktree === undefined || record.git_dir === undefined) return;
  const link = join(record.worktree, ".git");
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) {
    throw new RudderError("dirty", `${link} is a repository that the agent made`, {
      hint: "look at it and move it away, then reap again",
    });
  }
  if (found?.isFile() === true && readFileSync(link, "utf8").trim() === `gitdir: ${record.git_dir}`) return;
  rmSync(link, { force: true });
  await writeFileAtomic(link, `gitdir: ${record.git_dir}\n`, { mode: 0o644 });
}

/** What an agent did. */
export interface WorkDone {
  /** Entries of `git status --porcelain`: what is not committed. */
  readonly changes: readonly string[];
  readonly commits: number;
  /** Every file that differs from the beginning, committed or not. */
  readonly files: readonly string[];
}

/** Where git sees an agent's work; undefined where there is no repository. */
export function placeOf(record: AgentRecord): GitPlace | undefined {
  if (record.base_commit === undefined) return undefined;
  if (record.worktree === undefined || record.git_dir === undefined) return { dir: record.project };
  return { gitDir: record.git_dir, workTree: record.worktree };
}

/** X-30: a dirty tree, or commits ahead. Undefined where there is no repository to ask. */
export async function findWork(record: AgentRecord, options: GitOptions): Promise<WorkDone | undefined> {
  const place = placeOf(record);
  if (place === undefined || record.base_commit === undefined) return undefined;
  if (record.worktree !== undefined && !existsSync(record.worktree)) return { changes: [], commits: 0, files: [] };
  const changes = await listChanges(place, options);
  const range = `${record.base_commit}..HEAD`;
  const commits = Number(await git(place, ["rev-list", "--count", range], options));
  const committed = await git(place, ["diff", "-z", "--name-only", "--no-renames", range], options);
  const before = new Set(record.base_changes?.split("\0"));
  const stamps = before.size === 0 ? [] : await stampAll(place, changes, options);
  const own = changes.filter((_, index) => !before.has(stamps[index] ?? ""));
  const files = [...committed.split("\0"), ...own.map((entry) => entry.slice(3))].filter((name) => name !== "");
  return { changes: own, commits, files: [...new Set(files)].sort() };
}

/** What is not committed, in a form in which a file that changes once more is another: for `base_changes`. */
export async function stampChanges(place: GitPlace, options: GitOptions): Promise<readonly string[]> {
  return stampAll(place, await listChanges(place, options), options);
}

async function stampAll(place: GitPlace, changes: readonly string[], options: GitOptions): Promise<readonly string[]> {
  const root = await git(place, ["rev-parse", "--show-toplevel"], options);
  return changes.map((entry) => {
    const found = lstatSync(join(root, entry.slice(3)), { bigint: true, throwIfNoEntry: false });
    return `${entry}\n${found === undefined ? "gone" : `${found.size} ${found.mtimeNs}`}`;
  });
}

/** `XY name`, the name as it is: a name may hold line ends and quotes, but no zero. */
export async function listChanges(place: GitPlace, options: GitOptions): Promise<readonly string[]> {
  const args = ["status", "-z", "--porcelain", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"];
  return (await git(place, args, options)).split("\0").filter((entry) => entry !== "");
}
