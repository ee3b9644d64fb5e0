// A place on a server and what is done there. A handler returns its answer as a value; only one that streams writes to
// the response itself.
import type { IncomingMessage, ServerResponse } from "node:http";

/** One request, as a route is given it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when the client is gone, or when the server can wait no longer. */
  readonly signal: AbortSignal;
  /** The whole body, within the server's bounds; throws the refusal. */
  readBody(): Promise<Uint8Array>;
  /** Whether the client has proven to be the user who started the server. */
  isOwner(): Promise<boolean>;
  /** Throws the refusal where it has not. */
  requireOwner(): Promise<void>;
}

/**
 * Who may use a route: `open`: anyone who passes the guards. `owner`: the user who started the server. `handler`: the
 * handler decides, with `isOwner` and `requireOwner`.
 */
export type Access = "open" | "owner" | "handler";

/** What a route answers. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Called with whether the answer left. */
  readonly sent?: (error?: Error) => void;
}

/** A path, its methods, who may ask, and what answers. */
export interface HttpRoute {
  readonly path: string;
  /** Any other is 405. */
  readonly methods: readonly string[];
  /** Default: owner. */
  readonly access?: Access;
  /** undefined: the handler has answered by itself. */
  handle(exchange: Exchange): Promise<HttpAnswer | undefined>;
  /** Ends what would not end by itself, such as streams, when the server stops. */
  close?(): Promise<void>;
}

/** An answer with a JSON body. */
export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers, body: JSON.stringify(value) };
}
