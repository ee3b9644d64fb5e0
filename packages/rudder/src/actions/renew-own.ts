// any call of a holder renews what it holds. Best effort on purpose: a call that only reads must work where
// nothing can be written, and a lease that is fresh is not worth a write.
import { systemCodeOf } from "@jeeves/base";
import type { HavenStore } from "../haven/store.ts";
import { type Caller, isLive, isSameCaller, type Lease, remainingMs } from "../lease/lease.ts";
import { RudderError } from "../rudder-error.ts";
import { applyTaskCommand, type TaskCommandContext } from "./task-command.ts";

/** A tenth of the term, but never long enough to matter. */
const STALE_SHARE = 0.1;
const STALE_MS = 60_000;

/** When a caller's leases were looked at last: a server has thousands of calls, and none is due sooner. */
const looked = new Map<string, number>();
const MAX_REMEMBERED = 1_000;
/** Bare connections that have claimed something: all others hold nothing, and need not be looked for. */
const claimants = new Set<string>();

export function noteClaim(by: Caller): void {
  if (by.kind !== "connection") return;
  remember(by.name);
  const [oldest] = claimants;
  if (claimants.size > MAX_REMEMBERED && oldest !== undefined) claimants.delete(oldest);
}

/** As the latest: whoever still calls is not forgotten for those who claimed and went. */
function remember(name: string): void {
  claimants.delete(name);
  claimants.add(name);
}

export async function renewOwn(
  store: HavenStore,
  own: { readonly by: Caller; readonly ttlMs: number },
  context: TaskCommandContext,
): Promise<void> {
  const { by } = own;
  if (by.kind === "connection") {
    if (!claimants.has(by.name)) return;
    remember(by.name);
  }
  const now = context.clock();
  if (!isTimeToLook(store, own, now.monotonicMs)) return;
  const isDue = (lease: Lease): boolean =>
    isSameCaller(lease.holder, by) &&
    isLive(lease, now) &&
    lease.ttlMs - remainingMs(lease, now) > Math.min(STALE_MS, lease.ttlMs * STALE_SHARE);
  try {
    const due = (await store.leases()).leases.filter(isDue);
    if (due.length === 0) return;
    await store.change(
      async (step) => {
        for (const { taskId } of due) {
          const command = { kind: "renew" as const, by, ttlMs: own.ttlMs };
          await applyTaskCommand(step, { taskId, command }, context).catch((error: unknown) => {
            // Taken over since we looked, or its artefact is gone: nothing of ours any more.
            if (!(error instanceof RudderError)) throw error;
          });
        }
      },
      { signal: context.signal },
    );
  } catch (error) {
    context.signal?.throwIfAborted();
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
