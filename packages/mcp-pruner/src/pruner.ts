// The client of a remote swe-pruner (J-58 … J-64): one POST of {code, query}, and every failure is a value.
// It applies nothing and stores nothing.
import type { PrunerError } from "./pruning.ts";

/** J-65: also the address that `auto` probes before it sends anything there. */
export const DEFAULT_PRUNER_URL = "http://localhost:8000/prune";

export interface PrunerConfig {
  /** "" turns pruning off (J-65). */
  readonly url: string;
  readonly timeoutMs: number;
}

export type PrunerAnswer =
  | { readonly ok: true; readonly text: string; readonly durationMs: number }
  /** `text` is the original: a caller that ignores the failure still has what it sent (J-64). */
  | { readonly ok: false; readonly text: string; readonly error: PrunerError; readonly durationMs: number };

/** J-64: the remote pruner's part of the environment; a timeout out of range is the default. */
export function getPrunerConfig(env: NodeJS.ProcessEnv): PrunerConfig {
  const timeoutMs = Number(env.PRUNER_TIMEOUT_MS ?? 30_000);
  const inRange = Number.isInteger(timeoutMs) && timeoutMs >= 100 && timeoutMs <= 300_000;
  return { url: env.PRUNER_URL ?? DEFAULT_PRUNER_URL, timeoutMs: inRange ? timeoutMs : 30_000 };
}

export async function pruneContent(
  code: string,
  question: string,
  config: PrunerConfig,
  options: { readonly signal?: AbortSignal } = {},
): Promise<PrunerAnswer> {
  const started = performance.now();
  const since = () => Math.round(performance.now() - started);
  const fail = (error: PrunerError): PrunerAnswer => ({ ok: false, text: code, error, durationMs: since() });
  const timeout = AbortSignal.timeout(config.timeoutMs);
  try {
    const response = await fetch(config.url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code, query: question.trim() }),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return fail({ code: "http_error", message: `the pruner answered HTTP ${response.status}` });
    }
    const text = prunedTextOf(await response.text());
    if (text === undefined) {
      return fail({ code: "invalid_response", message: "no string in pruned_code, content or text" });
    }
    return { ok: true, text, durationMs: since() };
  } catch (cause) {
    if (timeout.aborted) return fail({ code: "timeout", message: `no answer within ${config.timeoutMs} ms` });
    return fail({ code: "http_error", message: causeOf(cause) });
  }
}

/** J-61: the first field that is a string, in this order. */
function prunedTextOf(body: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const fields = new Map(Object.entries(parsed));
  for (const name of ["pruned_code", "content", "text"]) {
    const value = fields.get(name);
    if (typeof value === "string") return value;
  }
  return undefined;
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** port 8000 is anyone's, so nothing is sent there before its health says that it is a pruner with its model loaded. */
export async function isPrunerAt(url: string, options: { readonly timeoutMs: number }): Promise<boolean> {
  try {
    const response = await fetch(new URL("/health", url), { signal: AbortSignal.timeout(options.timeoutMs) });
    const health: unknown = await response.json();
    return (
      response.ok &&
      typeof health === "object" &&
      health !== null &&
      "model_loaded" in health &&
      health.model_loaded === true
    );
  } catch {
    return false;
  }
}
