// One connection: who is at the other end, which of its requests are running, and a way to send it something unasked.
// A transport makes one per connection and aborts it when the connection is gone (J-82).
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { type ClientIdentity, UNKNOWN_CLIENT } from "./client.ts";
import type { RequestId } from "./json-rpc.ts";

/** Whether a session may do what only the user who started the server may. */
export interface SessionAccess {
  /** `token`: what came with the call itself, for transports without headers. */
  isOwner(token?: string): Promise<boolean>;
  /** Calls of anyone else are refused by the dispatcher. Otherwise the transport has checked, or a tool asks. */
  readonly ownerOnly: boolean;
}

/** A request from its arrival to its end. */
export interface RequestLife {
  readonly signal: AbortSignal;
  readonly isCancelled: boolean;
  cancel(): void;
  end(): void;
}

/** The connection or HTTP session that requests come in on. */
export interface Session {
  /** No other session of this process has it. */
  readonly id: number;
  /** It lives for one request: what the same client asks next is another session (a lone POST, MCP 2026-07-28). */
  readonly isStateless: boolean;
  client: ClientIdentity;
  /** The version that `initialize` agreed on. */
  protocolVersion: string | undefined;
  readonly access: SessionAccess;
  /** Sends a message, `about` one of its requests; a connection that is gone swallows it. */
  notify(message: JSONRPCMessage, about: RequestId | undefined): void;
  begin(): RequestLife;
  abortAll(): void;
  readonly running: number;
}

/** stdio, Unix sockets of 0600, and what a route has checked. */
const OWNER: SessionAccess = { isOwner: async () => true, ownerOnly: false };

let lastId = 0;

/** A session for one connection, or for one request that comes alone. */
export function createSession(options: {
  readonly notify: Session["notify"];
  /** Default: the other end is the owner. */
  readonly access?: SessionAccess | undefined;
  /** Default: false. */
  readonly isStateless?: boolean;
}): Session {
  const running = new Set<AbortController>();
  return {
    id: ++lastId,
    isStateless: options.isStateless ?? false,
    client: UNKNOWN_CLIENT,
    protocolVersion: undefined,
    access: options.access ?? OWNER,
    notify: options.notify,
    begin() {
      const controller = new AbortController();
      running.add(controller);
      let isCancelled = false;
      return {
        signal: controller.signal,
        get isCancelled() {
          return isCancelled;
        },
        cancel() {
          isCancelled = true;
          controller.abort(new Error("cancelled by the client"));
        },
        end: () => void running.delete(controller),
      };
    },
    abortAll() {
      for (const controller of running) controller.abort(new Error("the server is stopping"));
    },
    get running() {
      return running.size;
    },
  };
}
