// run.json: one run as its readers see it, in snake case like the log.
import { readProcess } from "@jeeves/base";
import type { ProviderEnd } from "../drain-provider.ts";
import type { RunPath } from "../wiring/run-states.ts";
import { toSizeFields, toUsageFields } from "./agent-record.ts";
import type { RunLog } from "./run-log.ts";
import type { RunSummary } from "./run-summary.ts";

/** How a run ended. */
export type RunStatus = "completed" | "failed" | "max_turns" | "cancelled" | "timed_out";

/** The run's status: `timed_out` only where the time limit really ended it, else what the provider reported. */
export function toStatus(end: ProviderEnd, timedOut: boolean): RunStatus {
  return timedOut && end.status === "cancelled" ? "timed_out" : end.status;
}

interface RunFileInput {
  readonly request: {
    readonly provider: { readonly name: string };
    readonly cwd: string;
    readonly prompt: string;
    readonly model?: string;
  };
  readonly log: Pick<RunLog, "id" | "lostCount">;
  readonly startedAt: Date;
  readonly elapsedMs: number;
  readonly pruner: Pick<RunPath, "state" | "states">;
  readonly summary: RunSummary;
  /** Undefined while the run goes on. */
  readonly end: ProviderEnd | undefined;
  readonly timedOut: boolean;
}

/** The content of run.json, while the run goes on (`end` undefined, status `running`) and after it. */
export function toRunFile(input: RunFileInput): object {
  const { request, log, startedAt, elapsedMs, pruner, summary, end, timedOut } = input;
  return {
    schema_version: 1,
    id: log.id,
    provider: request.provider.name,
    cwd: request.cwd,
    prompt: request.prompt,
    status: end === undefined ? "running" : toStatus(end, timedOut),
    message: end?.message,
    text: end?.text,
    started_at: startedAt.toISOString(),
    ended_at: end === undefined ? undefined : new Date(startedAt.getTime() + elapsedMs).toISOString(),
    // A run that is still "running" although its owner has ended was cut short; readers check that by these two numbers.
    owner: { pid: process.pid, start_ticks: readProcess(process.pid)?.startTicks },
    pruner: { state: pruner.state, states: pruner.states },
    ...toFigures(summary),
    session_id: summary.sessionId,
    model: summary.model ?? request.model,
    events_lost: log.lostCount,
  };
}

/** Calls, bytes, tokens and cost of a run. Usage and cost are left out where the agent reported none. */
export function toFigures(summary: RunSummary): object {
  return {
    tool_calls: summary.toolCalls,
    failed_tool_calls: summary.failedToolCalls,
    ...toSizeFields(summary.sizes),
    cuts: summary.cuts.count,
    cut_raw_tokens: summary.cuts.rawTokens,
    cut_kept_tokens: summary.cuts.keptTokens,
    cut_recovered_tokens: summary.cuts.recoveredTokens,
    ...(summary.usage === undefined ? {} : toUsageFields(summary.usage)),
    cost_usd: summary.costUsd,
  };
}
