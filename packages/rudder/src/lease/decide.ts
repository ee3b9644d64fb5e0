// All rules about who may do what to a task, in one pure function: (state, command, now) → state | refusal. It knows no
// file, no lock and no database; a store calls it inside the transaction that reads the state and writes the answer.
import type { TaskStatus } from "../statuses.ts";
import { type Caller, isLive, isSameCaller, type Lease } from "./lease.ts";

/** What the rules look at: one task. */
export interface TaskState {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly lease?: Lease;
  /** The token of the latest claim, also after its release. */
  readonly lastToken: number;
  /** Callers that held the task and lost it: by a takeover, or because another caller forced a release. */
  readonly lost: readonly Caller[];
}

interface Asked {
  readonly by: Caller;
  /** The token that the caller was given; another one than the lease's shows that the caller lost the task. */
  readonly token?: number | undefined;
}

/** What a caller asks for. */
export type TaskCommand =
  | {
      readonly kind: "claim";
      readonly by: Caller;
      readonly ttlMs: number;
      readonly operation: string;
      readonly pid: number;
      /** Blockers that are not done: a new claim is refused for them. */
      readonly waitsFor?: readonly string[];
      readonly force?: boolean;
    }
  | (Asked & { readonly kind: "renew"; readonly ttlMs: number })
  | (Asked & { readonly kind: "release"; readonly status?: TaskStatus; readonly force?: boolean })
  | (Asked & {
      readonly kind: "set-status";
      readonly status: TaskStatus;
      /** Blockers that are not done: only its holder starts the task all the same. */
      readonly waitsFor?: readonly string[];
      readonly force?: boolean;
    })
  /** A log line, or a change of the task's text, fields, dependencies or memory. */
  | (Asked & { readonly kind: "write"; readonly what: "log" | "edit"; readonly force?: boolean });

/** What happened to the task. */
export type TaskEvent = "claimed" | "renewed" | "taken-over" | "released" | "status-set" | "written";

/** Why a command is refused. */
export type Refusal =
  | { readonly code: "held"; readonly lease: Lease }
  | { readonly code: "lost"; readonly lease: Lease }
  | { readonly code: "not_held" }
  | { readonly code: "blocked"; readonly waitsFor: readonly string[] }
  | { readonly code: "closed"; readonly status: TaskStatus };

/** The answer of the rules. */
export type Decision =
  | {
      readonly kind: "changed";
      readonly state: TaskState;
      readonly event: TaskEvent;
      readonly from?: Lease;
      /** Only `--force` allowed it. */
      readonly isForced: boolean;
    }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** So many former holders are remembered; the oldest have long given up. */
const MAX_LOST = 64;

/** Decides one command on one task. */
export function decide(state: TaskState, command: TaskCommand, nowMs: number): Decision {
  switch (command.kind) {
    case "claim":
      return claim(state, command, nowMs);
    case "renew":
      return renew(state, command, nowMs);
    case "release":
      return release(state, command, nowMs);
    case "set-status": {
      const refusal = refusalOf(state, command, nowMs) ?? waitOf(state, command, nowMs);
      if (refusal !== undefined && command.force !== true) return refuse(refusal);
      return change({ ...state, status: command.status }, "status-set", state.lease, refusal !== undefined);
    }
    case "write": {
      const refusal = refusalOf(state, command, nowMs);
      const isOpen = refusal === undefined || (command.what === "log" && refusal.code === "held");
      if (!isOpen && command.force !== true) return refuse(refusal);
      return change(state, "written", state.lease, !isOpen);
    }
  }
}

function claim(state: TaskState, command: Extract<TaskCommand, { kind: "claim" }>, nowMs: number): Decision {
  const { lease } = state;
  if (lease !== undefined && isSameCaller(lease.holder, command.by)) {
    // Held, but the task has not begun: a store without transactions may leave that behind; this claim finishes it.
    if (state.status !== "Not Started")
      return renew(state, { kind: "renew", by: command.by, ttlMs: command.ttlMs }, nowMs);
    const renewed = { ...lease, ...termOf(nowMs, command.ttlMs) };
    return change({ ...state, status: "In Progress", lease: renewed }, "claimed", undefined, false);
  }
  if (lease !== undefined && isLive(lease, nowMs)) return refuse({ code: "held", lease });
  if (state.status === "Done" || state.status === "Cancelled") return refuse({ code: "closed", status: state.status });
  const waitsFor = command.waitsFor ?? [];
  if (waitsFor.length > 0 && command.force !== true) return refuse({ code: "blocked", waitsFor });
  const token = state.lastToken + 1;
  const next: Lease = {
    taskId: state.taskId,
    holder: command.by,
    token,
    operation: command.operation,
    startedAtMs: nowMs,
    pid: command.pid,
    isHolderGone: false,
    ...termOf(nowMs, command.ttlMs),
  };
  // Work on it goes on: a block that was noted before can be noted again.
  const changed: TaskState = {
    taskId: state.taskId,
    status: "In Progress",
    lease: next,
    lastToken: token,
    lost: withLost(without(state.lost, command.by), lease?.holder),
  };
  return change(changed, lease === undefined ? "claimed" : "taken-over", lease, waitsFor.length > 0);
}

function renew(state: TaskState, command: Extract<TaskCommand, { kind: "renew" }>, nowMs: number): Decision {
  const { lease } = state;
  if (lease === undefined) return refuse({ code: "not_held" });
  const standing = standingOf(state, command, nowMs);
  // Past its end but taken by no other: it is still the holder's to prolong. The next command of a person whose
  // connection is gone is another bare connection.
  const mayRenew =
    standing === "holder" || (standing === "open" && lease.isHolderGone && command.by.kind === "connection");
  if (mayRenew)
    return change({ ...state, lease: { ...lease, ...termOf(nowMs, command.ttlMs) } }, "renewed", lease, false);
  if (standing === "lost") return refuse({ code: "lost", lease });
  return refuse(standing === "other" ? { code: "held", lease } : { code: "not_held" });
}

function release(state: TaskState, command: Extract<TaskCommand, { kind: "release" }>, nowMs: number): Decision {
  const { lease } = state;
  if (lease === undefined) return refuse({ code: "not_held" });
  const standing = standingOf(state, command, nowMs);
  const isAllowed = standing === "holder" || lease.isHolderGone;
  if (!isAllowed && command.force !== true) {
    if (standing === "lost") return refuse({ code: "lost", lease });
    return refuse(standing === "other" ? { code: "held", lease } : { code: "not_held" });
  }
  const isOpen = state.status === "In Progress" || state.status === "Not Started";
  const status = command.status ?? (isOpen ? "Done" : state.status);
  const lost = isAllowed ? state.lost : withLost(state.lost, lease.holder);
  return change({ taskId: state.taskId, status, lastToken: state.lastToken, lost }, "released", lease, !isAllowed);
}

/** Who a caller is to a task: "open" where the lease keeps no one out. */
type Standing = "holder" | "lost" | "other" | "open";

function standingOf(state: TaskState, asked: Asked, nowMs: number): Standing {
  const { lease } = state;
  if (lease === undefined) return "open";
  const isStale = asked.token !== undefined && asked.token !== lease.token;
  if (isSameCaller(lease.holder, asked.by)) return isStale ? "lost" : "holder";
  if (!isLive(lease, nowMs) || lease.isHolderGone) return "open";
  return isStale || state.lost.some((one) => isSameCaller(one, asked.by)) ? "lost" : "other";
}

/** What keeps a caller from a write that is not a log line. */
function refusalOf(state: TaskState, asked: Asked, nowMs: number): Refusal | undefined {
  const standing = standingOf(state, asked, nowMs);
  if (state.lease === undefined || standing === "holder" || standing === "open") return undefined;
  return { code: standing === "lost" ? "lost" : "held", lease: state.lease };
}

/** A task that waits for others is not started by one who could not claim it. */
function waitOf(
  state: TaskState,
  command: Extract<TaskCommand, { kind: "set-status" }>,
  nowMs: number,
): Refusal | undefined {
  const { waitsFor = [] } = command;
  const isStart = command.status === "In Progress" && state.status !== "In Progress";
  if (waitsFor.length === 0 || !isStart || standingOf(state, command, nowMs) === "holder") return undefined;
  return { code: "blocked", waitsFor };
}

function without(callers: readonly Caller[], one: Caller): readonly Caller[] {
  return callers.filter((other) => !isSameCaller(other, one));
}

function withLost(callers: readonly Caller[], one: Caller | undefined): readonly Caller[] {
  return one === undefined ? callers : [...without(callers, one), one].slice(-MAX_LOST);
}

function termOf(nowMs: number, ttlMs: number) {
  return { expiresAtMs: nowMs + ttlMs, ttlMs };
}

function change(state: TaskState, event: TaskEvent, from: Lease | undefined, isForced: boolean): Decision {
  return { kind: "changed", state, event, isForced, ...(from === undefined ? {} : { from }) };
}

function refuse(refusal: Refusal): Decision {
  return { kind: "refused", refusal };
}
