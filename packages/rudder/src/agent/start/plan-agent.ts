// Plans an agent (RU-17): its name, its place, its sandbox, its mission. Refuses whatever can be known beforehand, and
// changes nothing: a dry run is this and no more.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { currentProcess } from "@jeeves/state";
import { buildGraph } from "../../graph/graph.ts";
import { openBlockersOf } from "../../graph/open-blockers.ts";
import type { StoredArtefact } from "../../haven/store.ts";
import { toIso } from "../../iso-time.ts";
import { isLive } from "../../lease/lease.ts";
import { RudderError } from "../../rudder-error.ts";
import { waitingOf } from "../../tasks/leases/leases.ts";
import { toRefusal } from "../../tasks/refusals.ts";
import type { AgentContext, AgentServices, McpConfig } from "../agent-context.ts";
import { agentLayoutOf } from "../agent-layout.ts";
import { agentName } from "../agent-names.ts";
import { type AgentRecord, isRunning } from "../agent-record.ts";
import { isOver } from "../agent-states.ts";
import { listAgents, readAgentRecord } from "../agent-store.ts";
import { pipeConfig } from "../sandbox/pipe-bridge.ts";
import { baseSettings, decideSandbox, settingsFor } from "../sandbox/sandbox-for-agent.ts";
import { areSocketsRefused, exposureNote, NO_SETTINGS, type SrtSettings } from "../sandbox/srt-settings.ts";
import { findRepository, listChanges, makeWorktree, type Repository, requireRepository } from "../worktree.ts";
import { composeMission, type Mission } from "./mission.ts";

/** What `rudder agent spawn` was asked for. */
export interface SpawnRequest {
  readonly taskId: string;
  readonly provider: string;
  /** Undefined: where it can be had. */
  readonly sandbox: boolean | undefined;
  readonly worktree: boolean;
  readonly resume: boolean;
  readonly timeoutS: number;
  /** calls on its socket may concern its own task alone; needs the sandbox. */
  readonly restrict: boolean;
}

/** The agent that would start; nothing was done. */
export interface AgentPlan {
  readonly record: AgentRecord;
  readonly mission: Mission;
  readonly mcpConfig: McpConfig;
  readonly srtSettings: SrtSettings | undefined;
  readonly notes: readonly string[];
}

/** A plan, with what was looked up for it. */
export interface Planned extends AgentPlan {
  readonly repository: Repository | undefined;
  readonly task: StoredArtefact;
}

/**
 * Plans an agent without changing anything. Throws `agent_running`, the refusal of a claim, `branch_exists`,
 * `no_repository` or `sandbox_missing`.
 */
export async function planAgent(
  context: AgentContext,
  request: SpawnRequest,
  services: AgentServices,
): Promise<Planned> {
  const { taskId } = request;
  const { haven, project } = context.place;
  const layout = agentLayoutOf(haven, taskId);
  const task = await context.store.artefact(taskId);
  const previous = await readAgentRecord(context, taskId);
  if (previous !== undefined && isRunning(previous)) throw stillRunning(previous);
  const attempt = (previous?.attempt ?? 0) + 1;
  const name = agentName(taskId, { attempt, env: context.env });
  // A lease under this very name was claimed by a spawner that died before it wrote a record.
  await requireClaimable(context, { task, ofTheDead: [name, previous?.name], resume: request.resume });

  const found = await findRepository(project, { ...context, isForWorktree: request.worktree });
  const repository = request.worktree ? requireRepository(found, project) : found;
  const made =
    request.worktree && repository !== undefined
      ? await makeWorktree({ repository, layout, resume: request.resume }, { ...context, check: true })
      : undefined;
  const { sandbox, note } = await decideSandbox(context, request.restrict ? true : request.sandbox);
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
    ...(request.restrict ? { restricted: true } : {}),
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
  const place = made?.path ?? cwd;
  const exposure = sandbox ? exposureNote({ project, place }) : undefined;
  return {
    record,
    mission,
    mcpConfig: pipes ? pipeConfig(layout) : await services.mcpConfig({ sandbox, socket: layout.socket }),
    srtSettings: sandbox ? settingsFor(context, { layout, place, provider: request.provider, base }) : undefined,
    notes: [
      ...(await stillWaiting(context, task)),
      ...(await leftElsewhere(context, taskId)),
      ...[note, exposure].filter((words) => words !== undefined),
      ...(await leftBehind(context, made === undefined ? undefined : repository)),
    ],
    repository,
    task,
  };
}

async function stillWaiting(context: AgentContext, { id }: StoredArtefact): Promise<readonly string[]> {
  const graph = buildGraph((await context.store.snapshot()).artefacts);
  const task = graph.byId.get(id);
  const open = task === undefined ? [] : openBlockersOf(graph, task);
  return open.map((blocker) => `${id} still waits for ${blocker.id} (${blocker.state})`);
}

/** Unmerged work of an agent on another machine is not here: not for --resume either. */
async function leftElsewhere(context: AgentContext, taskId: string): Promise<readonly string[]> {
  const { agents } = await listAgents(context, taskId);
  const left = agents.filter(({ isHere, record }) => !isHere && !isOver(record.state));
  return left.map(({ record, host }) => {
    return `what ${record.name} did is on ${host}: take it in, or put it aside, there (rudder agent reap ${taskId})`;
  });
}

/** A worktree begins at the last commit. */
async function leftBehind(context: AgentContext, repository: Repository | undefined): Promise<readonly string[]> {
  if (repository === undefined) return [];
  const changes = await listChanges({ dir: repository.root }, context);
  const count = changes.filter((entry) => !entry.startsWith("??")).length;
  return count === 0 ? [] : [`${count} uncommitted changes of ${repository.root} are not in the worktree`];
}

/** Refuses early what the claim would refuse; the claim itself, under the haven's lock, decides. */
async function requireClaimable(
  context: AgentContext,
  claim: {
    readonly task: StoredArtefact;
    /** Names of agents that are known to have ended. */
    readonly ofTheDead: readonly (string | undefined)[];
    readonly resume: boolean;
  },
): Promise<void> {
  const { id, artefact } = claim.task;
  const now = await context.store.now();
  if (artefact.status === "Done" || artefact.status === "Cancelled") {
    throw toRefusal(id, { code: "closed", status: artefact.status }, now);
  }
  const lease = await context.store.lease(id);
  if (lease === undefined || !isLive(lease, now)) {
    const waitsFor = (await waitingOf(context.store, artefact)).map((one) => one.id);
    if (waitsFor.length > 0) throw toRefusal(id, { code: "blocked", waitsFor }, now);
    return;
  }
  if (!claim.ofTheDead.includes(lease.holder.name)) throw toRefusal(id, { code: "held", lease }, now);
  if (claim.resume) return;
  throw new RudderError("held", `${id} is still held by ${lease.holder.name}, which has ended`, {
    hint: `go on with what it did: rudder agent spawn ${id} --resume`,
    details: { holder: lease.holder.name },
  });
}

function stillRunning(record: AgentRecord): RudderError {
  const { task_id: id, name } = record;
  return new RudderError("agent_running", `${name} is at work on ${id} already`, {
    hint: `look at it: rudder agent status ${id}; end it: rudder agent kill ${id}`,
    details: { holder: name },
  });
}
