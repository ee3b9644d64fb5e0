// A lease as everyone outside the store sees it: who works on a task, under which token, until when. All
// times are the store's; who may change a lease is decided in decide.ts.

/** How long a lease lasts without a call of its holder. */
export const DEFAULT_TTL_MS = 30 * 60_000;

/** a name lasts; a bare connection is only known while it lives. */
export interface Caller {
  readonly kind: "name" | "connection";
  readonly name: string;
}

/** One claim on a task. */
export interface Lease {
  readonly taskId: string;
  readonly holder: Caller;
  /** Grows with every claim on the task: a later holder has the higher one. */
  readonly token: number;
  readonly operation: string;
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
  readonly ttlMs: number;
  readonly pid: number;
  /** The holder is a bare connection that has ended: the task is open to all until the lease ends. */
  readonly isHolderGone: boolean;
}

/** What is left of a lease; zero or less when it has ended. */
export function remainingMs(lease: Lease, nowMs: number): number {
  return lease.expiresAtMs - nowMs;
}

/** What is left of a lease in words, the same in every part of an answer; never less than is left. */
export function remainingWords(lease: Lease, nowMs: number): string {
  const ms = Math.max(0, remainingMs(lease, nowMs));
  if (ms < 90_000) return `${Math.ceil(ms / 1000)} s`;
  return ms < 5_400_000 ? `${Math.ceil(ms / 60_000)} min` : `${Math.ceil(ms / 3_600_000)} h`;
}

/** Whether a lease has not ended. */
export function isLive(lease: Lease, nowMs: number): boolean {
  return remainingMs(lease, nowMs) > 0;
}

/** Whether two callers are the same one. */
export function isSameCaller(a: Caller, b: Caller): boolean {
  return a.kind === b.kind && a.name === b.name;
}
