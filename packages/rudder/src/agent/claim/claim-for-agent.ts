// The pre-claim: under the agent's own name, before it starts. A lease that a dead earlier attempt still
// holds is released first (the caller has made sure that it is dead); both steps are logged.
import { toIso } from "../../iso-time.ts";
import { isLive } from "../../lease/lease.ts";
import { commandTask, type TaskChange } from "../../tasks/change-task.ts";
import { waitingOf } from "../../tasks/leases/leases.ts";
import type { AgentContext } from "../agent-context.ts";

/** Which task for which agent. */
interface ClaimForAgent {
  readonly taskId: string;
  readonly name: string;
  /** The name of an attempt that is known to be dead. */
  readonly after: string | undefined;
}

/** Claims a task for an agent that is about to start. Throws the refusal of the rules (`held`, `blocked`, `closed`). */
export async function claimForAgent(context: AgentContext, claim: ClaimForAgent): Promise<TaskChange> {
  const { taskId, name, after } = claim;
  const lease = await context.store.lease(taskId);
  const isOfTheDead = lease !== undefined && lease.holder.kind === "name" && lease.holder.name === after;
  if (isOfTheDead && isLive(lease, await context.store.now())) {
    const message = `${after} is gone, ${name} goes on`;
    await commandTask(context, {
      taskId,
      command: { kind: "release", by: lease.holder, status: "Not Started", token: lease.token },
      extra: (_text, { nowMs }) => ({
        value: undefined,
        lines: [{ at: toIso(nowMs), level: "warn", message, by: name }],
      }),
    });
  }
  return commandTask(context, {
    taskId,
    command: async ({ stored }, view) => ({
      kind: "claim",
      by: { kind: "name", name },
      ttlMs: context.ttlMs,
      operation: "agent-spawn",
      pid: process.pid,
      waitsFor: (await waitingOf(view, stored.artefact)).map((one) => one.id),
    }),
  });
}
