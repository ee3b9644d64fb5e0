// One answer on its way out: the text, and who is told whether it arrived. Events about an answer are logged by what
// really happened to it, so a transport reports back once it has written or failed to.
import { INTERNAL_ERROR, type RequestId, type RpcFailure, toFailure } from "./json-rpc.ts";

export interface Reply {
  readonly text: string;
  /** The connection cannot be trusted to carry further answers (J-76). */
  readonly thenClose: boolean;
  sent(error?: Error): void;
}

export function plainReply(text: string): Reply {
  return { text, thenClose: false, sent: () => {} };
}

export function failureReply(id: RequestId | null, failure: RpcFailure): Reply {
  return plainReply(toFailure(id, failure));
}

/** J-18: the client learns that something broke and under which request id it was logged; nothing else. */
export function internalError(requestId: string): RpcFailure {
  return {
    code: INTERNAL_ERROR,
    message: "internal error",
    data: { jeeves: { schemaVersion: 1 }, request_id: requestId },
  };
}
