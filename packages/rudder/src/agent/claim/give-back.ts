// What becomes of an agent's lease when the agent has ended. R-35: where it holds none any more, nothing happens and
// nothing is said.
import { applyTaskCommand } from "../../actions/task-command.ts";
import { toIso } from "../../lease/instant.ts";
import { isSameCaller } from "../../lease/lease.ts";
import type { TaskStatus } from "../../statuses.ts";
import type { AgentContext } from "../agent-context.ts";

/** True where there was a lease of this name to give back. */
export async function giveBack(
  context: AgentContext,
  own: { readonly taskId: string; readonly name: string; readonly status: TaskStatus; readonly words?: string },
): Promise<boolean> {
  const by = { kind: "name" as const, name: own.name };
  // Not the caller's signal: whoever is told to stop still gives back what it holds.
  return context.store.change(async (step) => {
    const lease = await step.lease(own.taskId);
    if (lease === undefined || !isSameCaller(lease.holder, by)) return false;
    if (own.words !== undefined) {
      const at = toIso(context.clock().wallMs);
      await step.appendLog(own.taskId, { at, level: "warn", message: own.words, by: own.name });
    }
    await applyTaskCommand(
      step,
      { taskId: own.taskId, command: { kind: "release", by, status: own.status } },
      { clock: context.clock, projectHash: context.projectHash },
    );
    return true;
  });
}
