// Supervises one agent from start to end, in a process that lives as long as the agent: keeps its lease, logs its run,
// and decides what the end means for the task. The caller gives the function that drives the agent.
import { existsSync } from "node:fs";
import { currentProcess, writeFileAtomic } from "@jeeves/state";
import { readIfThere } from "../../haven/files/read-if-there.ts";
import { toIso } from "../../iso-time.ts";
import { RudderError } from "../../rudder-error.ts";
import { SERVER_GONE } from "../../server-gone.ts";
import type { AgentContext, AgentServices, ServerWatch } from "../agent-context.ts";
import { agentLayoutOf } from "../agent-layout.ts";
import { type AgentRecord, socketOf, toState } from "../agent-record.ts";
import type { AgentState } from "../agent-states.ts";
import { changeAgent, requireAgentRecord } from "../agent-store.ts";
import { giveBack } from "../claim/give-back.ts";
import { keepLease } from "../claim/keep-lease.ts";
import { readMcpConfig } from "../start/mcp-config.ts";
import { type Mission, parseMissionFile, toPrompt } from "../start/mission.ts";
import { findWork, type WorkDone } from "../worktree.ts";
import { composeResult, toResultFile } from "./result.ts";
import { openRunLogFile, type RunLogFile, type RunRecord, rudderAnswer, toLogWords } from "./run-log.ts";

interface DrivenRun {
  readonly status: "completed" | "failed" | "max_turns" | "cancelled" | "timed_out";
  /** The agent's last words. */
  readonly text: string;
  readonly message: string | undefined;
}

interface DriveCall {
  readonly record: AgentRecord;
  readonly mission: Mission;
  readonly prompt: string;
  readonly signal: AbortSignal;
  onRecord(record: RunRecord): void;
}

/** Runs an agent to its end; what it throws makes a failed run. */
export type DriveAgent = (call: DriveCall) => Promise<DrivenRun>;

/**
 * Resolves with the record at its end; undefined where the haven is gone, or a later attempt has taken its place.
 * Throws `agent_running` where another supervisor has this attempt.
 */
export async function superviseAgent(
  context: AgentContext,
  own: { readonly taskId: string; readonly mark: string },
  rim: { readonly services: AgentServices; readonly drive: DriveAgent },
): Promise<AgentRecord | undefined> {
  const { haven } = context.place;
  const layout = agentLayoutOf(haven, own.taskId);
  const identity = { task_id: own.taskId, mark: own.mark };
  const supervised = (now: AgentRecord): AgentRecord => {
    if (now.state !== "spawned" || now.supervisor !== undefined) throw taken(now);
    return { ...now, supervisor: currentProcess() };
  };
  const record = await changeAgent(context, identity, supervised, "agent_supervised");
  if (record === undefined) throw taken(await requireAgentRecord(context, own.taskId));

  const log = openRunLogFile(layout.runLog);
  const say = (words: string): void => log.line(toIso(context.clock().wallMs), words);
  const stop = new AbortController();
  let lost: string | undefined;
  let unanswered: string | undefined;
  const keeper = keepLease(context, { taskId: own.taskId, name: record.name }, (why) => {
    lost = why;
    say(`stopped: ${why}`);
    stop.abort();
  });
  const watch = record.sandbox ? rim.services.keepServing(own.taskId, { ...socketOf(record), say }) : undefined;
  const signals = [stop.signal, ...(context.signal === undefined ? [] : [context.signal])];
  const signal = AbortSignal.any(signals);
  try {
    say(`${record.name}, attempt ${record.attempt}`);
    const onResult = (isGone: boolean): void => {
      unanswered = isGone ? `its last call was not answered: ${SERVER_GONE}` : undefined;
    };
    const run = await drive(context, { record, log, signal, drive: rim.drive, onResult });
    await keeper.stop();
    await watch?.stop();
    const unserved = unanswered ?? (watch === undefined ? undefined : whyUnserved(watch, layout.mcpConfig));
    const isStopped = context.signal?.aborted === true;
    const ended: Ended = { ...run, message: lost ?? run.message, isStopped, unserved };
    if (!existsSync(haven)) return undefined; // there is nothing left to write to
    // Before the record is marked as ended: readers that wait for that find no socket left.
    await rim.services.dropAgent(own.taskId).catch((error: unknown) => say(`socket: ${String(error)}`));
    return await settle(context, { record, ended, say });
  } finally {
    await keeper.stop();
    await watch?.stop();
    log.close();
  }
}

/** An agent that lost the haven's server for good may have left things undone without knowing it. */
function whyUnserved(watch: ServerWatch, configPath: string): string | undefined {
  const isTied = readMcpConfig(configPath).mcpServers.rudder.command === "socat";
  if (!isTied || watch.outages === 0) return undefined; // the bridge comes back
  return "the haven's server went away while it worked, and socat does not come back";
}

interface Ended extends DrivenRun {
  /** Why its last calls may have reached no server. */
  readonly unserved: string | undefined;
  /** We were asked to end it. */
  readonly isStopped: boolean;
}

async function drive(
  context: AgentContext,
  call: {
    readonly record: AgentRecord;
    readonly log: RunLogFile;
    readonly signal: AbortSignal;
    readonly drive: DriveAgent;
    /** Each answer of the haven's server, or that there was none. */
    onResult(isGone: boolean): void;
  },
): Promise<DrivenRun> {
  const { record, log, signal } = call;
  const { haven } = context.place;
  const path = agentLayoutOf(haven, record.task_id).mission;
  try {
    const mission = parseMissionFile(readIfThere(path) ?? "", path);
    return await call.drive({
      record,
      mission,
      prompt: toPrompt(mission),
      signal,
      onRecord(event) {
        const words = toLogWords(event);
        if (words !== undefined) log.line(event.ts, words);
        const answer = rudderAnswer(event);
        if (answer !== undefined) call.onResult(answer.includes(SERVER_GONE));
        if (event.event !== "agent.started") return;
        const started_at = toIso(context.clock().wallMs);
        // Callers that wait for the agent's start read it here; a write that fails costs that wait alone.
        void changeAgent(context, record, (now) => ({ ...now, started_at }), "agent_started").catch(() => {});
      },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof Error && "hint" in error ? ` (${String(error.hint)})` : "";
    log.line(toIso(context.clock().wallMs), `not run: ${message}${hint}`);
    return { status: "failed", text: "", message: `${message}${hint}` };
  }
}

async function settle(
  context: AgentContext,
  {
    record,
    ended,
    say,
  }: { readonly record: AgentRecord; readonly ended: Ended; readonly say: (words: string) => void },
): Promise<AgentRecord | undefined> {
  const { haven } = context.place;
  const { task_id: taskId, name } = record;
  const looking = { env: context.env };
  const work = await findWork(record, looking).catch((error: unknown) => {
    say(`the worktree could not be looked at: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  });
  // A task that the agent released is finished: a server that went away afterwards changes nothing.
  const isHeld = (await context.store.lease(taskId))?.holder.name === name;
  const unserved = isHeld ? ended.unserved : undefined;
  const state = stateOf(ended, unserved);
  const message = state === "completed" ? undefined : (unserved ?? ended.message ?? endWords(ended, record));
  await settleLease(context, { record, state, work, message, say });
  const task = await context.store.artefact(taskId);
  const at = toIso(context.clock().wallMs);
  const result = composeResult({
    taskId,
    name,
    taskStatus: task.artefact.status,
    isCompleted: state === "completed",
    files: work?.files ?? [],
    log: await context.store.log(taskId),
    lastWords: ended.text,
    message,
    at,
  });
  await writeFileAtomic(agentLayoutOf(haven, taskId).result, toResultFile(result));
  const how = { at, ended_at: at, run_status: ended.status, ...(message === undefined ? {} : { message }) };
  return changeAgent(context, record, (now) => (now.state === "spawned" ? toState(now, state, how) : now));
}

function stateOf(ended: Ended, unserved: string | undefined): AgentState {
  if (ended.status === "completed") return unserved === undefined ? "completed" : "error";
  return ended.isStopped ? "killed" : "error";
}

function endWords(ended: Ended, record: AgentRecord): string {
  if (ended.status === "timed_out") return `it took longer than ${record.timeout_s} s`;
  return ended.isStopped ? "it was stopped" : `its run was ${ended.status}`;
}

interface SettleLease {
  readonly record: AgentRecord;
  readonly state: AgentState;
  readonly message: string | undefined;
  readonly work: WorkDone | undefined;
  readonly say: (words: string) => void;
}

/**
 * Done only where an agent ended well and there is something to show. What failed without a trace is free again at once;
 * what failed with work in its tree keeps its lease until it ends, so that --resume can go on with it.
 */
async function settleLease(context: AgentContext, { record, state, work, message, say }: SettleLease): Promise<void> {
  const own = { taskId: record.task_id, name: record.name };
  const hasWork = work !== undefined && (work.changes.length > 0 || work.commits > 0);
  if (state === "completed" && hasWork) {
    if (await giveBack(context, { ...own, status: "Done" })) say("released: Done");
    return;
  }
  if (state === "error" && hasWork) return;
  const nothing = work === undefined ? "and no repository shows what it did" : "without any work";
  const words = state === "completed" ? `${own.name} ended ${nothing}` : `${own.name} ended: ${message ?? state}`;
  if (await giveBack(context, { ...own, status: "Not Started", words })) say("given back: Not Started");
}

function taken(record: AgentRecord): RudderError {
  return new RudderError("agent_running", `the agent of ${record.task_id} is looked after by another process`, {
    hint: `rudder agent status ${record.task_id} says whose`,
  });
}
