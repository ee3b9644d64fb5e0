// The end of a session: from its transcript, or as JSON from a client's plugin.
import { isRecord } from "@jeeves/base";

/** What is known of a session at a call. */
export interface SessionTail {
  /** The user's last words. */
  readonly user?: string;
  /** The assistant's last words since then. */
  readonly said?: string;
  /** What it thought right before its last call. */
  readonly thought?: string;
  /** The whole prompt of the last call, in tokens. */
  readonly contextTokens?: number;
  /** The model of its last turn. */
  readonly model?: string;
  /** The ids of its last calls: a subagent's are not among them. */
  readonly calls?: ReadonlySet<string>;
}

/** What a plugin sends. */
export interface SessionFacts {
  readonly user?: string | undefined;
  readonly said?: string | undefined;
  readonly thought?: string | undefined;
  readonly context_tokens?: number | undefined;
  readonly model?: string | undefined;
  /** The ids of the calls whose results are in the context. */
  readonly calls?: readonly string[];
}

/** Parses a plugin's JSON; undefined where there is none. */
export function parseSessionFacts(given: unknown): SessionTail | undefined {
  if (!isRecord(given)) return undefined;
  const { context_tokens: contextTokens, calls } = given;
  const words = (["user", "said", "thought", "model"] as const).flatMap((name) => {
    const text = given[name];
    return typeof text === "string" && text !== "" ? [[name, text] as const] : [];
  });
  return {
    ...Object.fromEntries(words),
    ...(typeof contextTokens === "number" && contextTokens > 0 ? { contextTokens } : {}),
    ...(Array.isArray(calls) ? { calls: new Set(calls.filter((id) => typeof id === "string")) } : {}),
  };
}
