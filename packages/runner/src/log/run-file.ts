// run.json: one run as its readers see it, in the log's spelling. Pure: all of it comes from its arguments.
import { readProcess } from "@jeeves/base";
import type { ProviderEnd } from "../drain-provider.ts";
import type { RunPath } from "../wiring/run-states.ts";
import { toSizeFields, toUsageFields } from "./agent-record.ts";
import type { RunLog } from "./run-log.ts";
import type { RunSummary } from "./run-summary.ts";

/** How a run ended. */
export type RunStatus = "completed" | "failed" | "max_turns" | "cancelled" | "timed_out";

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
  /** Undefined while it runs. */
  readonly end: ProviderEnd | undefined;
  readonly timedOut: boolean;
}

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
    // A run whose owner is dead and that is still "running" was cut short.
    owner: { pid: process.pid, start_ticks: readProcess(process.pid)?.startTicks },
    pruner: { state: pruner.state, states: pruner.states },
    ...toFigures(summary),
    session_id: summary.sessionId,
    model: summary.model ?? request.model,
    events_lost: log.lostCount,
  };
}

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
