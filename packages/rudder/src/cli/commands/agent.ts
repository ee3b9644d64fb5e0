// rudder agent spawn|list|status|log|kill|reap, and supervise, which only spawn starts (RU-17). The work is done in
// ../../agent; here it becomes an answer.
import { agentLayoutOf } from "../../agent/agent-layout.ts";
import { type AgentRecord, isRunning, shownState } from "../../agent/agent-record.ts";
import { agentHost, listAgents as findAgents, requireAgentRecord, type SeenAgent } from "../../agent/agent-store.ts";
import { killAgent } from "../../agent/end/kill-agent.ts";
import { reapAgent } from "../../agent/end/reap-agent.ts";
import { type AgentPlan, planAgent } from "../../agent/start/plan-agent.ts";
import { prepareAgent } from "../../agent/start/prepare-agent.ts";
import { startSupervisor, waitForEnd } from "../../agent/start/start-supervisor.ts";
import { superviseAgent } from "../../agent/supervise/supervise-agent.ts";
import { findWork } from "../../agent/worktree.ts";
import type { Answer } from "../../answers/answer.ts";
import { toTable } from "../../answers/table.ts";
import { leaseToJson, leaseWords } from "../../answers/views.ts";
import { readIfThere } from "../../haven/files/read-if-there.ts";
import { parseId } from "../../ids.ts";
import { RudderError } from "../../rudder-error.ts";
import type { Session } from "../session.ts";

interface SpawnWords {
  readonly id: string;
  readonly provider: string;
  readonly sandbox?: boolean;
  readonly worktree: boolean;
  readonly resume?: boolean;
  readonly timeout: number;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly restrict?: boolean;
}

/** `rudder agent spawn`; throws `agent_failed` where the agent has ended already, and not well. */
export async function spawnAgent(session: Session, words: SpawnWords): Promise<Answer> {
  requireTerminal(session, "spawn");
  const { agentServices, requireProvider, rudderProgram } = await import("../agent.ts");
  const request = {
    taskId: parseId(words.id, { kinds: ["task"], digits: session.store.digits }),
    provider: requireProvider(words.provider),
    sandbox: words.sandbox,
    worktree: words.worktree,
    resume: words.resume === true,
    timeoutS: words.timeout,
    restrict: words.restrict === true,
  };
  if (request.restrict && request.sandbox === false) {
    throw new RudderError("invalid_argument", "--restrict cannot be had with --no-sandbox", {
      hint: "without a sandbox an agent has a server of its own, and all of the haven",
    });
  }
  const services = agentServices(session);
  if (words.dryRun === true) return planAnswer(session, await planAgent(session, request, services));
  const plan = await prepareAgent(session, request, services);
  const started = await startSupervisor(session, plan.record, { program: rudderProgram() });
  const record = words.wait === true ? await waitForEnd(session, started) : started;
  const answer = agentAnswer(session, ofThisMachine(session, record), plan.notes);
  if (shownState(record) === "spawned" || shownState(record) === "completed") return answer;
  throw new RudderError("agent_failed", `${record.name} ended: ${record.message ?? shownState(record)}`, {
    hint: `rudder agent log ${record.task_id} says what happened`,
    details: { agent: toJson(session, ofThisMachine(session, record)) },
  });
}

function planAnswer(session: Session, plan: AgentPlan): Answer {
  const { record, mission, mcpConfig, srtSettings } = plan;
  const where = record.worktree === undefined ? record.cwd : `${record.worktree} on ${record.branch}`;
  const text = [
    `${record.name} would work on ${record.task_id} in ${where}`,
    `by ${record.provider}, ${record.sandbox ? "in the sandbox" : "without a sandbox"}, for at most ${record.timeout_s} s`,
    `${mcpConfig.mcpServers.rudder.command} ${mcpConfig.mcpServers.rudder.args.join(" ")}`,
    "nothing was done",
  ].join("\n");
  const json = {
    dry_run: true,
    agent: toJson(session, ofThisMachine(session, record)),
    mission,
    mcp_config: mcpConfig,
  };
  return { json: { ...json, srt_settings: srtSettings ?? null }, text, notes: plan.notes };
}

/** Started by spawn alone: lives as long as the agent. */
export async function supervise(
  session: Session,
  words: { readonly id: string; readonly mark: string },
): Promise<Answer> {
  requireTerminal(session, "supervise");
  const { agentServices, driveWith } = await import("../agent.ts");
  const taskId = parseId(words.id, { kinds: ["task"], digits: session.store.digits });
  const rim = { services: agentServices(session), drive: driveWith(session) };
  const record = await superviseAgent(session, { taskId, mark: words.mark }, rim);
  return { json: record === undefined ? {} : toJson(session, ofThisMachine(session, record)), text: "" };
}

/** `rudder agent list`, of all machines. */
export async function listAgents(session: Session): Promise<Answer> {
  const { agents, broken } = await findAgents(session);
  const rows = agents.map(({ record, state }) => [
    record.task_id,
    record.name,
    state,
    record.provider,
    record.spawned_at,
    record.message ?? "",
  ]);
  return {
    json: agents.map((seen) => toJson(session, seen)),
    text: toTable(["TASK", "AGENT", "STATE", "PROVIDER", "SPAWNED", "MESSAGE"], rows, session) || "no agents",
    notes: broken.map((path) => `${path} is no agent record: delete it if no such agent runs`),
  };
}

/** `rudder agent status`; the work of an agent on another machine is unknown here. */
export async function agentStatus(session: Session, id: string): Promise<Answer> {
  const taskId = parseId(id, { kinds: ["task"], digits: session.store.digits });
  const seen = await requireSeen(session, taskId);
  const { record } = seen;
  const answer = agentAnswer(session, seen, []);
  const work = seen.isHere ? await findWork(record, session).catch(() => undefined) : undefined;
  const lease = await session.store.lease(taskId);
  const now = await session.store.now();
  const unknown = seen.isHere ? "unknown" : `on ${seen.host}`;
  const done = work === undefined ? unknown : `${work.commits} commits, ${work.changes.length} uncommitted changes`;
  return {
    json: {
      ...toJson(session, seen),
      work: work === undefined ? null : { commits: work.commits, uncommitted: work.changes.length, files: work.files },
      lease: lease === undefined ? null : leaseToJson(lease, now),
    },
    text: `${answer.text}\nwork      ${done}\nlease     ${lease === undefined ? "none" : leaseWords(lease, now)}`,
  };
}

/** `rudder agent log`, of this machine. */
export async function agentLog(
  session: Session,
  words: { readonly id: string; readonly lines: number },
): Promise<Answer> {
  const taskId = parseId(words.id, { kinds: ["task"], digits: session.store.digits });
  const { name } = await requireAgentRecord(session, taskId);
  const path = agentLayoutOf(session.place.haven, taskId).runLog;
  const all = (readIfThere(path) ?? "").split("\n").slice(0, -1);
  const lines = all.slice(-words.lines);
  const left = all.length - lines.length;
  return {
    json: { task_id: taskId, agent: name, path, lines },
    text: lines.join("\n"),
    notes: left > 0 ? [`${left} lines before these: --lines ${all.length}, or ${path}`] : [],
  };
}

/** `rudder agent kill` */
export async function kill(session: Session, id: string): Promise<Answer> {
  requireTerminal(session, "kill");
  const { agentServices } = await import("../agent.ts");
  const taskId = parseId(id, { kinds: ["task"], digits: session.store.digits });
  const { record, leftovers } = await killAgent(session, taskId, agentServices(session));
  const rest = leftovers === 0 ? "" : `, and ${leftovers} processes that it had left`;
  return {
    json: { ...toJson(session, ofThisMachine(session, record)), leftovers },
    text: `${record.name}  ${shownState(record)}${rest}`,
    notes: record.worktree === undefined ? [] : [`its work is still in ${record.worktree}`],
  };
}

interface ReapWords {
  readonly id: string;
  readonly commit?: boolean;
  readonly force?: boolean;
  readonly reject?: boolean;
}

/** `rudder agent reap` */
export async function reap(session: Session, words: ReapWords): Promise<Answer> {
  requireTerminal(session, "reap");
  const { agentServices } = await import("../agent.ts");
  const request = {
    taskId: parseId(words.id, { kinds: ["task"], digits: session.store.digits }),
    commit: words.commit === true,
    force: words.force === true,
    reject: words.reject === true,
  };
  const { record, merged, keptOn, notes } = await reapAgent(session, request, agentServices(session));
  const result =
    keptOn !== undefined
      ? `its work is on ${keptOn}`
      : merged?.commit === undefined
        ? `nothing to ${request.reject ? "keep" : "merge"}`
        : `${merged.commits} ${merged.commits === 1 ? "commit" : "commits"} merged into ${record.base_branch} as ${merged.commit.slice(0, 12)}`;
  return {
    json: {
      ...toJson(session, ofThisMachine(session, record)),
      merged_commits: merged?.commits ?? 0,
      merge: merged?.commit ?? null,
      kept_on: keptOn ?? null,
    },
    text: `${record.name}  ${record.state}: ${result}`,
    notes,
  };
}

/** A client of a server may be in a sandbox: it must not start, end or merge anything outside. */
function requireTerminal(session: Session, what: string): void {
  if (!session.isServed) return;
  throw new RudderError("denied", `agent ${what} cannot be used through a server`, {
    hint: "a person runs it on the terminal",
  });
}

/** The agent of a task: the one that runs, else this machine's, else the latest of all. */
async function requireSeen(session: Session, taskId: string): Promise<SeenAgent> {
  const { agents } = await findAgents(session, taskId);
  const latest = [...agents].sort((a, b) => (a.record.spawned_at < b.record.spawned_at ? 1 : -1));
  const found = latest.find((one) => one.isRunning) ?? latest.find((one) => one.isHere) ?? latest[0];
  return found ?? ofThisMachine(session, await requireAgentRecord(session, taskId));
}

function ofThisMachine({ env }: Session, record: AgentRecord): SeenAgent {
  const host = agentHost(env);
  return { record, host, isHere: true, isRunning: isRunning(record), state: shownState(record) };
}

function agentAnswer(session: Session, seen: SeenAgent, notes: readonly string[]): Answer {
  const { record, state } = seen;
  const rows = [
    ["agent", record.name],
    ["state", `${state}${record.message === undefined ? "" : `: ${record.message}`}`],
    ["provider", `${record.provider}, ${record.sandbox ? "in the sandbox" : "no sandbox"}`],
    ["place", record.branch === undefined ? record.cwd : `${record.cwd} on ${record.branch}`],
    ["log", `rudder agent log ${record.task_id}${seen.isHere ? "" : ` on ${seen.host}`}`],
  ];
  return {
    json: toJson(session, seen),
    text: rows.map(([name = "", value = ""]) => `${name.padEnd(9)} ${value}`).join("\n"),
    notes,
  };
}

function toJson(session: Session, seen: SeenAgent): Record<string, unknown> {
  const { record, host, isHere, state, isRunning: running } = seen;
  const { supervisor, spawner: _spawner, mark: _mark, base_changes: _changes, version: _version, ...fields } = record;
  return {
    ...fields,
    state,
    running,
    ...(host === "" ? {} : { host }),
    pid: supervisor?.pid ?? null,
    dir: isHere ? agentLayoutOf(session.place.haven, record.task_id).dir : null,
  };
}
