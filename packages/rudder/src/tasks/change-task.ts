// One command on one task: the rules decide (lease/decide.ts) inside the store's transaction, and everything that
// follows from the decision (status, lease, log, assignment, audit) is written with it or not at all.
import type { FrontEdit } from "../artefact/edit-front-matter.ts";
import { splitArtefact } from "../artefact/front-matter.ts";
import { quickEditFront } from "../artefact/quick-edit.ts";
import { requireUtf8 } from "../artefact/require-utf8.ts";
import type { Assignment, HavenReader, Ruling, StoredArtefact, TaskAtHand, TaskEffects } from "../haven/store.ts";
import { toIso } from "../iso-time.ts";
import { type Decision, decide, type TaskCommand, type TaskEvent, type TaskState } from "../lease/decide.ts";
import { isLive, type Lease } from "../lease/lease.ts";
import type { LogLine } from "../memory/log-line.ts";
import type { TaskStatus } from "../statuses.ts";
import { reopenedOf } from "./artefacts/done-parents.ts";
import { toRefusal } from "./refusals.ts";
import { changeOptions, type TaskSession } from "./session.ts";

/** What a command needs of its session. */
type ChangeSession = Pick<TaskSession, "store" | "projectHash" | "signal"> &
  Partial<Pick<TaskSession, "nextOperation">>;

/** What became of a task. */
export interface TaskChange {
  readonly taskId: string;
  readonly title: string;
  readonly event: TaskEvent;
  readonly status: TaskStatus;
  readonly nowMs: number;
  readonly lease?: Lease;
  readonly from?: Lease;
  /** Parents that were Done, and are In Progress again. */
  readonly reopened?: readonly string[];
}

/** More that is written with a command, and a value of its own for the caller. */
export interface Extra<V> {
  readonly value: V;
  /** The artefact's new text, made from the one that the command leaves. */
  readonly text?: string;
  readonly lines?: readonly LogLine[];
  readonly memory?: { readonly id: string; readonly text: string };
}

/** A command, and what is written with it. */
interface TaskRequest<V> {
  readonly taskId: string;
  readonly command: TaskCommand | ((task: TaskAtHand, view: HavenReader) => Promise<TaskCommand>);
  /** Runs inside the transaction, on the text that the command leaves; what it throws refuses everything. */
  readonly extra?: (text: string, task: TaskAtHand, view: HavenReader) => Extra<V> | Promise<Extra<V>>;
  /** The event in the feed, where the command's own is too general. */
  readonly event?: string;
}

/** Carries a command out; throws the refusal of the rules as a RudderError. */
export async function commandTask<V = undefined>(
  session: ChangeSession,
  request: TaskRequest<V>,
): Promise<TaskChange & { readonly extra: V | undefined }> {
  const { taskId } = request;
  const settled = await session.store.changeTask(
    taskId,
    (task, view) => rule(session, request, task, view),
    changeOptions(session),
  );
  if (settled.kind === "refused") throw toRefusal(taskId, settled.refusal, settled.nowMs);
  return settled.value;
}

async function rule<V>(
  session: ChangeSession,
  request: TaskRequest<V>,
  task: TaskAtHand,
  view: HavenReader,
): Promise<Ruling<TaskChange & { readonly extra: V | undefined }>> {
  const { stored, nowMs } = task;
  const command = typeof request.command === "function" ? await request.command(task, view) : request.command;
  const decision = decide(task.state, command, nowMs);
  if (decision.kind === "refused") return decision;
  const { event, from, state: next } = decision;
  const edits = event === "renewed" || event === "written" ? [] : editsFor(stored, next, nowMs);
  const edited = edits.length === 0 ? stored.text : quickEditFront(stored.text, edits, stored.path);
  const extra = await request.extra?.(edited, task, view);
  const text = extra?.text ?? edited;
  if (text !== stored.text) requireUtf8(stored.bytes, stored.path);
  const { epic, prd } = stored.artefact;
  const parents = isReopened(task.state.status, next.status) ? await reopenedOf(view, [epic, prd]) : [];
  const assignment = await assignmentFor(session, { task, decision, view });
  const effects: TaskEffects = {
    ...(event === "written" ? {} : { state: next }),
    ...(text === stored.text ? {} : { text }),
    lines: [...linesFor(decision, { command, task }), ...(extra?.lines ?? [])],
    ...(assignment === undefined ? {} : { assignment }),
    ...(parents.length === 0 ? {} : { parents }),
    ...(extra?.memory === undefined ? {} : { memory: extra.memory }),
    audit: {
      event: request.event ?? event,
      by: command.by.name,
      ...(event === "written" ? {} : { from, to: next.lease }),
      ...(decision.isForced ? { forced: true } : {}),
    },
  };
  const value = {
    taskId: request.taskId,
    title: stored.artefact.title,
    event,
    status: next.status,
    nowMs,
    ...(next.lease === undefined ? {} : { lease: next.lease }),
    ...(from === undefined ? {} : { from }),
    ...(parents.length === 0 ? {} : { reopened: parents.map((one) => one.stored.id) }),
    extra: extra?.value,
  };
  return { kind: "changed", value, effects };
}

function isReopened(before: TaskStatus, after: TaskStatus): boolean {
  const isOpen = (status: TaskStatus): boolean => status !== "Done" && status !== "Cancelled";
  return !isOpen(before) && isOpen(after);
}

const TIME_FIELD: Readonly<Partial<Record<TaskStatus, string>>> = {
  "In Progress": "started_at",
  Done: "done_at",
  Blocked: "blocked_at",
  Cancelled: "cancelled_at",
};

function editsFor(stored: StoredArtefact, next: TaskState, nowMs: number): FrontEdit[] {
  const edits: FrontEdit[] = [];
  const { artefact } = stored;
  if (artefact.status !== next.status) {
    edits.push({ kind: "set", field: "status", value: next.status });
    const field = TIME_FIELD[next.status];
    const hasStarted = field === "started_at" && /^\s*started_at:[ \t]*[^\s#]/m.test(frontOf(stored.text));
    if (field !== undefined && !hasStarted) edits.push({ kind: "set", field, value: toIso(nowMs) });
  }
  const holder = next.lease?.holder;
  if (holder?.kind === "name" && artefact.assignee !== holder.name) {
    edits.push({ kind: "set", field: "assignee", value: holder.name });
  }
  return edits;
}

/** Without the body, which may have lines like fields. */
function frontOf(text: string): string {
  const { frontStart, frontEnd } = splitArtefact(text);
  return text.slice(frontStart, frontEnd);
}

type Changed = Extract<Decision, { kind: "changed" }>;

function linesFor(
  { event, from, state: next, isForced }: Changed,
  { command, task }: { readonly command: TaskCommand; readonly task: TaskAtHand },
): LogLine[] {
  const at = toIso(task.nowMs);
  const by = command.by.name;
  const lines: LogLine[] = [];
  if (isForced) {
    const waitsFor = command.kind === "claim" || command.kind === "set-status" ? (command.waitsFor ?? []) : [];
    const isHeld = command.kind !== "claim" && from !== undefined && !from.isHolderGone && isLive(from, task.nowMs);
    const why =
      waitsFor.length > 0 && !isHeld ? `it waits for ${waitsFor.join(", ")}` : `held by ${from?.holder.name ?? "-"}`;
    lines.push({ at, level: "warn", message: `Forced by ${by}: ${command.kind} (${why})`, by });
  }
  if (event === "released") {
    const message = next.status === "Done" ? "Completed" : `Released: ${next.status}`;
    lines.push({ at, level: "info", message, by });
  }
  if (event === "claimed") lines.push({ at, level: "info", message: `Starting: ${task.stored.artefact.title}`, by });
  if (event === "taken-over") {
    const ended = from === undefined ? "" : `: the lease of ${from.holder.name} ended ${toIso(from.expiresAtMs)}`;
    lines.push({ at, level: "warn", message: `Takeover by ${by}${ended}`, by });
  }
  return lines;
}

async function assignmentFor(
  session: ChangeSession,
  { task, decision, view }: { readonly task: TaskAtHand; readonly decision: Changed; readonly view: HavenReader },
): Promise<Assignment | undefined> {
  const { event, from, state: next } = decision;
  const isOver = event === "released";
  if (!isOver && event !== "claimed" && event !== "taken-over") return undefined;
  const { stored, nowMs } = task;
  const lease = isOver ? from : next.lease;
  const old = isOver ? await view.assignment(stored.id) : undefined;
  return {
    taskId: stored.id,
    epicId: stored.artefact.epic ?? "",
    operation: lease?.operation ?? "",
    status: isOver ? "complete" : "claimed",
    createdAtMs: old?.createdAtMs ?? nowMs,
    claimedAtMs: old?.claimedAtMs ?? lease?.startedAtMs ?? nowMs,
    ...(isOver ? { completedAtMs: nowMs, success: next.status === "Done" } : {}),
    projectHash: session.projectHash,
  };
}
