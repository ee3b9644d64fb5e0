// Gives back an agent's lease when the agent has ended. R-35: where it holds none any more, nothing happens and nothing
// is logged.
import { toIso } from "../../iso-time.ts";
import { isSameCaller } from "../../lease/lease.ts";
import { RudderError } from "../../rudder-error.ts";
import type { TaskStatus } from "../../statuses.ts";
import { commandTask } from "../../tasks/change-task.ts";
import type { AgentContext } from "../agent-context.ts";

/** True where there was a lease of this name to give back. */
export async function giveBack(
  { store, projectHash }: AgentContext,
  own: { readonly taskId: string; readonly name: string; readonly status: TaskStatus; readonly words?: string },
): Promise<boolean> {
  const { taskId, status, words } = own;
  const by = { kind: "name" as const, name: own.name };
  const lease = await store.lease(taskId);
  if (lease === undefined || !isSameCaller(lease.holder, by)) return false;
  try {
    // Not the caller's signal: a supervisor that has to stop still gives back what its agent holds.
    await commandTask(
      { store, projectHash, signal: undefined },
      {
        taskId,
        command: { kind: "release", by, status, token: lease.token },
        extra: (_text, { nowMs }) => ({
          value: undefined,
          lines: words === undefined ? [] : [{ at: toIso(nowMs), level: "warn", message: words, by: own.name }],
        }),
      },
    );
    return true;
  } catch (error) {
    // Released or taken over since we looked.
    if (error instanceof RudderError && (error.code === "not_held" || error.code === "lost")) return false;
    throw error;
  }
}
