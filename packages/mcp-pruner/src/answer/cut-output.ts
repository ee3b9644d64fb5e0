// The embedded engine behind a tool: its raw output as a request to the pipeline of @jeeves/cut, and the pipeline's
// result in the words of J-53 … J-57 and X-03, with the events and request states around it.
import { type Caller, type CutRequest, type Cutter, constantPolicy, type ShownCut, type WholeText } from "@jeeves/cut";
import type { ToolCall } from "@jeeves/kit/mcp";
import type { TextSource } from "@jeeves/state";
import type { Root } from "@jeeves/workspace";
import type { Sessions } from "../session.ts";
import { applied, byteLength, fellBack, type PruningMetadata, type PruningReason, skipped } from "./pruning.ts";

/** What a tool hands over. `text` is the one text that is pruned, stored and numbered. */
export interface RawOutput
  extends Pick<
    CutRequest,
    "text" | "args" | "kind" | "path" | "barriers" | "search" | "command" | "isExact" | "isWholeFile"
  > {
  readonly tool: "read" | "bash" | "grep";
  readonly question: string | undefined;
  /** J-59: what a remote pruner is sent, and what `raw_bytes` measures. */
  readonly code: string;
  /** a remote pruner is never asked about a tool error. */
  readonly isToolError: boolean;
  readonly source: TextSource;
  /** Whether what a remote pruner returned can be applied (grep parses it, J-62). */
  readonly canApply?: (text: string) => boolean;
}

/** What the model will see of an output. */
export interface Answer {
  readonly pruning: PruningMetadata;
  /** A part of the text, with the last line that tells the way to the rest; absent where all of it is shown. */
  readonly shown?: Pick<ShownCut, "parts" | "isShown" | "others" | "lastLine">;
  /** What a remote pruner returned, to be applied untouched. */
  readonly remoteText?: string;
  /** Words of ours that go beside the text, into an item of their own. */
  readonly aside?: string;
  /** less is shown than was found or kept, because the client displays no more. */
  readonly isCutToClient?: boolean;
}

/** The part of a tool call that pruning needs. */
export type OutputCall = Pick<
  ToolCall,
  "signal" | "events" | "client" | "maxResultChars" | "advance" | "sessionId" | "isStateless"
>;

/** What cutting an output needs besides the output and its call. */
export interface OutputDeps {
  readonly cutter: Cutter;
  readonly root: Root;
  /** The project of the root. */
  readonly project: string;
  readonly sessions: Sessions;
}

/** X-23's gates and the engine's failures by J's names; the rest is pruning that is switched off (X-52). */
const REASONS: Partial<Record<WholeText["reason"], PruningReason>> = {
  too_small: "too_small",
  never_pruned: "never_pruned",
  repeat: "repeat",
  no_gain: "no_gain",
  no_focus: "no_gain",
  constraints_unmet: "no_gain",
  timeout: "engine_error",
  input_too_large: "engine_error",
  engine_error: "engine_error",
  store_unavailable: "store_unavailable",
};

/** The caller of a tool, for the meter and for what is remembered of its session. */
export function callerOf(tool: string, call: OutputCall, { sessions, root }: OutputDeps): Caller {
  return { session: sessions.idOf(call), client: call.client.name, tool, dir: root.path };
}

/** A raw output as the pipeline takes it. */
export function toCutRequest(output: RawOutput, call: OutputCall, deps: OutputDeps): CutRequest {
  const { tool, question, code: _code, isToolError: _isToolError, canApply: _canApply, ...text } = output;
  const { maxResultChars: maxChars, signal } = call;
  const what = output.source.path ?? output.source.label;
  return {
    ...text,
    focus: question ?? "",
    policy: constantPolicy,
    caller: callerOf(tool, call, deps),
    ...(what === undefined ? {} : { what }),
    // How a command ended is in its last lines.
    room: { maxChars, keepsTail: tool === "bash" },
    project: deps.project,
    idOptions: ({ kind }) => ({ tool, kind, maxChars: maxChars ?? null }),
    signal,
  };
}

/** Asks the embedded engine; never rejects. */
export async function cutOutput(output: RawOutput, call: OutputCall, deps: OutputDeps): Promise<Answer> {
  const { tool } = output;
  const rawBytes = byteLength(output.code);
  // A tool error is a terminal state (J-79); its output is pruned all the same.
  const advance = output.isToolError ? () => {} : call.advance;
  const onEngine = () => {
    advance("req:calling_pruner");
    call.events.emit("info", "pruner.call_start", { endpoint: "embedded", tool, input_bytes: rawBytes });
  };
  const result = await deps.cutter.cut({ ...toCutRequest(output, call, deps), onEngine });
  const timing = { pruner_duration_ms: result.ms };
  if (result.kind === "whole") {
    const { reason, notice } = result;
    if (result.ran) {
      const failure = failureOf(result);
      const level = failure === undefined ? "info" : "warn";
      const named = reason === "shadow" ? reason : REASONS[reason];
      call.events.emit(level, "pruner.call_failed", { tool, reason: named, ...timing, ...failure });
      advance("req:pruner_error_fallback");
    }
    return { pruning: toMetadata(result, rawBytes), ...(notice === undefined ? {} : { aside: notice }) };
  }
  const { parts, pruneId, isCutToClient } = result;
  const sizes = { raw_bytes: byteLength(output.text), pruned_bytes: byteLength(parts.join("")) };
  call.events.emit("info", "pruner.call_ok", { tool, ...timing, ...sizes, prune_id: pruneId });
  // measured on the same field as `raw_bytes`, which is the first part.
  const prunedBytes = byteLength(parts[0] ?? "");
  return {
    pruning: applied(rawBytes, { engine: "embedded", prune_id: pruneId, ...timing, pruned_bytes: prunedBytes }),
    shown: result,
    isCutToClient,
  };
}

/** the reason is the gate, `attempted` tells whether the engine ran, and no error is invented. */
function toMetadata({ reason, ran, ms }: WholeText, rawBytes: number): PruningMetadata {
  const named = REASONS[reason] ?? "disabled_or_unconfigured";
  if (ran) return fellBack(rawBytes, { reason: named, engine: "embedded", pruner_duration_ms: ms });
  return skipped(named, rawBytes, reason === "off" ? {} : { engine: "embedded" });
}

/** What went wrong, for the log; undefined where nothing did. */
function failureOf({ reason, cause }: WholeText): { readonly message: string } | undefined {
  const named = REASONS[reason];
  if (named !== "engine_error" && named !== "store_unavailable") return undefined;
  return { message: cause instanceof Error ? cause.message : String(cause ?? reason) };
}
