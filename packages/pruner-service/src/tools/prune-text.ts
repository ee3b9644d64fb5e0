// The tool `prune_text` (K-14 … K-34): its arguments as a request to the pipeline, and the result in K's form. Whatever
// goes wrong, the text comes back whole with the reason among the warnings.
import { type CutRequest, type CutResult, type Cutter, countLines, estimateTokens, orderPolicy } from "@jeeves/cut";
import { defineTool, type ToolCall, type ToolOutcome } from "@jeeves/kit/mcp";
import { type PruneArguments, pruneArguments } from "../arguments.ts";
import { emitFallback, toWarning } from "../fallback.ts";
import { toMarker, toReason } from "../reason.ts";
import { pruneSurface } from "../surface.ts";

const TOOL = "prune_text";
const RATIO_SCALE = 10_000;

/** `prune_text`. It never fails: where nothing was cut, `warnings` has the reason. */
export function createPruneTool({ cutter }: { readonly cutter: Cutter }) {
  return defineTool<PruneArguments>({
    ...pruneSurface,
    args: pruneArguments,
    waitsItsTurn: false, // K-27; HTTP bounds how much text is here at once, the engine how much of it is worked on
    async run(args, call): Promise<ToolOutcome> {
      const result = await cutter.cut(toRequest(args, call));
      const warnings = result.kind === "whole" ? toWarnings(result) : [];
      if (result.kind === "whole") logFallback(result, warnings, call);
      return {
        text: JSON.stringify(toAnswer(args, result, warnings)),
        mode: result.kind === "whole" ? "raw" : "pruned",
      };
    },
  });
}

function toRequest({ text, goal_hint, source_type, options }: PruneArguments, call: ToolCall): CutRequest {
  return {
    text,
    focus: goal_hint,
    policy: orderPolicy,
    // Calls on /rpc are stateless: there is no session to count them for.
    caller: { session: "", client: call.client.name, tool: TOOL, dir: "" },
    args: undefined,
    kind: source_type,
    amount: { mode: "ratio", maxPruneRatio: options.max_prune_ratio, minKeepLines: options.min_keep_lines },
    protectFrame: source_type === "code",
    wholeLines: true, // K-01
    form: {
      marker: (block, pruneId) =>
        options.include_markers ? toMarker(pruneId, block, toReason(block.label)) : undefined,
      lineNumbers: options.annotate_lines,
    },
    source: { tool: TOOL },
    stores: "always",
    idOptions: () => ({ tool: TOOL, source_type, ...options }),
    timeoutMs: options.timeout_ms,
    // everyone on this machine may call; the meter is the owner's.
    isCounted: () => call.isOwner(),
    signal: call.signal,
  };
}

type WholeResult = Extract<CutResult, { kind: "whole" }>;

/** K-33's codes: why nothing was cut, and whether the text can be recovered all the same. */
function toWarnings({ reason, stored }: WholeResult): readonly string[] {
  const warnings = new Set([toWarning(reason)]);
  if (stored?.kind === "late") warnings.add("timeout");
  if (stored?.kind === "failed") warnings.add("recovery_unavailable");
  return [...warnings];
}

/** A store that is late is reported again if it fails in the end: until then the id may still be recoverable. */
function logFallback({ stored }: WholeResult, warnings: readonly string[], { events, signal }: ToolCall): void {
  const storeError = stored?.kind === "failed" ? stored.error : undefined;
  if (!signal.aborted) emitFallback(events, { tool: TOOL, warnings, storeError });
  if (stored?.kind !== "late") return;
  void stored.end.then((end) => {
    if (end.kind !== "failed") return;
    emitFallback(events, { tool: TOOL, warnings: ["recovery_unavailable"], storeError: end.error });
  });
}

function toAnswer({ text }: PruneArguments, result: CutResult, warnings: readonly string[]) {
  const isCut = result.kind === "cut";
  const pruneId = (isCut ? result.pruneId : result.stored?.pruneId) ?? "";
  const annotations = (isCut ? result.blocks : []).map((block) => {
    const reason = toReason(block.label);
    return {
      kind: "pruned_block",
      original_start_line: block.startLine,
      original_end_line: block.endLine,
      pruned_line_count: block.lineCount,
      reason,
      marker: toMarker(pruneId, block, reason),
    };
  });
  const lines = (isCut ? result.table.count : result.lineCount) ?? countLines(text);
  const rawTokens = result.rawTokens ?? estimateTokens(text);
  const gone = annotations.reduce((sum, { pruned_line_count }) => sum + pruned_line_count, 0);
  return {
    prune_id: pruneId,
    pruned_text: isCut ? result.parts.join("") : text,
    annotations,
    stats: {
      original_lines: lines,
      kept_lines: lines - gone,
      pruned_lines: gone,
      // Rounded down, so that the ratio that was asked for is never exceeded in print.
      pruned_ratio: lines === 0 ? 0 : Math.floor((gone * RATIO_SCALE) / lines) / RATIO_SCALE,
      tokens_est_before: rawTokens,
      tokens_est_after: isCut ? result.keptTokens : rawTokens,
      elapsed_ms: result.ms,
      used_fallback: !isCut,
    },
    warnings,
  };
}
