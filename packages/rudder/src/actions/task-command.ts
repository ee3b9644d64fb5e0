// One task command carried out: the rules decide (lease/decide.ts), this writes what they decided, in an order that a
// crash cannot turn into two holders: a new lease is written first, an old one removed last.
import { editFront, type FrontEdit } from "../artefact/edit-front-matter.ts";
import { requireUtf8 } from "../artefact/require-utf8.ts";
import type { HavenStep, HavenStore, StoredArtefact } from "../haven/store.ts";
import { decide, type Refusal, type TaskCommand, type TaskEvent, type TaskState } from "../lease/decide.ts";
import { type Clock, type Instant, toIso } from "../lease/instant.ts";
import { type Lease, remainingMs } from "../lease/lease.ts";
import { RudderError } from "../rudder-error.ts";
import { TASK_STATUSES, type TaskStatus } from "../statuses.ts";

export interface TaskCommandContext {
  readonly clock: Clock;
  readonly projectHash: string;
  readonly signal?: AbortSignal | undefined;
}

export interface TaskChange {
  readonly taskId: string;
  readonly title: string;
  readonly event: TaskEvent;
  readonly status: TaskStatus;
  readonly lease?: Lease;
  readonly from?: Lease;
}

export async function runTaskCommand(
  store: HavenStore,
  request: { readonly taskId: string; readonly command: TaskCommand },
  context: TaskCommandContext,
): Promise<TaskChange> {
  return store.change((step) => applyTaskCommand(step, request, context), { signal: context.signal });
}

export async function applyTaskCommand(
  step: HavenStep,
  request: { readonly taskId: string; readonly command: TaskCommand },
  context: TaskCommandContext,
): Promise<TaskChange> {
  const { taskId, command } = request;
  const stored = await step.artefact(taskId);
  const lease = await step.lease(taskId);
  const now = context.clock();
  const state: TaskState = { taskId, status: statusOf(stored), ...(lease === undefined ? {} : { lease }) };
  const decision = decide(state, command, now);
  if (decision.kind === "refused") throw toRefusal(taskId, decision.refusal, now);

  const { event, from, state: next } = decision;
  // Before anything is written: an artefact that cannot be edited refuses the whole command.
  const text = event === "renewed" ? stored.text : editFront(stored.text, editsFor(stored, next, now), stored.path);
  if (text !== stored.text) requireUtf8(stored.bytes, stored.path);
  const write = async (): Promise<void> => {
    if (text !== stored.text) await step.writeArtefact(stored, text);
  };
  const audit = (): Promise<void> => step.audit(auditOf(taskId, event, { from, to: next.lease }));
  const at = toIso(now.wallMs);

  if (event === "released") {
    await step.appendLog(taskId, { at, level: "info", message: completedWords(next.status), by: command.by.name });
    await write();
    await writeAssignment(step, { stored, event, lease: from, now, next }, context);
    await step.removeLease(taskId);
    await audit();
  } else if (next.lease !== undefined && event !== "status-set") {
    await step.putLease(next.lease);
    try {
      await audit();
      await write();
      if (event !== "renewed") {
        await writeAssignment(step, { stored, event, lease: next.lease, now, next }, context);
        const message = event === "taken-over" ? takeoverWords(from, next.lease) : `Starting: ${stored.artefact.title}`;
        const level = event === "taken-over" ? ("warn" as const) : ("info" as const);
        await step.appendLog(taskId, { at, level, message, by: next.lease.holder.name });
      }
    } catch (error) {
      if (event !== "renewed") await takeBack(step, next.lease);
      throw error;
    }
  } else {
    await write();
  }
  return {
    taskId,
    title: stored.artefact.title,
    event,
    status: next.status,
    ...(next.lease === undefined ? {} : { lease: next.lease }),
    ...(from === undefined ? {} : { from }),
  };
}

/** A claim that failed was not acknowledged: nobody may wait half an hour for a holder that knows of nothing. */
async function takeBack(step: HavenStep, lease: Lease): Promise<void> {
  await step.removeLease(lease.taskId);
  // Where the disk is full this fails as well; the first error says why.
  await step.audit({ event: "released", taskId: lease.taskId, from: lease }).catch(() => {});
}

function statusOf(stored: StoredArtefact): TaskStatus {
  return TASK_STATUSES.find((status) => status === stored.artefact.status) ?? "Not Started";
}

const TIME_FIELD: Readonly<Partial<Record<TaskStatus, string>>> = {
  "In Progress": "started_at",
  Done: "done_at",
  Blocked: "blocked_at",
  Cancelled: "cancelled_at",
};

function editsFor(stored: StoredArtefact, next: TaskState, now: Instant): FrontEdit[] {
  const edits: FrontEdit[] = [];
  const { artefact } = stored;
  if (artefact.status !== next.status) {
    edits.push({ kind: "set", field: "status", value: next.status });
    const field = TIME_FIELD[next.status];
    const hasStarted = field === "started_at" && /^\s*started_at:[ \t]*[^\s#]/m.test(stored.text);
    if (field !== undefined && !hasStarted) edits.push({ kind: "set", field, value: toIso(now.wallMs) });
  }
  const holder = next.lease?.holder;
  if (holder?.kind === "name" && artefact.assignee !== holder.name) {
    edits.push({ kind: "set", field: "assignee", value: holder.name });
  }
  return edits;
}

interface Written {
  readonly stored: StoredArtefact;
  readonly event: TaskEvent;
  readonly lease: Lease | undefined;
  readonly now: Instant;
  readonly next: TaskState;
}

async function writeAssignment(step: HavenStep, written: Written, context: TaskCommandContext): Promise<void> {
  const { stored, lease, now } = written;
  const isOver = written.event === "released";
  const old = isOver ? await step.assignment(stored.id) : undefined;
  await step.putAssignment({
    taskId: stored.id,
    epicId: stored.artefact.epic ?? "",
    operation: lease?.operation ?? "",
    status: isOver ? "complete" : "claimed",
    createdAtMs: old?.createdAtMs ?? now.wallMs,
    claimedAtMs: old?.claimedAtMs ?? lease?.startedAtMs ?? now.wallMs,
    ...(isOver ? { completedAtMs: now.wallMs, success: written.next.status === "Done" } : {}),
    projectHash: context.projectHash,
  });
}

function auditOf(taskId: string, event: TaskEvent, leases: { from: Lease | undefined; to: Lease | undefined }) {
  return {
    event,
    taskId,
    ...(leases.from === undefined ? {} : { from: leases.from }),
    ...(leases.to === undefined ? {} : { to: leases.to }),
  };
}

function completedWords(status: TaskStatus): string {
  return status === "Done" ? "Completed" : `Released: ${status}`;
}

function takeoverWords(from: Lease | undefined, to: Lease): string {
  const ended = from === undefined ? "" : `: the lease of ${from.holder.name} ended ${toIso(from.expiresAtMs)}`;
  return `Takeover by ${to.holder.name}${ended}`;
}

/** A refusal of the rules in words that say what to do. */
export function toRefusal(taskId: string, refusal: Refusal, now: Instant): RudderError {
  if (refusal.code === "closed") {
    return new RudderError("closed", `${taskId} is ${refusal.status}`, {
      hint: `to open it again: rudder task update ${taskId} --status todo`,
      details: { status: refusal.status },
    });
  }
  if (refusal.code === "not_held") {
    return new RudderError("not_held", `${taskId} has no lease of yours`, {
      hint: `claim it first: rudder assign claim ${taskId} (rudder assign list shows who holds what)`,
    });
  }
  const { lease } = refusal;
  const left = Math.max(1, Math.ceil(remainingMs(lease, now) / 60_000));
  // A client that lost its connection comes back as somebody else: it must know the way to what was its own.
  const freed =
    lease.holder.kind === "connection"
      ? `if it was yours, or its holder is gone, free it (rudder assign release ${taskId} --status todo) and claim it again`
      : "its holder frees it with assign release, anyone else with --force";
  return new RudderError("held", `${taskId} is held by ${lease.holder.name} for ${left} more min`, {
    hint: `take another one: rudder task next; ${freed}`,
    details: { holder: lease.holder.name, expires_at: toIso(lease.expiresAtMs) },
  });
}
