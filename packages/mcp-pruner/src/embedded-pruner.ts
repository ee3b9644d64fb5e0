// The engine in this process behind a tool: X-23's gates, the cut, and the store before the answer (X-21). It never
// makes a request and never throws: whatever goes wrong is the raw output with the reason named.
import {
  type CutDeps,
  type CutOutcome,
  type CutRequest,
  createRepeatMemory,
  cutText,
  generosityOf,
  hasStopped,
  isDiff,
  isTooSmall,
  type Meter,
  type MeterEntry,
  RESERVED_CHARS,
  readMode,
  STOPPED_LINE,
  type Trust,
  trustOf,
} from "@jeeves/intercept";
import { estimateTokens, prune, WHY } from "@jeeves/prune";
import type { Root } from "@jeeves/workspace";
import type { Config } from "./config.ts";
import { applied, byteLength, fellBack, type Gate, skipped } from "./pruning.ts";
import type { PruneCall, PruneOutcome, RawOutput } from "./raw-output.ts";
import type { Session } from "./session.ts";

/** What failed is looked for this long in a text that is too long for its client. */
const MAX_FAILURES_MS = 5_000;

export interface EmbeddedPrunerDeps extends CutDeps {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly root: Root;
  /** The project of the root. */
  readonly project: string;
  readonly meter: Meter;
  readonly session: Session;
}

export function createEmbeddedPruner(deps: EmbeddedPrunerDeps) {
  const { meter, session } = deps;
  const repeats = createRepeatMemory();

  function gateBefore(output: RawOutput): Gate | undefined {
    if (isTooSmall(output.text)) return "too_small";
    if (!output.exact || isDiff(output.text)) return "never_pruned";
    // callers without a session cannot be told apart, so that none of them repeats a call.
    const isRepeat = session.id !== "" && repeats.isRepeat(output.tool, output.args, output.text);
    return isRepeat ? "repeat" : undefined;
  }

  /** the reason is the gate, and no error is invented. */
  function gated(gate: Gate, rawBytes: number, timing?: { readonly pruner_duration_ms: number }): PruneOutcome {
    if (timing === undefined) return { kind: "raw", pruning: { ...skipped(gate, rawBytes), engine: "embedded" } };
    return { kind: "raw", pruning: fellBack(rawBytes, { reason: gate, engine: "embedded", ...timing }) };
  }

  function cut(
    output: RawOutput,
    question: string,
    { call, trust }: { readonly call: PruneCall; readonly trust: Trust },
  ): Promise<CutOutcome> {
    const request: CutRequest = {
      text: output.text,
      focus: question,
      generosity: generosityOf(trust),
      ...(call.maxResultChars === undefined ? {} : { maxChars: call.maxResultChars - RESERVED_CHARS }),
      ...(output.kind === undefined ? {} : { kind: output.kind }),
      ...(output.path === undefined ? {} : { path: output.path }),
      ...(output.barriers === undefined ? {} : { barriers: output.barriers }),
      ...(output.search === undefined ? {} : { search: output.search }),
      options: (kind) => ({
        tool: output.tool,
        kind,
        maxChars: call.maxResultChars ?? null,
        ...(trust === "full" ? {} : { trust }),
      }),
      source: output.source,
      project: deps.project,
      signal: call.signal,
    };
    return cutText(request, deps);
  }

  function record(
    kind: MeterEntry["kind"],
    output: RawOutput,
    call: PruneCall,
    more: Partial<Pick<MeterEntry, "raw_tokens" | "kept_tokens" | "prune_id" | "focus" | "ms">> = {},
  ): Promise<void> {
    const what = output.source.path ?? output.source.label;
    return meter.record({
      kind,
      session: session.id,
      client: call.client.name,
      tool: output.tool,
      project: deps.root.path,
      raw_tokens: 0,
      kept_tokens: 0,
      ...(what === undefined ? {} : { what }),
      ...more,
    });
  }

  async function pruneOutput(output: RawOutput, question: string, call: PruneCall): Promise<PruneOutcome> {
    const { tool } = output;
    const rawBytes = byteLength(output.code);
    const mode = await readMode(deps.env);
    if (mode === "off") return { kind: "raw", pruning: skipped("disabled_or_unconfigured", rawBytes) };
    const gate = gateBefore(output);
    if (gate === "repeat") {
      const tokens = estimateTokens(output.text);
      await record("repeated", output, call, { raw_tokens: tokens, kept_tokens: tokens, focus: question });
    }
    if (gate !== undefined) return gated(gate, rawBytes);
    const history = await meter.entriesOf(session.id);
    const trust = trustOf(history);
    if (trust === "none") {
      // said once, beside a text that is whole.
      const isSaid = hasStopped(history);
      if (!isSaid) await record("stopped", output, call);
      const pruning = { ...skipped("disabled_or_unconfigured", rawBytes), engine: "embedded" } as const;
      return { kind: "raw", pruning, ...(isSaid ? {} : { aside: STOPPED_LINE }) };
    }

    // A tool error is a terminal state (J-79); its output is pruned all the same.
    const advance = output.isToolError ? () => {} : call.advance;
    const started = performance.now();
    const timing = () => ({ pruner_duration_ms: Math.round(performance.now() - started) });
    const giveUp = (reason: "engine_error" | "store_unavailable", cause: unknown): PruneOutcome => {
      const message = cause instanceof Error ? cause.message : String(cause);
      call.events.emit("warn", "pruner.call_failed", { tool, reason, ...timing(), message });
      advance("req:pruner_error_fallback");
      return { kind: "raw", pruning: fellBack(rawBytes, { reason, engine: "embedded", ...timing() }) };
    };

    advance("req:calling_pruner");
    call.events.emit("info", "pruner.call_start", { endpoint: "embedded", tool, input_bytes: rawBytes });
    const outcome = await cut(output, question, { call, trust });
    if (outcome.kind === "raw") {
      if ("cause" in outcome) return giveUp(outcome.reason, outcome.cause);
      call.events.emit("info", "pruner.call_failed", { tool, reason: "no_gain", ...timing() });
      advance("req:pruner_error_fallback");
      return gated("no_gain", rawBytes, timing());
    }
    const { pruned, pruneId, kept, list } = outcome;
    await record(mode === "shadow" ? "shadow" : "cut", output, call, {
      raw_tokens: outcome.rawTokens,
      kept_tokens: estimateTokens(kept),
      prune_id: pruneId,
      focus: question,
      ms: timing().pruner_duration_ms,
    });
    if (mode === "shadow") {
      // counted, and not shown.
      call.events.emit("info", "pruner.call_failed", { tool, reason: "shadow", ...timing() });
      advance("req:pruner_error_fallback");
      const why = { reason: "disabled_or_unconfigured", engine: "embedded", ...timing() } as const;
      return { kind: "raw", pruning: fellBack(rawBytes, why) };
    }
    repeats.remember(tool, output.args, list === undefined ? output.text : undefined);
    const sizes = { raw_bytes: byteLength(output.text), pruned_bytes: byteLength(kept) };
    call.events.emit("info", "pruner.call_ok", { tool, ...timing(), ...sizes, prune_id: pruneId });
    const pruning = applied(rawBytes, { engine: "embedded", prune_id: pruneId, ...timing() });
    return { kind: "embedded", pruned, pruneId, pruning, ...(list === undefined ? {} : { list }) };
  }

  /** per line, whether something failed there, as much as fits; undefined where that cannot be told in time. */
  async function failuresIn(output: RawOutput, maxChars: number): Promise<Uint8Array | undefined> {
    const deadline = performance.now() + MAX_FAILURES_MS;
    try {
      const { kept, kind, status } = await prune(output.text, {
        focus: output.question ?? "",
        amount: { mode: "auto", maxChars },
        grammars: await deps.loadGrammars(),
        shouldStop: () => performance.now() > deadline,
        ...(output.kind === undefined ? {} : { kind: output.kind }),
        ...(output.path === undefined ? {} : { path: output.path }),
        ...(output.barriers === undefined ? {} : { barriers: output.barriers }),
      });
      // A log that is kept whole is one failure after the other.
      if (status === "whole" && kind === "logs") return kept;
      return kept.map((why) => (WHY[why - 1] === "error" ? why : 0));
    } catch {
      return undefined;
    }
  }

  return { pruneOutput, failuresIn };
}
