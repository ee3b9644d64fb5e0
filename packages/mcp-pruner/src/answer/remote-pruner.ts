// A remote swe-pruner behind a tool (J-54 … J-63): what it returns is applied untouched; after a failure the raw output is
// shown, with the error in its metadata.
import { estimateTokens, type Meter, recoveryLine, toMeterInput, withLastLine } from "@jeeves/cut";
import { isOwnPort } from "@jeeves/kit/http";
import type { RecoveryStore } from "@jeeves/state";
import type { Config } from "../config.ts";
import { isPrunerAt, pruneContent } from "../pruner.ts";
import { type Answer, type OutputCall, type OutputDeps, type RawOutput, toCutRequest } from "./cut-output.ts";
import { applied, byteLength, fellBack } from "./pruning.ts";

const HEALTH_TIMEOUT_MS = 100;
const HEALTH_TTL_MS = 60_000;
/** A pruner on a busy machine may miss its time once: then it is asked again soon, and later with each miss. */
const FIRST_MISS_TTL_MS = 1_000;

/** What asking a remote pruner needs: the address and its limits, and where results are stored and counted. */
export interface RemotePrunerDeps extends OutputDeps {
  readonly config: Config;
  readonly store: RecoveryStore;
  readonly meter: Meter;
}

/** A remote pruner: whether it may be asked by default, and the asking, which never rejects for the pruner's failures. */
export function createRemotePruner(deps: RemotePrunerDeps) {
  const { config, store, meter, project } = deps;
  let health: { readonly askedAt: number; readonly answer: Promise<boolean> } | undefined;
  let misses = 0;
  const target = { url: config.PRUNER_URL, timeoutMs: config.PRUNER_TIMEOUT_MS };

  /**
   * for the default address. Any user of the machine may listen there and call itself a pruner, so the port
   * must be our own user's with each text; its health is asked again after a minute, sooner after a miss.
   */
  async function isOwnAndUp(): Promise<boolean> {
    if (!(await isOwnPort(Number(new URL(target.url).port)))) {
      health = undefined;
      return false;
    }
    const now = performance.now();
    const ttlMs = misses === 0 ? HEALTH_TTL_MS : Math.min(HEALTH_TTL_MS, FIRST_MISS_TTL_MS * 2 ** (misses - 1));
    if (health === undefined || now - health.askedAt > ttlMs) health = { askedAt: now, answer: askHealth() };
    return health.answer;
  }

  async function askHealth(): Promise<boolean> {
    const isUp = await isPrunerAt(target.url, { timeoutMs: HEALTH_TIMEOUT_MS });
    misses = isUp ? 0 : misses + 1;
    return isUp;
  }

  async function pruneOutput(output: RawOutput, call: OutputCall): Promise<Answer> {
    const { tool, code, question: focus = "" } = output;
    const rawBytes = byteLength(code);
    call.advance("req:calling_pruner");
    call.events.emit("info", "pruner.call_start", { endpoint: target.url, tool, input_bytes: rawBytes });
    const answer = await pruneContent(code, focus, target, { signal: call.signal });
    const { durationMs: ms } = answer;
    const isUnusable = answer.ok && output.canApply?.(answer.text) === false;
    if (!answer.ok || isUnusable) {
      health = undefined;
      const error = answer.ok
        ? ({ code: "invalid_response", message: "the pruned text does not parse back into matches" } as const)
        : answer.error;
      const data = { tool, pruner_duration_ms: ms, message: error.message };
      call.events.emit("warn", `pruner.${error.code}`, data);
      call.events.emit("warn", "pruner.call_failed", { ...data, reason: error.code });
      call.advance("req:pruner_error_fallback");
      const why = { reason: "pruner_error", error, engine: "remote", pruner_duration_ms: ms } as const;
      return { pruning: fellBack(rawBytes, why) };
    }
    const { text } = answer;
    const pruneId = text === code ? undefined : await storeQuietly(output, focus);
    const id = pruneId === undefined ? {} : { prune_id: pruneId };
    const sizes = { pruner_duration_ms: ms, pruned_bytes: byteLength(text) };
    call.events.emit("info", "pruner.call_ok", { tool, ...sizes, raw_bytes: rawBytes, ...id });
    const lastLine = pruneId === undefined ? "" : recoveryLine({ pruneId, isWholeFile: false, isWeak: false });
    if (text !== code && answer.isCounted !== true) {
      const tokens = { rawTokens: estimateTokens(code), keptTokens: estimateTokens(withLastLine(text, lastLine)) };
      const counted = { ...tokens, focus, ms, ...(pruneId === undefined ? {} : { pruneId }) };
      await meter.record(toMeterInput("cut", toCutRequest(output, call, deps), counted));
    }
    return {
      remoteText: text,
      ...(lastLine === "" ? {} : { aside: lastLine }),
      pruning: applied(rawBytes, { engine: "remote", ...sizes, ...id }),
    };
  }

  /** a store that cannot be written does not undo what a remote pruner returned. */
  async function storeQuietly({ tool, code: text, source }: RawOutput, focus: string): Promise<string | undefined> {
    try {
      const options = { tool, engine: "remote" };
      return (await store.put({ text, focus, options, source, project })).pruneId;
    } catch {
      return undefined;
    }
  }

  return { isOwnAndUp, pruneOutput };
}
