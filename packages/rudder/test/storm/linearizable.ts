// Is a history of calls, as their callers saw it, one that the rules could have given if the calls had come one after
// the other? A checker in the style of Porcupine (Lowe's and Wing & Gong's algorithm): for each task by itself, a depth
// first search over the calls that may come next, which remembers where it has been. The judge is lease/decide.ts
// itself. A call without an answer may have been made at any moment after it was sent, or never.
import { type Caller, decide, type Lease, type TaskCommand, type TaskState } from "../../src/index.ts";

/** One call on one task. Times are milliseconds of the machine's monotonic clock. */
export interface Call {
  readonly id: string;
  readonly task: string;
  readonly by: Caller;
  readonly op: "claim" | "renew" | "release" | "log" | "edit";
  readonly ttlMs: number;
  readonly sentMs: number;
  /** When the answer came, or when the caller learned that none would. */
  readonly endMs: number | undefined;
  /** When it was probably made: where the search looks first. It decides nothing. */
  readonly hintMs?: number | undefined;
  /** What the answer said; undefined: none came. */
  readonly answer?: Answer | undefined;
}

export type Answer =
  | { readonly kind: "done"; readonly event?: string | undefined; readonly token?: number | undefined }
  | { readonly kind: "refused"; readonly code: string };

/** Clocks are read a moment before or after an answer leaves; and the store counts whole milliseconds. */
export interface CheckOptions {
  readonly slackMs?: number;
  /** The search gives up after so many steps for one task: then nothing is known. */
  readonly maxSteps?: number;
  /** any call of a holder may renew what it holds on other tasks, too. */
  readonly doCallsRenew?: boolean;
}

export type Verdict =
  | { readonly kind: "linearizable" }
  | { readonly kind: "broken"; readonly task: string; readonly calls: readonly Call[] }
  | { readonly kind: "unknown"; readonly task: string };

const DEFAULT_MAX_STEPS = 2_000_000;

/** Checks every task by itself: no rule looks at two. */
export function checkHistory(calls: readonly Call[], options: CheckOptions = {}): Verdict {
  const byTask = new Map<string, Call[]>();
  for (const call of calls) {
    const own = byTask.get(call.task);
    if (own === undefined) byTask.set(call.task, [call]);
    else own.push(call);
  }
  const windows = options.doCallsRenew === true ? windowsOf(calls, options.slackMs ?? SLACK_MS) : new Map();
  for (const [task, own] of byTask) {
    const verdict = checkTask(task, own, { ...options, windows });
    if (verdict.kind !== "linearizable") return verdict;
  }
  return { kind: "linearizable" };
}

const SLACK_MS = 5;

/** When each caller had a call under way. */
type Windows = ReadonlyMap<string, readonly (readonly [number, number])[]>;

function windowsOf(calls: readonly Call[], slackMs: number): Windows {
  const windows = new Map<string, [number, number][]>();
  for (const { by, sentMs, endMs } of calls) {
    const own = windows.get(by.name) ?? [];
    own.push([sentMs - slackMs, (endMs ?? sentMs) + slackMs]);
    windows.set(by.name, own);
  }
  for (const own of windows.values()) own.sort((x, y) => x[0] - y[0]);
  return windows;
}

/**
 * Time is part of the rules: a lease ends. So a step of the search is a call and the moment at which it is made. All
 * that is known of moments are bounds and differences of one term, so that only moments matter that are a bound, or some
 * terms away from one. A call that changes no lease is best made as early as its answer allows.
 */
function checkTask(task: string, all: readonly Call[], options: CheckOptions & { readonly windows: Windows }): Verdict {
  const slackMs = options.slackMs ?? SLACK_MS;
  const maxSteps = options.maxSteps ?? DEFAULT_MAX_STEPS;
  // A call without an answer that changes no lease need not be searched for.
  const calls = all
    .filter((call) => call.answer !== undefined || call.op === "claim" || call.op === "renew" || call.op === "release")
    .map((call) => ({
      call,
      fromMs: call.sentMs - slackMs,
      toMs: call.answer === undefined || call.endMs === undefined ? Number.POSITIVE_INFINITY : call.endMs + slackMs,
    }))
    .sort((a, b) => a.fromMs - b.fromMs);
  const marks = marksOf(calls);
  const isMade = new Array<boolean>(calls.length).fill(false);
  let open = calls.filter(({ call }) => call.answer !== undefined).length;
  const seen = new Set<string>();
  let steps = 0;
  let isTooLong = false;

  const search = (state: TaskState, nowMs: number): boolean => {
    if (open === 0) return true;
    steps += 1;
    if (steps > maxSteps) isTooLong = true;
    if (isTooLong) return false;
    const key = keyOf(isMade, state, nowMs);
    if (seen.has(key)) return false;
    seen.add(key);
    // A call that was answered before another was sent comes first.
    let latest = Number.POSITIVE_INFINITY;
    for (const [at, { toMs }] of calls.entries()) if (!isMade[at]) latest = Math.min(latest, toMs);
    const next = [...calls.entries()].filter(([at, { fromMs }]) => !isMade[at] && fromMs <= latest);
    const free = next.find(([, one]) => isFree(state, one, nowMs, options.windows));
    if (free !== undefined) {
      isMade[free[0]] = true;
      open -= 1;
      if (search(state, nowMs)) return true;
      isMade[free[0]] = false;
      open += 1;
      return false;
    }
    // In the order in which they were probably made; most calls without an answer and a hint never were.
    const rank = ({ call, fromMs }: Pending): number =>
      call.hintMs ?? (call.answer === undefined ? Number.POSITIVE_INFINITY : fromMs);
    next.sort(([, a], [, b]) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
    for (const [at, { call, fromMs, toMs }] of next) {
      const isAnswered = call.answer !== undefined;
      const span = { fromMs: Math.max(fromMs, nowMs), toMs: Math.min(toMs, latest) };
      const moments = momentsOf(state, span, marks);
      const { hintMs } = call;
      if (hintMs !== undefined && hintMs >= span.fromMs && hintMs <= span.toMs) moments.unshift(hintMs);
      for (const momentMs of moments) {
        const made = makeCall(state, call, momentMs, options.windows);
        for (const after of made) {
          isMade[at] = true;
          if (isAnswered) open -= 1;
          if (search(after, momentMs)) return true;
          isMade[at] = false;
          if (isAnswered) open += 1;
        }
        const isLeaseChange = call.op === "claim" || call.op === "renew";
        if (made.length > 0 && !isLeaseChange) break;
      }
    }
    return false;
  };

  const fresh: TaskState = { taskId: task, status: "Not Started", lastToken: 0, lost: [] };
  if (search(fresh, Number.NEGATIVE_INFINITY)) return { kind: "linearizable" };
  return isTooLong ? { kind: "unknown", task } : { kind: "broken", task, calls: all };
}

interface Pending {
  readonly call: Call;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A call that changes nothing and can be made at this very moment: no later moment is better for it, or for others. */
function isFree(state: TaskState, { call, fromMs, toMs }: Pending, nowMs: number, windows: Windows): boolean {
  if (call.answer === undefined || fromMs > nowMs || toMs < nowMs) return false;
  return makeCall(state, call, nowMs, windows).some((after) => after === state);
}

const TERMS = [-2, -1, 0, 1, 2];

/** Every bound, some terms before and after, and a moment later where "at the end" and "before it" differ. */
function marksOf(calls: readonly Pending[]): number[] {
  const marks = new Set<number>();
  for (const { call, fromMs, toMs } of calls) {
    for (const bound of [fromMs, toMs]) {
      if (!Number.isFinite(bound)) continue;
      for (const terms of TERMS) for (const more of [-1, 0, 1]) marks.add(bound + terms * call.ttlMs + more);
    }
  }
  return [...marks].sort((a, b) => a - b);
}

function momentsOf(
  state: TaskState,
  span: { readonly fromMs: number; readonly toMs: number },
  marks: readonly number[],
): number[] {
  if (span.fromMs > span.toMs) return [];
  const end = state.lease?.expiresAtMs;
  const moments = new Set([span.fromMs]);
  if (end !== undefined && end >= span.fromMs && end <= span.toMs) moments.add(end);
  let low = 0;
  for (let high = marks.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((marks[middle] ?? 0) < span.fromMs) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < marks.length && (marks[at] ?? 0) <= span.toMs; at++) moments.add(marks[at] ?? 0);
  return [...moments].sort((a, b) => a - b);
}

/** The states after the call for which the rules give the answer that its caller saw. */
function makeCall(state: TaskState, call: Call, nowMs: number, windows: Windows): TaskState[] {
  const states = [state];
  const { lease } = state;
  if (lease !== undefined && lease.expiresAtMs <= nowMs) {
    const expiresAtMs = prolonged(lease, nowMs, windows.get(lease.holder.name) ?? []);
    if (expiresAtMs !== undefined) states.push({ ...state, lease: { ...lease, expiresAtMs } });
  }
  return states.flatMap((before) => decideCall(before, call, nowMs) ?? []);
}

/** The earliest end after `nowMs` that calls of the holder can have given its lease; undefined where none can. */
function prolonged(lease: Lease, nowMs: number, windows: readonly (readonly [number, number])[]): number | undefined {
  let end = lease.expiresAtMs;
  for (;;) {
    // As early as will do, if one renewal is enough; else as late as the lease lives.
    const enough = firstIn(windows, nowMs - lease.ttlMs + 1, Math.min(end - 1, nowMs));
    if (enough !== undefined) return enough + lease.ttlMs;
    const last = lastIn(windows, Math.min(end - 1, nowMs));
    if (last === undefined || last + lease.ttlMs <= end) return undefined;
    end = last + lease.ttlMs;
  }
}

function firstIn(windows: readonly (readonly [number, number])[], from: number, to: number): number | undefined {
  for (const [start, end] of windows) {
    if (start > to) return undefined;
    if (end >= from) return Math.max(start, from) <= to ? Math.max(start, from) : undefined;
  }
  return undefined;
}

function lastIn(windows: readonly (readonly [number, number])[], to: number): number | undefined {
  let last: number | undefined;
  for (const [start, end] of windows) {
    if (start > to) break;
    last = Math.max(last ?? Number.NEGATIVE_INFINITY, Math.min(end, to));
  }
  return last;
}

function decideCall(state: TaskState, call: Call, nowMs: number): TaskState | undefined {
  const { answer } = call;
  const decision = decide(state, toCommand(call), nowMs);
  if (answer === undefined) return decision.kind === "changed" ? decision.state : undefined;
  if (decision.kind === "refused") {
    return answer.kind === "refused" && answer.code === decision.refusal.code ? state : undefined;
  }
  if (answer.kind === "refused") return undefined;
  if (answer.event !== undefined && answer.event !== decision.event) return undefined;
  if (answer.token !== undefined && answer.token !== decision.state.lease?.token) return undefined;
  return decision.state;
}

function toCommand({ op, by, ttlMs }: Call): TaskCommand {
  switch (op) {
    case "claim":
      return { kind: "claim", by, ttlMs, operation: "task-start", pid: 0 };
    case "renew":
      return { kind: "renew", by, ttlMs };
    case "release":
      return { kind: "release", by, status: "Not Started" };
    case "log":
      return { kind: "write", what: "log", by };
    case "edit":
      return { kind: "write", what: "edit", by };
  }
}

function keyOf(isMade: readonly boolean[], state: TaskState, nowMs: number): string {
  let made = "";
  for (let at = 0; at < isMade.length; at += 16) {
    let bits = 0;
    for (let bit = 0; bit < 16; bit++) if (isMade[at + bit] === true) bits |= 1 << bit;
    made += String.fromCharCode(bits + 1);
  }
  return `${made} ${state.status} ${leaseKey(state.lease)} ${state.lastToken} ${state.lost.map((one) => one.name).join()} ${nowMs}`;
}

function leaseKey(lease: Lease | undefined): string {
  return lease === undefined ? "-" : `${lease.holder.name} ${lease.token} ${lease.expiresAtMs}`;
}
