// any call of a holder renews what it holds. Best effort on purpose: a call that only reads must work where
// nothing can be written, and a lease that is fresh is not worth a write.
import { systemCodeOf } from "@jeeves/base";
import type { HavenStore } from "../../haven/store.ts";
import { type Caller, isLive, isSameCaller, remainingMs } from "../../lease/lease.ts";
import { RudderError } from "../../rudder-error.ts";
import { commandTask } from "../change-task.ts";
import type { TaskSession } from "../session.ts";

/** A tenth of the term, but never long enough to matter. */
const STALE_SHARE = 0.1;
const STALE_MS = 60_000;

/** When a caller's leases were looked at last: a server has thousands of calls, and none is due sooner. */
const looked = new Map<string, number>();
const MAX_REMEMBERED = 1_000;
/** Bare connections that have claimed something: all others hold nothing, and need not be looked for. */
const claimants = new Set<string>();

/** Whether this bare connection may hold something. */
export function hasClaimed(by: Caller): boolean {
  return claimants.has(by.name);
}

/** Remembers that a bare connection has claimed something. */
export function noteClaim(by: Caller): void {
  if (by.kind !== "connection") return;
  remember(by.name);
  const [oldest] = claimants;
  if (claimants.size > MAX_REMEMBERED && oldest !== undefined) claimants.delete(oldest);
}

/** A bare connection has ended: those that live are not forgotten for it. */
export function forgetClaims(by: Caller): void {
  claimants.delete(by.name);
}

/** As the latest: a caller that is still there is not forgotten for those that claimed and went. */
function remember(name: string): void {
  claimants.delete(name);
  claimants.add(name);
}

/** renews what the caller of this session holds, where that is due. */
export async function renewOwn(session: TaskSession): Promise<void> {
  const { store, caller: by, ttlMs } = session;
  if (by.kind === "connection") {
    if (!claimants.has(by.name)) return;
    remember(by.name);
  }
  if (!isTimeToLook(store, { by, ttlMs }, session.clock().monotonicMs)) return;
  try {
    const { leases, nowMs } = await store.leases();
    const due = leases.filter(
      (lease) =>
        isSameCaller(lease.holder, by) &&
        isLive(lease, nowMs) &&
        lease.ttlMs - remainingMs(lease, nowMs) > Math.min(STALE_MS, lease.ttlMs * STALE_SHARE),
    );
    for (const { taskId, token } of due) {
      const command = { kind: "renew" as const, by, ttlMs, token };
      await commandTask({ ...session, nextOperation: () => undefined }, { taskId, command }).catch((error: unknown) => {
        // Taken over since we looked, or its artefact is gone: it is no longer the caller's.
        if (!(error instanceof RudderError)) throw error;
      });
    }
  } catch (error) {
    session.signal?.throwIfAborted();
    if (!(error instanceof RudderError) && systemCodeOf(error) === undefined) throw error;
  }
}

/** A lease that was taken since is fresh: looking once in each such while leaves none older than two of them. */
function isTimeToLook(store: HavenStore, own: { readonly by: Caller; readonly ttlMs: number }, nowMs: number): boolean {
  const key = JSON.stringify([store.haven, own.by.kind, own.by.name]);
  const last = looked.get(key);
  if (last !== undefined && nowMs >= last && nowMs - last < Math.min(STALE_MS, own.ttlMs * STALE_SHARE)) return false;
  if (looked.size >= MAX_REMEMBERED) looked.clear();
  looked.set(key, nowMs);
  return true;
}
