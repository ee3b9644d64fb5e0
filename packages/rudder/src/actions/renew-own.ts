// any call of a holder renews what it holds. Best effort on purpose: a call that only reads must work where
// nothing can be written, and a lease that is fresh is not worth a write.
import type { HavenStore } from "../haven/store.ts";
import { isLive, isSameCaller, type Lease, remainingMs } from "../lease/lease.ts";
import { RudderError, systemCodeOf } from "../rudder-error.ts";
import { applyTaskCommand, type TaskCommandContext } from "./task-command.ts";

/** A tenth of the term, but never long enough to matter. */
const STALE_SHARE = 0.1;
const STALE_MS = 60_000;

export async function renewOwn(
  store: HavenStore,
  own: { readonly name: string; readonly ttlMs: number },
  context: TaskCommandContext,
): Promise<void> {
  const by = { kind: "name" as const, name: own.name };
  const now = context.clock();
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
