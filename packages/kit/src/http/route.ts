// Routes. A handler returns its answer as a value; only one that streams writes to the response itself.
import type { IncomingMessage, ServerResponse } from "node:http";

/** One request, as passed to a route's handler. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when the client is gone, or when the server stops and its drain time is over. */
  readonly signal: AbortSignal;
  /** The whole body. Rejects with an HttpError where it exceeds the server's limits. */
  readBody(): Promise<Uint8Array>;
  /** Whether the client has proven to be the user who started the server. */
  isOwner(): Promise<boolean>;
  /** Rejects with an HttpError (401) where it has not. */
  requireOwner(): Promise<void>;
}

/**
 * Who may use a route: `open`: anyone who passes the guards. `owner`: the user who started the server. `handler`: the
 * handler decides, with `isOwner` and `requireOwner`.
 */
export type Access = "open" | "owner" | "handler";

/** The answer of a route. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Called when the answer was sent, or with the error where it was not. */
  readonly sent?: (error?: Error) => void;
}

/** A path with its methods, its access and its handler. */
export interface HttpRoute {
  readonly path: string;
  /** Any other is 405. */
  readonly methods: readonly string[];
  /** Default: owner. */
  readonly access?: Access;
  /** Resolves with undefined where the handler has written the response itself. */
  handle(exchange: Exchange): Promise<HttpAnswer | undefined>;
  /** Ends what would not end by itself, such as streams, when the server stops. */
  close?(): Promise<void>;
}

/** An answer with a JSON body. */
export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers, body: JSON.stringify(value) };
}
