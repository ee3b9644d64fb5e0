// One connection: who is at the other end, which of its calls are running, and a way to tell it something unasked.
// A transport makes one per connection and aborts it when the connection is gone (J-82).
import { type ClientIdentity, UNKNOWN_CLIENT } from "./client.ts";
import type { RequestId } from "./json-rpc.ts";

/** Whether a session may do what only the user who started the server may. */
export interface SessionAccess {
  /** `token`: what came with the call itself, for transports without headers. */
  isOwner(token?: string): Promise<boolean>;
  /** Calls of anyone else are refused by the dispatcher. Otherwise the transport has checked, or a tool asks. */
  readonly ownerOnly: boolean;
}

export interface Session {
  /** No other session of this process has it. */
  readonly id: number;
  /** It lives for one request: what the same client asks next is another session (a lone POST, MCP 2026-07-28). */
  readonly isStateless: boolean;
  client: ClientIdentity;
  readonly access: SessionAccess;
  /** Sends a notification about a call; a connection that is gone swallows it. */
  notify(text: string, about: RequestId): void;
  /** A call's life: its signal, and the end to be called when it is over. */
  begin(id: RequestId): { readonly signal: AbortSignal; isCancelled(): boolean; end(): void };
  cancel(id: RequestId): void;
  abortAll(): void;
  readonly running: number;
}

/** stdio, Unix sockets of 0600, and what a route has checked. */
const OWNER: SessionAccess = { isOwner: async () => true, ownerOnly: false };

let lastId = 0;

export function createSession(options: {
  readonly notify: (text: string, about: RequestId) => void;
  /** Default: the other end is the owner. */
  readonly access?: SessionAccess | undefined;
  /** Default: false. */
  readonly isStateless?: boolean;
}): Session {
  // A client may use one id twice at once; each call is answered, and a cancel reaches them all.
  const calls = new Map<RequestId, Set<{ readonly controller: AbortController; cancelled: boolean }>>();
  let running = 0;
  return {
    id: ++lastId,
    isStateless: options.isStateless ?? false,
    client: UNKNOWN_CLIENT,
    access: options.access ?? OWNER,
    notify: options.notify,
    begin(id) {
      const call = { controller: new AbortController(), cancelled: false };
      const same = calls.get(id) ?? new Set();
      calls.set(id, same.add(call));
      running++;
      return {
        signal: call.controller.signal,
        isCancelled: () => call.cancelled,
        end() {
          if (!same.delete(call)) return;
          if (same.size === 0) calls.delete(id);
          running--;
        },
      };
    },
    cancel(id) {
      for (const call of calls.get(id) ?? []) {
        call.cancelled = true;
        call.controller.abort(new Error("cancelled by the client"));
      }
    },
    abortAll() {
      for (const same of calls.values()) {
        for (const call of same) call.controller.abort(new Error("the server is stopping"));
      }
    },
    get running() {
      return running;
    },
  };
}
