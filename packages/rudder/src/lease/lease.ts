// A lease: who works on a task, and until when. It says when it ends; who may change it is decided in decide.ts.
import type { Instant } from "./instant.ts";

export const DEFAULT_TTL_MS = 30 * 60_000;

/** a name lasts; a bare connection is only known while it lives. */
export interface Caller {
  readonly kind: "name" | "connection";
  readonly name: string;
}

export interface Lease {
  readonly taskId: string;
  readonly holder: Caller;
  readonly operation: string;
  readonly startedAtMs: number;
  readonly pid: number;
  /** Which boot of which machine the monotonic end belongs to. */
  readonly bootId: string;
  readonly host: string;
  readonly expiresMonotonicMs: number;
  readonly expiresAtMs: number;
  readonly ttlMs: number;
}

/** What is left of it; zero or less when it has ended. */
export function remainingMs(lease: Lease, now: Instant): number {
  if (lease.bootId === now.bootId) {
    // Without a boot id (not Linux) a clock behind the claim's start can only mean a restart.
    const started = lease.expiresMonotonicMs - lease.ttlMs;
    if (lease.bootId === "" && now.monotonicMs < started) return 0;
    return lease.expiresMonotonicMs - now.monotonicMs;
  }
  // The same machine has been restarted: no process of the holder can have survived that.
  if (lease.host === now.host) return 0;
  // Another machine: its monotonic clock says nothing here, so the wall clock has to do.
  return lease.expiresAtMs - now.wallMs;
}

export function isLive(lease: Lease, now: Instant): boolean {
  return remainingMs(lease, now) > 0;
}

export function isSameCaller(a: Caller, b: Caller): boolean {
  return a.kind === b.kind && a.name === b.name;
}
