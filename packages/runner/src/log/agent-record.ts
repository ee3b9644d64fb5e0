// A provider event as a record of the log: `agent.KIND`, its fields in snake case. Long fields are cut later, by run-log.ts.
import type { Level } from "@jeeves/kit/events";
import type { ProviderEvent, Sizes, Usage } from "../provider.ts";

/** A record of the run's log, before the log adds the time and the run's id. */
export interface AgentRecord {
  readonly level: Level;
  readonly event: `agent.${ProviderEvent["kind"]}`;
  readonly data: object;
}

/** The level follows the event: a notice or a failed server is a warning, a failed end is an error. */
export function toAgentRecord(event: ProviderEvent): AgentRecord {
  return { level: levelOf(event), event: `agent.${event.kind}`, data: dataOf(event) };
}

function levelOf(event: ProviderEvent): Level {
  if (event.kind === "notice") return "warn";
  if (event.kind === "server") return event.status === "failed" ? "warn" : "info";
  if (event.kind === "ended") return event.status === "failed" ? "error" : "info";
  return "info";
}

function dataOf(event: ProviderEvent): object {
  switch (event.kind) {
    case "started":
      return { session_id: event.sessionId, model: event.model };
    case "tool_result": {
      const { id, tool, isError, text, sizes } = event;
      return { id, tool, is_error: isError, text, ...(sizes === undefined ? {} : toSizeFields(sizes)) };
    }
    case "usage":
      return { ...toUsageFields(event.usage), cost_usd: event.costUsd };
    default: {
      const { kind: _kind, ...fields } = event;
      return fields;
    }
  }
}

/** Sizes as fields of a log record or of run.json. */
export function toSizeFields({ rawBytes, keptBytes, recoveredBytes }: Sizes) {
  return { raw_bytes: rawBytes, kept_bytes: keptBytes, recovered_bytes: recoveredBytes };
}

/** Token counts as fields of a log record or of run.json. */
export function toUsageFields({ inputTokens, cachedInputTokens, outputTokens }: Usage) {
  return { input_tokens: inputTokens, cached_input_tokens: cachedInputTokens, output_tokens: outputTokens };
}
