// The client of a remote swe-pruner (J-58 … J-64): one POST of {code, query}; failures are returned and not thrown.
// It applies nothing and stores nothing.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { isRecord, startTimeLimit } from "@jeeves/base";
import type { PrunerError } from "./answer/pruning.ts";

/** J-65: also the address that `auto` probes before it sends anything there. */
export const DEFAULT_PRUNER_URL = "http://localhost:8000/prune";

/** Where a remote pruner is, and how long to wait for it. */
interface PrunerConfig {
  /** "" turns pruning off (J-65). */
  readonly url: string;
  readonly timeoutMs: number;
}

/** Far above what may be sent (10 MiB), however it is escaped: an answer without an end must not fill our memory. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
const MAX_HEALTH_CHARS = 65_536;

/** What a remote pruner returned, or why it returned nothing. `isCounted`: it has recorded the cut in the meter. */
type PrunerAnswer =
  | { readonly ok: true; readonly text: string; readonly durationMs: number; readonly isCounted?: boolean }
  /** `text` is the original: a caller that ignores the failure still has what it sent (J-64). */
  | { readonly ok: false; readonly text: string; readonly error: PrunerError; readonly durationMs: number };

/** J-64: the remote pruner's part of the environment; a timeout out of range is the default. */
export function getPrunerConfig(env: NodeJS.ProcessEnv): PrunerConfig {
  const timeoutMs = Number(env.PRUNER_TIMEOUT_MS ?? 30_000);
  const inRange = Number.isInteger(timeoutMs) && timeoutMs >= 100 && timeoutMs <= 300_000;
  return { url: env.PRUNER_URL ?? DEFAULT_PRUNER_URL, timeoutMs: inRange ? timeoutMs : 30_000 };
}

/**
 * Asks a remote pruner. Never rejects: an abort is an `http_error`, too. Answers are read up to 128 MiB, without
 * redirects.
 */
export async function pruneContent(
  code: string,
  question: string,
  config: PrunerConfig,
  options: { readonly signal?: AbortSignal } = {},
): Promise<PrunerAnswer> {
  const started = performance.now();
  const since = () => Math.round(performance.now() - started);
  const fail = (error: PrunerError): PrunerAnswer => ({ ok: false, text: code, error, durationMs: since() });
  const limit = startTimeLimit(config.timeoutMs, options.signal);
  try {
    const response = await fetch(config.url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code, query: question.trim() }),
      signal: limit.signal,
      redirect: "manual", // J-63: not a 2xx; and the text goes to the configured address only
    });
    if (!response.ok) {
      await response.body?.cancel();
      return fail({ code: "http_error", message: `the pruner answered HTTP ${response.status}` });
    }
    const body = await readBody(response);
    if (body === undefined) {
      return fail({ code: "invalid_response", message: `the answer is longer than ${MAX_ANSWER_BYTES} bytes` });
    }
    const text = prunedTextOf(body);
    if (text === undefined) {
      return fail({ code: "invalid_response", message: "no string in pruned_code, content or text" });
    }
    // A text pruner of ours has counted it in the meter.
    const isCounted = response.headers.has("jeeves-prune-id");
    return { ok: true, text, durationMs: since(), ...(isCounted ? { isCounted } : {}) };
  } catch (cause) {
    if (limit.isOver) return fail({ code: "timeout", message: `no answer within ${config.timeoutMs} ms` });
    return fail({ code: "http_error", message: causeOf(cause) });
  } finally {
    limit.end();
  }
}

async function readBody(response: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) return undefined; // leaving the loop ends the connection
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

/** J-61: the first field that is a string, in this order. */
function prunedTextOf(body: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isRecord(parsed)) return undefined;
  return [parsed.pruned_code, parsed.content, parsed.text].find((value) => typeof value === "string");
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** any program may listen on port 8000, so its health must first show a pruner with its model loaded. */
export async function isPrunerAt(url: string, options: { readonly timeoutMs: number }): Promise<boolean> {
  // Not fetch, because loading it takes longer than the answer may; this is asked in nearly every session.
  const { get } = await import("node:http");
  try {
    const asked = get(new URL("/health", url), { agent: false, signal: AbortSignal.timeout(options.timeoutMs) });
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    asked.on("error", () => {}); // the loop below tells
    let body = "";
    for await (const part of response.setEncoding("utf8")) {
      body += part;
      if (body.length > MAX_HEALTH_CHARS) return false;
    }
    const health: unknown = JSON.parse(body);
    return response.statusCode === 200 && isRecord(health) && health.model_loaded === true;
  } catch {
    return false;
  }
}
