// The end of an agent that has ended: its work is merged back (reaped) or put aside on a branch of its own (rejected),
// then its worktree is removed. No work is thrown away: what is refused stays, what is rejected is on a branch, and a
// worktree that git would not remove stays and is named in a note.
import { existsSync } from "node:fs";
import { toIso } from "../../iso-time.ts";
import { RudderError } from "../../rudder-error.ts";
import { commandTask } from "../../tasks/change-task.ts";
import type { AgentContext, AgentServices } from "../agent-context.ts";
import { type AgentRecord, isRunning, shownState, toState } from "../agent-record.ts";
import { isOver } from "../agent-states.ts";
import { requireAgentRecord, withAgent } from "../agent-store.ts";
import { giveBack } from "../claim/give-back.ts";
import { type GitPlace, git, lastWords, tryGit } from "../git.ts";
import { listChanges, placeOf, restoreLink } from "../worktree.ts";
import { commitRest, dirty, type Merged, mergeBack } from "./merge-back.ts";

interface ReapRequest {
  readonly taskId: string;
  /** What is not committed is committed first. */
  readonly commit: boolean;
  /** Although it did not end well. */
  readonly force: boolean;
  readonly reject: boolean;
}

interface Reaped {
  readonly record: AgentRecord;
  readonly merged: Merged | undefined;
  /** Where rejected work is now. */
  readonly keptOn: string | undefined;
  /** What is left to do by hand. */
  readonly notes: readonly string[];
}

/**
 * Merges or rejects the work of a task's agent, removes its worktree, and settles the task. Throws `agent_running`,
 * `agent_failed`, `closed`, `dirty` or `conflict`; the agent's record then stays as it was.
 */
export async function reapAgent(context: AgentContext, request: ReapRequest, services: AgentServices): Promise<Reaped> {
  const { taskId } = request;
  await requireAgentRecord(context, taskId);
  return withAgent(
    context,
    taskId,
    async ({ record, write }) => {
      if (record === undefined)
        throw new RudderError("not_found", `${taskId} has no agent`, { hint: "rudder agent list" });
      requireReapable(record, request);
      // A supervisor that was killed leaves its agent behind, which would go on writing while we merge.
      await services.endMarked(record.mark);
      if (record.worktree !== undefined && existsSync(record.worktree)) await restoreLink(record);
      const { title } = (await context.store.artefact(taskId)).artefact;
      const done = request.reject
        ? { merged: undefined, keptOn: await setAside(context, record, title) }
        : { merged: await takeIn(context, { record, request, title }), keptOn: undefined };
      const notes = await removeWorktree(context, record);
      await services.dropAgent(taskId);
      await settleTask(context, record, request);
      const at = toIso(context.clock().wallMs);
      // A supervisor that died could not record it.
      const ended = record.state === "spawned" ? toState(record, "error", { at, ended_at: at }) : record;
      return { record: await write(toState(ended, request.reject ? "rejected" : "reaped", { at })), ...done, notes };
    },
    context,
  );
}

function requireReapable(record: AgentRecord, request: ReapRequest): void {
  const { task_id: id, name } = record;
  if (isRunning(record)) {
    throw new RudderError("agent_running", `${name} is still at work on ${id}`, {
      hint: `wait for it (rudder agent status ${id}), or end it: rudder agent kill ${id}`,
    });
  }
  const state = shownState(record);
  if (isOver(state)) {
    throw new RudderError("closed", `${name} is ${state} already`, {
      hint: `rudder agent spawn ${id} starts a new one`,
    });
  }
  if (state === "completed" || request.force || request.reject) return;
  const why = record.message === undefined ? "" : `: ${record.message}`;
  throw new RudderError("agent_failed", `${name} did not complete ${id} (${state}${why})`, {
    hint: "go on with it: spawn --resume; merge it all the same: --force; put it aside: --reject",
    details: { state },
  });
}

async function takeIn(
  context: AgentContext,
  { record, request, title }: { readonly record: AgentRecord; readonly request: ReapRequest; readonly title: string },
): Promise<Merged | undefined> {
  const { branch, worktree } = record;
  const place = placeOf(record);
  if (branch === undefined || worktree === undefined || place === undefined) return undefined;
  if (!(await hasBranch(record, branch, context))) return undefined;
  let committed: string | undefined;
  if (existsSync(worktree)) {
    await requireOnBranch(record, { branch, place, worktree }, context);
    const changes = await listChanges(place, context);
    if (changes.length > 0 && !request.commit) {
      throw dirty(worktree, changes, "--commit commits them and merges; or commit them there yourself, and reap again");
    }
    if (changes.length > 0) committed = await commitRest({ record, place, title }, context);
  }
  return mergeBack({ record, branch, place, title, committed }, context);
}

/** Rejected work leaves the name of the task free for the next attempt. */
async function setAside(context: AgentContext, record: AgentRecord, title: string): Promise<string | undefined> {
  const { branch, worktree } = record;
  const place = placeOf(record);
  if (branch === undefined || place === undefined || !(await hasBranch(record, branch, context))) return undefined;
  if (worktree !== undefined && existsSync(worktree)) {
    await requireOnBranch(record, { branch, place, worktree }, context);
    if ((await listChanges(place, context)).length > 0) await commitRest({ record, place, title }, context);
  }
  const main: GitPlace = { dir: record.project };
  // A branch without a commit of its own keeps nothing: it goes with the worktree.
  const commits = await git(main, ["rev-list", "--count", `${record.base_commit ?? "HEAD"}..${branch}`], context);
  if (commits === "0") return undefined;
  const kept = `rejected/${record.task_id}-${record.attempt}`;
  await git(main, ["branch", "-m", branch, kept], context);
  return kept;
}

/** Commits that no branch holds would go with the worktree. */
async function requireOnBranch(
  record: AgentRecord,
  at: { readonly branch: string; readonly place: GitPlace; readonly worktree: string },
  context: AgentContext,
): Promise<void> {
  const head = await tryGit(at.place, ["symbolic-ref", "--quiet", "--short", "HEAD"], context);
  if (head.stdout.trim() === at.branch) return;
  const other = head.code === 0 ? head.stdout.trim() : "no branch";
  throw new RudderError("conflict", `the worktree of ${record.task_id} has ${other} checked out, not ${at.branch}`, {
    hint: `put its work on ${at.branch} (git -C ${at.worktree} switch -C ${at.branch}), then reap again`,
    details: { branch: at.branch },
  });
}

async function hasBranch(record: AgentRecord, branch: string, context: AgentContext): Promise<boolean> {
  const found = await tryGit(
    { dir: record.project },
    ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`],
    context,
  );
  return found.code === 0;
}

/** The work is safe by now: a worktree that cannot be removed makes a note and stops nothing. */
async function removeWorktree(context: AgentContext, record: AgentRecord): Promise<readonly string[]> {
  const { branch, worktree } = record;
  const main: GitPlace = { dir: record.project };
  const notes: string[] = [];
  if (worktree !== undefined) {
    const isThere = existsSync(worktree);
    // Never --force: what git does not give up may hold work. A worktree that was deleted by hand is forgotten.
    const removed = await tryGit(main, ["worktree", "remove", worktree], context);
    if (isThere && removed.code !== 0) {
      notes.push(`the worktree is left, git says: ${lastWords(removed.stderr)}`);
      notes.push(`if nothing in it is wanted: git -C ${record.project} worktree remove --force ${worktree}`);
    }
  }
  // -d: only what is merged.
  if (branch !== undefined) await tryGit(main, ["branch", "-d", branch], context);
  return notes;
}

async function settleTask(context: AgentContext, record: AgentRecord, request: ReapRequest): Promise<void> {
  const { task_id: taskId, name } = record;
  const by = { kind: "name" as const, name };
  const status = request.reject ? ("Not Started" as const) : ("Done" as const);
  const isGiven = await giveBack(context, { taskId, name, status });
  if (isGiven || !request.reject) return;
  const task = await context.store.artefact(taskId);
  if (task.artefact.status !== "Done") return;
  await commandTask(context, { taskId, command: { kind: "set-status", by, status } });
}
