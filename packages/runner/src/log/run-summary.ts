// A run in figures: a fold over the provider's events.
import type { ProviderEvent, Sizes, Usage } from "../provider.ts";
import type { Cuts } from "./follow-cuts.ts";

/** The figures of a run so far. */
export interface RunSummary {
  readonly sessionId?: string;
  readonly model?: string;
  readonly usage?: Usage;
  /** In US dollars; only where the agent reports it. */
  readonly costUsd?: number;
  readonly toolCalls: number;
  readonly failedToolCalls: number;
  readonly sizes: Sizes;
  /** From the meter: what hooks, servers and commands have cut. */
  readonly cuts: Cuts;
}

/** The figures before the first event. */
export const EMPTY_SUMMARY: RunSummary = {
  toolCalls: 0,
  failedToolCalls: 0,
  sizes: { rawBytes: 0, keptBytes: 0, recoveredBytes: 0 },
  cuts: { count: 0, rawTokens: 0, keptTokens: 0, recoveredTokens: 0 },
};

/** The figures after one more event. `usage` events carry totals and replace the last ones; sizes are added up. */
export function addToSummary(summary: RunSummary, event: ProviderEvent): RunSummary {
  switch (event.kind) {
    case "started":
      return {
        ...summary,
        ...(event.sessionId === undefined ? {} : { sessionId: event.sessionId }),
        ...(event.model === undefined ? {} : { model: event.model }),
      };
    case "usage":
      return { ...summary, usage: event.usage, ...(event.costUsd === undefined ? {} : { costUsd: event.costUsd }) };
    case "tool_call":
      return { ...summary, toolCalls: summary.toolCalls + 1 };
    case "tool_result":
      return {
        ...summary,
        failedToolCalls: summary.failedToolCalls + (event.isError ? 1 : 0),
        sizes: event.sizes === undefined ? summary.sizes : add(summary.sizes, event.sizes),
      };
    default:
      return summary;
  }
}

function add(a: Sizes, b: Sizes): Sizes {
  return {
    rawBytes: a.rawBytes + b.rawBytes,
    keptBytes: a.keptBytes + b.keptBytes,
    recoveredBytes: a.recoveredBytes + b.recoveredBytes,
  };
}
