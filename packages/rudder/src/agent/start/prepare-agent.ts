// Prepares an agent (RU-17): the claim, the worktree, the mission, the settings, the socket, the record. All of it or
// nothing: what was made for an agent that cannot start is removed again.
import { mkdirSync } from "node:fs";
import { writeFileAtomic } from "@jeeves/state";
import type { AgentContext, AgentServices } from "../agent-context.ts";
import { type AgentRecord, socketOf } from "../agent-record.ts";
import { type AgentStep, withAgent } from "../agent-store.ts";
import { claimForAgent } from "../claim/claim-for-agent.ts";
import { giveBack } from "../claim/give-back.ts";
import { makePipes } from "../sandbox/pipe-bridge.ts";
import { makeWorktree, stampChanges, unmakeWorktree } from "../worktree.ts";
import { toConfigText } from "./mcp-config.ts";
import { toMissionFile } from "./mission.ts";
import { type AgentPlan, type Planned, planAgent, type SpawnRequest } from "./plan-agent.ts";

/** Plans the agent and prepares it, under its lock. Throws as `planAgent` does, and where something cannot be made. */
export async function prepareAgent(
  context: AgentContext,
  request: SpawnRequest,
  services: AgentServices,
): Promise<AgentPlan> {
  return withAgent(
    context,
    request.taskId,
    async (step) => {
      const plan = await planAgent(context, request, services);
      const previous = step.record;
      if (previous !== undefined && request.resume) await services.endMarked(previous.mark);
      const after = request.resume ? previous?.name : undefined;
      await claimForAgent(context, { taskId: request.taskId, name: plan.record.name, after });
      try {
        return { ...plan, record: await furnish(context, { plan, request, services, step }) };
      } catch (error) {
        await services.dropAgent(request.taskId).catch(() => {});
        const status = plan.task.artefact.status === "Blocked" ? "Blocked" : "Not Started";
        const words = `${plan.record.name} did not start`;
        await giveBack(context, { taskId: request.taskId, name: plan.record.name, status, words });
        throw error;
      }
    },
    context,
  );
}

interface Furnish {
  readonly plan: Planned;
  readonly request: SpawnRequest;
  readonly services: AgentServices;
  readonly step: AgentStep;
}

async function furnish(context: AgentContext, { plan, request, services, step }: Furnish): Promise<AgentRecord> {
  const { layout } = step;
  const { repository } = plan;
  const made =
    request.worktree && repository !== undefined
      ? await makeWorktree({ repository, layout, resume: request.resume }, context)
      : undefined;
  try {
    mkdirSync(plan.record.cwd, { recursive: true });
    mkdirSync(layout.logDir, { recursive: true, mode: 0o700 });
    if (plan.record.sandbox) await services.serveAgent(request.taskId, socketOf(plan.record));
    if (plan.record.pipes === true) await makePipes(layout);
    await writeFileAtomic(layout.mission, toMissionFile(plan.mission));
    await writeFileAtomic(layout.mcpConfig, toConfigText(plan.mcpConfig));
    if (plan.srtSettings !== undefined) {
      await writeFileAtomic(layout.srtSettings, `${JSON.stringify(plan.srtSettings, null, 2)}\n`);
    }
    const before =
      made === undefined && repository !== undefined ? await stampChanges({ dir: plan.record.project }, context) : [];
    const record = {
      ...plan.record,
      ...(made === undefined ? {} : { git_dir: made.gitDir }),
      ...(before.length === 0 ? {} : { base_changes: before.join("\0") }),
    };
    return await step.write(record, request.resume && step.record !== undefined ? "agent_resumed" : "agent_spawned");
  } catch (error) {
    if (made !== undefined && repository !== undefined) {
      // Without the signal of the caller: an abort must not stop the cleanup.
      await unmakeWorktree(repository, made, { env: context.env });
    }
    throw error;
  }
}
