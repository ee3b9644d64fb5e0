// All rules about who may do what to a task, in one pure function: (state, command, now) → state | refusal. It knows no
// file and no lock; whoever calls it holds the haven's lock from the reading of the state to the writing of the answer.
import type { TaskStatus } from "../statuses.ts";
import type { Instant } from "./instant.ts";
import { type Caller, isLive, isSameCaller, type Lease } from "./lease.ts";

export interface TaskState {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly lease?: Lease;
}

export type TaskCommand =
  | {
      readonly kind: "claim";
      readonly by: Caller;
      readonly ttlMs: number;
      readonly operation: string;
      readonly pid: number;
    }
  | { readonly kind: "renew"; readonly by: Caller; readonly ttlMs: number }
  | { readonly kind: "release"; readonly by: Caller; readonly status?: TaskStatus; readonly force?: boolean }
  | { readonly kind: "set-status"; readonly by: Caller; readonly status: TaskStatus; readonly force?: boolean };

export type TaskEvent = "claimed" | "renewed" | "taken-over" | "released" | "status-set";

export type Refusal =
  | { readonly code: "held"; readonly lease: Lease }
  | { readonly code: "not_held" }
  | { readonly code: "closed"; readonly status: TaskStatus };

export type Decision =
  | { readonly kind: "changed"; readonly state: TaskState; readonly event: TaskEvent; readonly from?: Lease }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export function decide(state: TaskState, command: TaskCommand, now: Instant): Decision {
  switch (command.kind) {
    case "claim":
      return claim(state, command, now);
    case "renew":
      return renew(state, command, now);
    case "release":
      return release(state, command, now);
    case "set-status":
      return setStatus(state, command, now);
  }
}

function claim(state: TaskState, command: Extract<TaskCommand, { kind: "claim" }>, now: Instant): Decision {
  const { lease } = state;
  if (lease !== undefined && isSameCaller(lease.holder, command.by)) {
    // Held, but nobody has begun: its first claim died half way, and this one finishes it.
    if (state.status !== "Not Started") return renew(state, { ...command, kind: "renew" }, now);
    const renewed = { ...lease, ...termOf(now, command.ttlMs) };
    return change({ ...state, status: "In Progress", lease: renewed }, "claimed", undefined);
  }
  if (lease !== undefined && isLive(lease, now)) return refuse({ code: "held", lease });
  if (state.status === "Done" || state.status === "Cancelled") return refuse({ code: "closed", status: state.status });
  const next: Lease = {
    taskId: state.taskId,
    holder: command.by,
    operation: command.operation,
    startedAtMs: now.wallMs,
    pid: command.pid,
    ...termOf(now, command.ttlMs),
  };
  // Whoever claims it works on it: a block that was noted before is theirs to note again.
  const changed: TaskState = { taskId: state.taskId, status: "In Progress", lease: next };
  return change(changed, lease === undefined ? "claimed" : "taken-over", lease);
}

function renew(state: TaskState, command: Extract<TaskCommand, { kind: "renew" }>, now: Instant): Decision {
  const { lease } = state;
  if (lease === undefined) return refuse({ code: "not_held" });
  if (!mayRenew(lease, command.by)) {
    return refuse(isLive(lease, now) ? { code: "held", lease } : { code: "not_held" });
  }
  // Past its end but taken by nobody: it is still the holder's to prolong.
  return change({ ...state, lease: { ...lease, ...termOf(now, command.ttlMs) } }, "renewed", lease);
}

function release(state: TaskState, command: Extract<TaskCommand, { kind: "release" }>, now: Instant): Decision {
  const { lease } = state;
  if (lease === undefined) return refuse({ code: "not_held" });
  // what a bare connection holds anyone may release; what a name holds, that name, or --force.
  const allowed =
    isSameCaller(lease.holder, command.by) || lease.holder.kind === "connection" || command.force === true;
  if (!allowed && isLive(lease, now)) return refuse({ code: "held", lease });
  if (!allowed) return refuse({ code: "not_held" });
  const isOpen = state.status === "In Progress" || state.status === "Not Started";
  const status = command.status ?? (isOpen ? "Done" : state.status);
  return change({ taskId: state.taskId, status }, "released", lease);
}

function setStatus(state: TaskState, command: Extract<TaskCommand, { kind: "set-status" }>, now: Instant): Decision {
  const { lease } = state;
  const foreign = lease !== undefined && isLive(lease, now) && !mayRenew(lease, command.by);
  if (foreign && command.force !== true) return refuse({ code: "held", lease });
  return change({ ...state, status: command.status }, "status-set", lease);
}

/** A bare connection has no lasting name: any other bare one may be the same person's next command. */
function mayRenew(lease: Lease, by: Caller): boolean {
  return isSameCaller(lease.holder, by) || (lease.holder.kind === "connection" && by.kind === "connection");
}

function termOf(now: Instant, ttlMs: number) {
  return {
    bootId: now.bootId,
    host: now.host,
    expiresMonotonicMs: now.monotonicMs + ttlMs,
    expiresAtMs: now.wallMs + ttlMs,
    ttlMs,
  };
}

function change(state: TaskState, event: TaskEvent, from: Lease | undefined): Decision {
  return { kind: "changed", state, event, ...(from === undefined ? {} : { from }) };
}

function refuse(refusal: Refusal): Decision {
  return { kind: "refused", refusal };
}
