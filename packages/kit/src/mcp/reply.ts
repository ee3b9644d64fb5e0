// One answer to be sent: the message, its text, and a callback. A transport must call it once the answer was written or
// could not be, because events record what really happened to an answer.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { internalError, type RequestId, type RpcFailure, toLine } from "./json-rpc.ts";

/** An answer, ready to be sent. */
export interface Reply {
  /** For the SDK's transports, which write messages; undefined for the answers of a batch. */
  readonly message: JSONRPCMessage | undefined;
  readonly text: string;
  /** Close the connection after this answer (J-76). */
  readonly thenClose: boolean;
  sent(error?: Error): void;
}

/** A reply that is a JSON-RPC error; `id` is null where the request's own could not be read. */
export function failureReply(id: RequestId | null, failure: RpcFailure): Reply {
  const message = { jsonrpc: "2.0", id, error: failure };
  // The SDK's type has no null, which JSON-RPC prescribes for what could not be read.
  return { message: message as JSONRPCMessage, text: toLine(message), thenClose: false, sent: () => {} };
}

/** A reply with a result. One that JSON cannot hold becomes an internal error, and the connection ends (J-76). */
export function resultReply(
  id: RequestId,
  result: object,
  about: { readonly requestId: string; sent(error?: Error): void },
): Reply {
  const message = { jsonrpc: "2.0", id, result };
  try {
    return { message: message as JSONRPCMessage, text: toLine(message), thenClose: false, sent: about.sent };
  } catch (error) {
    about.sent(error instanceof Error ? error : new Error(String(error)));
    return { ...failureReply(id, internalError(about.requestId)), thenClose: true };
  }
}

/** The answers of a batch as one reply; undefined where there are none. */
export function batchReply(replies: readonly (Reply | undefined)[]): Reply | undefined {
  const wanted = replies.filter((reply) => reply !== undefined);
  if (wanted.length === 0) return undefined;
  return {
    message: undefined,
    text: `[${wanted.map(({ text }) => text).join(",")}]`,
    thenClose: wanted.some(({ thenClose }) => thenClose),
    sent(error) {
      for (const reply of wanted) reply.sent(error);
    },
  };
}
