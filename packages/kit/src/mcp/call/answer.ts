// The outcome of one request: a result, an error, or nothing because its client has cancelled it. The SDK sends it and
// reports back whether that succeeded, so that events record what really happened to an answer.
import type { Result } from "@modelcontextprotocol/server";
import type { RpcFailure } from "../json-rpc.ts";

/** The outcome of a request, before it becomes a message. */
export type Answer =
  | {
      readonly kind: "result";
      readonly result: Result;
      /** Our own id of the request, for the error that replaces a result that JSON cannot hold. */
      readonly requestId?: string;
      /** Called once the result was written, or with the reason why it was not. */
      sent?(error?: Error): void;
    }
  | { readonly kind: "failure"; readonly failure: RpcFailure }
  | { readonly kind: "cancelled" };

/** An answer of a plain value. */
export function resultAnswer(result: Result): Answer {
  return { kind: "result", result };
}

/** An answer that is a JSON-RPC error. */
export function failureAnswer(failure: RpcFailure): Answer {
  return { kind: "failure", failure };
}
