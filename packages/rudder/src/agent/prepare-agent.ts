// Everything before an agent starts (RU-17): may it, under which name, where; then the claim, the worktree, the mission,
// the settings, the socket, the record. All of it or nothing: what was made for an agent that cannot start is taken back.
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { currentProcess, writeFileAtomic } from "@jeeves/state";
import { toRefusal } from "../actions/task-command.ts";
import { readIfThere } from "../haven/logs.ts";
import type { StoredArtefact } from "../haven/store.ts";
import { toIso } from "../lease/instant.ts";
import { isLive } from "../lease/lease.ts";
import { RudderError } from "../rudder-error.ts";
import type { AgentContext, AgentServices, McpConfig } from "./agent-context.ts";
import { type AgentLayout, agentLayoutOf } from "./agent-layout.ts";
import { type AgentRecord, type AgentStep, isRunning, readAgentRecord, withAgent } from "./agent-record.ts";
import { claimForAgent } from "./claim-for-agent.ts";
import { giveBack } from "./give-back.ts";
import { toConfigText } from "./mcp-config.ts";
import { composeMission, type Mission, toMissionFile } from "./mission.ts";
import { makePipes, pipeConfig } from "./pipe-bridge.ts";
import { checkSandbox } from "./sandbox-check.ts";
import {
  areSocketsRefused,
  composeSrtSettings,
  NO_SETTINGS,
  parseSrtSettings,
  type SrtSettings,
} from "./srt-settings.ts";
import {
  findRepository,
  listChanges,
  makeWorktree,
  type Repository,
  requireRepository,
  unmakeWorktree,
} from "./worktree.ts";

export interface SpawnRequest {
  readonly taskId: string;
  readonly provider: string;
  /** Undefined: where it can be had. */
  readonly sandbox: boolean | undefined;
  readonly worktree: boolean;
  readonly resume: boolean;
  readonly timeoutS: number;
}

/** What will be; nothing of it has been done. */
export interface AgentPlan {
  readonly record: AgentRecord;
  readonly mission: Mission;
  readonly mcpConfig: McpConfig;
  readonly srtSettings: SrtSettings | undefined;
  readonly notes: readonly string[];
}

interface Planned extends AgentPlan {
  readonly repository: Repository | undefined;
  readonly task: StoredArtefact;
}

/** Refuses whatever can be known beforehand; touches nothing. */
export async function planAgent(
  context: AgentContext,
  request: SpawnRequest,
  services: AgentServices,
): Promise<Planned> {
  const { taskId } = request;
  const { haven, project } = context.place;
  const layout = agentLayoutOf(haven, taskId);
  const task = await context.store.artefact(taskId);
  const previous = readAgentRecord(haven, taskId);
  if (previous !== undefined && isRunning(previous)) throw stillRunning(previous);
  const attempt = (previous?.attempt ?? 0) + 1;
  const name = attempt === 1 ? `agent-${taskId}` : `agent-${taskId}-${attempt}`;
  // What is held under this very name was claimed by a spawner that died before it wrote anything down.
  await requireClaimable(context, { task, names: request.resume ? [name, previous?.name] : [] });

  const found = await findRepository(project, context);
  const repository = request.worktree ? requireRepository(found, project) : found;
  const made =
    request.worktree && repository !== undefined
      ? await makeWorktree({ repository, layout, resume: request.resume }, { ...context, check: true })
      : undefined;
  const { sandbox, note } = await decideSandbox(context, request);
  const cwd = made === undefined || repository === undefined ? project : join(made.path, repository.prefix);
  const at = toIso(context.clock().wallMs);
  const isSamePlace = request.resume && previous?.worktree === made?.path;
  const baseCommit = (isSamePlace ? previous?.base_commit : undefined) ?? made?.baseCommit ?? repository?.head;
  const base = sandbox ? baseSettings(context) : NO_SETTINGS;
  const pipes = sandbox && areSocketsRefused(base, process.platform);
  const record: AgentRecord = {
    version: 1,
    task_id: taskId,
    name,
    attempt,
    provider: request.provider,
    state: "spawned",
    history: [{ state: "spawned", at }],
    spawner: currentProcess(),
    mark: randomUUID(),
    sandbox,
    ...(pipes ? { pipes } : {}),
    project,
    cwd,
    ...(made === undefined ? {} : { worktree: made.path, branch: made.branch }),
    ...(repository?.branch === undefined ? {} : { base_branch: repository.branch }),
    ...(baseCommit === undefined ? {} : { base_commit: baseCommit }),
    timeout_s: request.timeoutS,
    spawned_at: at,
  };
  const mission = composeMission({
    task: task.artefact,
    name,
    cwd,
    branch: made?.branch,
    sandbox,
    timeoutS: request.timeoutS,
  });
  return {
    record,
    mission,
    mcpConfig: pipes ? pipeConfig(layout) : services.mcpConfig({ sandbox, socket: layout.socket }),
    srtSettings: sandbox
      ? settingsOf(context, { layout, place: made?.path ?? cwd, provider: request.provider, base })
      : undefined,
    notes: [
      ...(note === undefined ? [] : [note]),
      ...(await leftBehind(context, made === undefined ? undefined : repository)),
    ],
    repository,
    task,
  };
}

export async function prepareAgent(
  context: AgentContext,
  request: SpawnRequest,
  services: AgentServices,
): Promise<AgentPlan> {
  const { haven } = context.place;
  return withAgent(
    haven,
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
    if (plan.record.sandbox) await services.serveAgent(request.taskId, { name: plan.record.name });
    if (plan.record.pipes === true) await makePipes(layout);
    await writeFileAtomic(layout.mission, toMissionFile(plan.mission));
    await writeFileAtomic(layout.mcpConfig, toConfigText(plan.mcpConfig));
    if (plan.srtSettings !== undefined) {
      await writeFileAtomic(layout.srtSettings, `${JSON.stringify(plan.srtSettings, null, 2)}\n`);
    }
    const before =
      made === undefined && repository !== undefined ? await listChanges({ dir: plan.record.project }, context) : [];
    return await step.write({
      ...plan.record,
      ...(made === undefined ? {} : { git_dir: made.gitDir }),
      ...(before.length === 0 ? {} : { base_changes: before.join("\n") }),
    });
  } catch (error) {
    if (made !== undefined && repository !== undefined) await unmakeWorktree(repository, made, context);
    throw error;
  }
}

/** A worktree begins at the last commit. */
async function leftBehind(context: AgentContext, repository: Repository | undefined): Promise<readonly string[]> {
  if (repository === undefined) return [];
  const changes = await listChanges({ dir: repository.root }, context);
  const count = changes.filter((line) => !line.startsWith("??")).length;
  return count === 0 ? [] : [`${count} uncommitted changes of ${repository.root} are not in the worktree`];
}

/** Said before anything is made; the claim itself, under the haven's lock, decides. */
async function requireClaimable(
  context: AgentContext,
  claim: { readonly task: StoredArtefact; readonly names: readonly (string | undefined)[] },
): Promise<void> {
  const { id, artefact } = claim.task;
  const now = context.clock();
  if (artefact.status === "Done" || artefact.status === "Cancelled") {
    throw toRefusal(id, { code: "closed", status: artefact.status }, now);
  }
  const lease = await context.store.lease(id);
  if (lease === undefined || !isLive(lease, now) || claim.names.includes(lease.holder.name)) return;
  throw toRefusal(id, { code: "held", lease }, now);
}

function stillRunning(record: AgentRecord): RudderError {
  const { task_id: id, name } = record;
  return new RudderError("agent_running", `${name} is at work on ${id} already`, {
    hint: `look at it: rudder agent status ${id}; end it: rudder agent kill ${id}`,
    details: { holder: name },
  });
}

async function decideSandbox(
  context: AgentContext,
  request: SpawnRequest,
): Promise<{ readonly sandbox: boolean; readonly note?: string }> {
  if (request.sandbox === false) return { sandbox: false };
  const check = await checkSandbox(context);
  if (check.isReady) return { sandbox: true };
  const missing = check.parts.filter((part) => part.isNeeded && !part.isThere).map((part) => part.name);
  // towards the haven our own bridge stands in for socat; whether the sandbox itself can do without, it says.
  if (request.sandbox === true && missing.every((name) => name === "socat")) {
    return { sandbox: true, note: "socat is missing: the agent gets our own bridge" };
  }
  if (request.sandbox === undefined) {
    return { sandbox: false, note: `no sandbox here (${missing.join(", ")} missing): rudder sandbox check says more` };
  }
  throw new RudderError("sandbox_missing", `there is no sandbox here: ${missing.join(", ")} missing`, {
    hint: "rudder sandbox check says how to get it; --no-sandbox goes without",
    details: { missing },
  });
}

function settingsOf(
  context: AgentContext,
  facts: {
    readonly layout: AgentLayout;
    readonly place: string;
    readonly provider: string;
    readonly base: SrtSettings;
  },
): SrtSettings {
  const { layout, ...rest } = facts;
  return composeSrtSettings({
    ...rest,
    haven: context.place.haven,
    logDir: layout.logDir,
    socket: layout.socket,
    home: context.env.HOME ?? homedir(),
    env: context.env,
    platform: process.platform,
  });
}

function baseSettings(context: AgentContext): SrtSettings {
  const path = baseSettingsPath(context.place.haven);
  const text = readIfThere(path);
  return text === undefined ? NO_SETTINGS : parseSrtSettings(text, path);
}

/** `rudder sandbox init` writes it; people add to it what all agents of the haven need. */
export function baseSettingsPath(haven: string): string {
  return join(haven, "srt-settings.json");
}
