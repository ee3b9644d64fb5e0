// The pre-claim: under the agent's own name, before it starts. Where the earlier attempt at the same task
// died with its lease, and the caller has made sure that it is dead, its lease is handed on; both is logged.
import { applyTaskCommand, type TaskChange } from "../../actions/task-command.ts";
import { toIso } from "../../lease/instant.ts";
import { isLive } from "../../lease/lease.ts";
import type { AgentContext } from "../agent-context.ts";

export interface ClaimForAgent {
  readonly taskId: string;
  readonly name: string;
  /** The name of an attempt that is known to be dead. */
  readonly after: string | undefined;
}

export async function claimForAgent(context: AgentContext, claim: ClaimForAgent): Promise<TaskChange> {
  const { taskId, name, after } = claim;
  const now = context.clock();
  return context.store.change(
    async (step) => {
      const lease = await step.lease(taskId);
      if (lease !== undefined && lease.holder.kind === "name" && lease.holder.name === after && isLive(lease, now)) {
        const message = `${after} is gone, ${name} goes on`;
        await step.appendLog(taskId, { at: toIso(now.wallMs), level: "warn", message, by: name });
        const release = { kind: "release" as const, by: lease.holder, status: "Not Started" as const };
        await applyTaskCommand(step, { taskId, command: release }, context);
      }
      const command = {
        kind: "claim" as const,
        by: { kind: "name" as const, name },
        ttlMs: context.ttlMs,
        operation: "agent-spawn",
        pid: process.pid,
      };
      return applyTaskCommand(step, { taskId, command }, context);
    },
    { signal: context.signal },
  );
}
