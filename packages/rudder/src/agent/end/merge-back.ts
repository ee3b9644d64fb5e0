// Merges an agent's branch into the branch that it came from, or refuses with the reason. A conflict is found before
// anything is touched; after a refusal both branches and both trees are as they were, except for a commit that the
// caller made first, which the refusal names.
import { RudderError } from "../../rudder-error.ts";
import type { AgentRecord } from "../agent-record.ts";
import { type GitOptions, type GitPlace, git, tryGit } from "../git.ts";
import { listChanges } from "../worktree.ts";

const SHOWN = 10;

interface MergeWanted {
  readonly record: AgentRecord;
  readonly branch: string;
  /** The worktree's place, for what is not committed yet. */
  readonly place: GitPlace;
  readonly title: string;
  /** The commit that was made of the agent's uncommitted work a moment ago: it stays, whatever becomes of the merge. */
  readonly committed?: string | undefined;
}

/** How many commits were merged, and the merge commit. */
export interface Merged {
  readonly commits: number;
  /** Undefined where there was nothing to merge. */
  readonly commit: string | undefined;
}

/** Merges with a merge commit. Throws `conflict`, `dirty` or `git_failed`. */
export async function mergeBack(wanted: MergeWanted, options: GitOptions): Promise<Merged> {
  const { record, branch } = wanted;
  const main: GitPlace = { dir: record.project };
  const current = await tryGit(main, ["symbolic-ref", "--quiet", "--short", "HEAD"], options);
  const into = current.code === 0 ? current.stdout.trim() : undefined;
  if (into === undefined || into !== (record.base_branch ?? into)) {
    const base = record.base_branch ?? "a branch";
    const now = into === undefined ? "no branch" : into;
    throw new RudderError("conflict", `${branch} came from ${base}, and ${record.project} has ${now} checked out`, {
      hint: `git switch ${base}, then reap again; or merge ${branch} by hand; ${leftWords(wanted, base)}`,
      details: { committed: wanted.committed ?? null },
    });
  }
  const commits = Number(await git(main, ["rev-list", "--count", `HEAD..${branch}`], options));
  if (commits === 0) return { commits, commit: undefined };
  await refuseConflict(wanted, { main, into }, options);
  const message = `Merge ${branch}: ${wanted.title}`;
  const merge = ["merge", "--no-ff", "--no-edit", "-m", message, branch];
  const merged = await tryGit(main, [...(await identity(main, options)), ...merge], options);
  if (merged.code !== 0) {
    const isHalf = (await tryGit(main, ["rev-parse", "--verify", "--quiet", "MERGE_HEAD"], options)).code === 0;
    // Only our own merge: where another one is in progress, ours fails before it starts.
    if (isHalf && /CONFLICT|Automatic merge failed/.test(merged.stdout)) await git(main, ["merge", "--abort"], options);
    throw refusedMerge(wanted, into, `${merged.stdout}\n${merged.stderr}`);
  }
  return { commits, commit: await git(main, ["rev-parse", "HEAD"], options) };
}

/** `merge-tree` merges in memory. A git that is too old for it gets a clean tree to try in, so that an abort is exact. */
async function refuseConflict(
  wanted: MergeWanted,
  { main, into }: { readonly main: GitPlace; readonly into: string },
  options: GitOptions,
): Promise<void> {
  const { branch, record } = wanted;
  const tried = await tryGit(main, ["merge-tree", "--write-tree", "--name-only", "HEAD", branch], options);
  if (tried.code === 0) return;
  if (tried.code === 1) throw refusedMerge(wanted, into, tried.stdout);
  const changes = (await listChanges(main, options)).filter((entry) => !entry.startsWith("??"));
  const hint = `commit or stash them, then reap again; ${leftWords(wanted, into)}`;
  if (changes.length > 0) throw dirty(record.project, changes, hint);
}

/** The state of both branches after a refusal. */
function leftWords({ branch, committed }: MergeWanted, into: string): string {
  if (committed === undefined) return "nothing was changed";
  return `its uncommitted work is now commit ${committed.slice(0, 12)} on ${branch}, ${into} is as it was`;
}

function refusedMerge(wanted: MergeWanted, into: string, words: string): RudderError {
  const { branch } = wanted;
  const left = leftWords(wanted, into);
  const committed = wanted.committed ?? null;
  const files = [...words.matchAll(/^CONFLICT .*? in (.+)$/gm)].map((found) => found[1] ?? "");
  if (files.length > 0 || /CONFLICT/.test(words)) {
    const named = files.length === 0 ? "" : ` in ${files.slice(0, SHOWN).join(", ")}`;
    return new RudderError("conflict", `${branch} conflicts with ${into}${named}; ${left}`, {
      hint: `merge by hand: git merge ${branch}; then reap again: there will be nothing left to merge`,
      details: { branch, into, files, committed },
    });
  }
  const local = [...words.matchAll(/^\t(.+)$/gm)].map((found) => found[1] ?? "");
  if (/would be overwritten|local changes/i.test(words)) {
    return new RudderError("dirty", `your uncommitted changes are in the way of ${branch}: ${local.join(", ")}`, {
      hint: `commit or stash them, then reap again; ${left}`,
      details: { files: local, committed },
    });
  }
  const last = words.trim().split("\n").slice(-2).join(" ");
  return new RudderError("git_failed", `${branch} could not be merged into ${into}: ${last}`, {
    hint: `put that right, then reap again; ${left}`,
    details: { committed },
  });
}

/** Everything in the agent's tree as one commit by the agent; returns its name. */
export async function commitRest(
  wanted: Pick<MergeWanted, "record" | "place" | "title">,
  options: GitOptions,
): Promise<string> {
  const { name, task_id: id } = wanted.record;
  await git(wanted.place, ["add", "--all"], options);
  const who = ["-c", `user.name=${name}`, "-c", `user.email=${name}@rudder.invalid`];
  // The one who reaps did not do the work, whatever the environment names as author.
  const others = Object.entries(options.env).filter(([key]) => !/^(?:GIT_AUTHOR|GIT_COMMITTER)_/.test(key));
  const env = Object.fromEntries(others);
  await git(wanted.place, [...who, "commit", "--quiet", "-m", `${id}: ${wanted.title}`], { ...options, env });
  return git(wanted.place, ["rev-parse", "HEAD"], options);
}

/** The refusal for uncommitted changes; it names ten of them at most. */
export function dirty(place: string, changes: readonly string[], hint: string): RudderError {
  // A name with line ends in it would look like more than one.
  const toShown = (name: string): string => (/\p{Cc}/u.test(name) ? JSON.stringify(name) : name);
  const shown = changes.slice(0, SHOWN).map((entry) => toShown(entry.slice(3)));
  const rest = changes.length - shown.length;
  const more = rest > 0 ? ` and ${rest} more` : "";
  return new RudderError("dirty", `${place} has uncommitted changes: ${shown.join(", ")}${more}`, {
    hint,
    details: { files: changes.map((entry) => entry.slice(3)) },
  });
}

/** A machine without a git identity can still merge. */
async function identity(place: GitPlace, options: GitOptions): Promise<readonly string[]> {
  const known = await tryGit(place, ["var", "GIT_COMMITTER_IDENT"], options);
  return known.code === 0 ? [] : ["-c", "user.name=rudder", "-c", "user.email=rudder@rudder.invalid"];
}
