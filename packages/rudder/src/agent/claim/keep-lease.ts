// renews an agent's lease while the agent lives, and reports when the task was taken over or the haven is gone.
// It never claims anything.
import { systemCodeOf } from "@jeeves/base";
import { isSameCaller, remainingMs } from "../../lease/lease.ts";
import { RudderError, toRudderError } from "../../rudder-error.ts";
import { commandTask } from "../../tasks/change-task.ts";
import type { AgentContext } from "../agent-context.ts";

/** Renewed when this share of the term is left: a renewal that fails can be tried again. */
const RENEW_SHARE = 2 / 3;
const LOOK_MS = 5_000;

interface LeaseKeeper {
  /** Resolves when the last look has ended. */
  stop(): Promise<void>;
}

/** Looks at the lease at least every 5 s until it is stopped; `onLost` is called once at most, with the reason. */
export function keepLease(
  context: AgentContext,
  own: { readonly taskId: string; readonly name: string },
  onLost: (why: string) => void,
): LeaseKeeper {
  const { store, ttlMs } = context;
  const by = { kind: "name" as const, name: own.name };
  let isLost = false;

  const look = async (): Promise<void> => {
    const lease = await store.lease(own.taskId);
    // Given back by the agent itself: there is nothing to keep. A claim of its own makes it ours again.
    if (lease === undefined) {
      await store.artefact(own.taskId); // throws where the haven, or the task, is gone
      return;
    }
    if (!isSameCaller(lease.holder, by)) throw new Lost(`${own.taskId} was taken over by ${lease.holder.name}`);
    if (remainingMs(lease, await store.now()) > lease.ttlMs * RENEW_SHARE) return;
    const command = { kind: "renew" as const, by, ttlMs, token: lease.token };
    await commandTask(context, { taskId: own.taskId, command });
  };

  let running: Promise<void> = Promise.resolve();
  let isBusy = false;
  const tick = (): void => {
    if (isBusy || isLost) return;
    isBusy = true;
    running = look()
      .catch((error: unknown) => {
        const why = whyLost(error, context);
        if (why === undefined || isLost) return;
        isLost = true;
        onLost(why);
      })
      .finally(() => {
        isBusy = false;
      });
  };
  const timer = setInterval(tick, Math.max(50, Math.min(LOOK_MS, ttlMs / 10)));
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

class Lost extends Error {}

/** Why the lease is lost; undefined for what a later try may put right (a full disk, a busy lock). */
function whyLost(error: unknown, context: AgentContext): string | undefined {
  if (error instanceof Lost) return error.message;
  const known = toRudderError(error, context.place.haven);
  if (known instanceof RudderError) {
    return known.code === "no_haven" || known.code === "not_found" ? known.message : undefined;
  }
  if (systemCodeOf(error) !== undefined) return undefined;
  return error instanceof Error ? error.message : String(error);
}
