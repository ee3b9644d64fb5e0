// Requests to the viewer's server, and its stream of change events. The page sends requests to no other server.
import { authHeaders } from "./token.ts";

/** A refusal by the server, with its message for the user, or no answer at all. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** 0: the server did not answer at all. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Search parameters; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Rejects with an ApiError, or with the abort's error. The answer is not validated: page and server are built together. */
export async function getJson<T>(path: string, query: Query, signal: AbortSignal): Promise<T> {
  return ask<T>(toUrl(path, query), { headers: authHeaders(), signal });
}

/** As getJson, with a JSON body. */
export async function postJson<T>(path: string, body: unknown, signal: AbortSignal): Promise<T> {
  const headers = { ...authHeaders(), "content-type": "application/json" };
  return ask<T>(toUrl(path, {}), { method: "POST", headers, body: JSON.stringify(body), signal });
}

function toUrl(path: string, query: Query): string {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

async function ask<T>(url: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, cache: "no-store" });
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    throw new ApiError(0, "The viewer does not answer. Is it still running?");
  }
  if (response.ok) return (await response.json()) as T;
  const said: unknown = await response.json().catch(() => undefined);
  throw new ApiError(response.status, messageIn(said) ?? `The viewer answered ${response.status}.`);
}

function messageIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("error" in value)) return undefined;
  const { error } = value;
  if (typeof error !== "object" || error === null || !("message" in error)) return undefined;
  return typeof error.message === "string" ? error.message : undefined;
}

interface LiveHandlers {
  readonly onChange: () => void;
  readonly onState: (state: "live" | "lost") => void;
}

const RETRY_MS = 1_500;

/**
 * Follows a topic's changes. Uses fetch, because an EventSource cannot send a token. Connects again after an error, until
 * the signal aborts or the token is refused. A hidden page keeps no stream open: a browser has six connections to one server,
 * for all of its tabs together.
 */
export async function followLive(query: Query, handlers: LiveHandlers, signal: AbortSignal): Promise<void> {
  for (;;) {
    await untilVisibilityIs("visible", signal);
    if (signal.aborted) return;
    const streaming = new AbortController();
    void untilVisibilityIs("hidden", AbortSignal.any([signal, streaming.signal])).then(() => streaming.abort());
    const error: unknown = await readStream(query, handlers, streaming.signal).catch((reason) => reason);
    streaming.abort();
    if (document.visibilityState === "hidden" || signal.aborted) continue;
    handlers.onState("lost");
    if (error instanceof ApiError && error.status === 401) {
      handlers.onChange(); // the view's next request fails with 401 and shows what to do
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function readStream(query: Query, handlers: LiveHandlers, signal: AbortSignal): Promise<void> {
  const response = await fetch(toUrl("/api/live", query), { headers: authHeaders(), signal, cache: "no-store" });
  if (!response.ok || response.body === null) {
    throw new ApiError(response.status, `The viewer answered ${response.status}.`);
  }
  handlers.onState("live");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    if (parts.some((part) => part.startsWith("event: change"))) handlers.onChange();
  }
}

/** Also resolves when the signal aborts. */
function untilVisibilityIs(wanted: DocumentVisibilityState, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== wanted && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
    look();
  });
}
