// One connection: its client, its running requests, and a way to send notifications.
// A transport makes one per connection and aborts it when the connection is gone (J-82).
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { type ClientIdentity, UNKNOWN_CLIENT } from "./client.ts";
import type { RequestId } from "./json-rpc.ts";

/** Whether a session may do what only the user who started the server may. */
export interface SessionAccess {
  /** `token`: the one in the call itself, for transports without headers. */
  isOwner(token?: string): Promise<boolean>;
  /** With true the dispatcher refuses calls of others. With false the transport has checked, or the tool checks itself. */
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
  /** Unique in this process. */
  readonly id: number;
  /** It exists for one request; the client's next request has another session (a single POST, MCP 2026-07-28). */
  readonly isStateless: boolean;
  client: ClientIdentity;
  /** The version that `initialize` agreed on. */
  protocolVersion: string | undefined;
  readonly access: SessionAccess;
  /** Sends a message about one of its requests (`about`); ignored where the connection is closed. */
  notify(message: JSONRPCMessage, about: RequestId | undefined): void;
  begin(): RequestLife;
  abortAll(): void;
  readonly running: number;
}

/** The access for stdio, for Unix sockets with mode 0600, and where a route has checked. */
const OWNER: SessionAccess = { isOwner: async () => true, ownerOnly: false };

let lastId = 0;

/** Creates a session for one connection, or for one single request. */
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
