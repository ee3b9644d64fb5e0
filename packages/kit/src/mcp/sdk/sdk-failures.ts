// The SDK's own errors in the words of our contract: its strings never reach a client (J-23).
import { isRecord } from "@jeeves/base";
import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { CallContext } from "../call/call-tool.ts";
import { invalidParams, paramIssue, toLoggedIssues } from "../call/invalid-params.ts";
import { newRequestId } from "../call/request-id.ts";
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  internalError,
  METHOD_NOT_FOUND,
  type RpcFailure,
} from "../json-rpc.ts";

/** A request's method and its unchecked parameters. */
interface AskedMethod {
  readonly method: string;
  readonly params: unknown;
}

/** The method that opens a stream of announcements (MCP 2026-07-28). */
export const LISTEN = "subscriptions/listen";

const subscriptionFilter = z.object({
  toolsListChanged: z.boolean().optional(),
  promptsListChanged: z.boolean().optional(),
  resourcesListChanged: z.boolean().optional(),
  resourceSubscriptions: z.array(z.string()).optional(),
});

/** Our error in place of one that the SDK made. */
export function inOurWords(
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
  asked: AskedMethod,
  context: CallContext,
): RpcFailure {
  const { method } = asked;
  switch (error.code) {
    case METHOD_NOT_FOUND:
      return { code: METHOD_NOT_FOUND, message: "Method not found" };
    case INVALID_PARAMS:
      return unreadableEnvelope(asked, context);
    case ProtocolErrorCode.UnsupportedProtocolVersion:
      return unsupportedVersion(error.data);
    case INTERNAL_ERROR: {
      const requestId = newRequestId();
      context.events.emit("error", "tool.internal_error", { method, message: error.message }, requestId);
      return internalError(requestId);
    }
    default:
      return { code: error.code, message: error.code === INVALID_REQUEST ? "Invalid Request" : "Request refused" };
  }
}

/** The -32602 error for a `_meta` or a subscription that does not match the protocol version. */
export function unreadableEnvelope({ method, params }: AskedMethod, context: CallContext): RpcFailure {
  const isFilterWrong =
    method === LISTEN && isRecord(params) && !subscriptionFilter.safeParse(params.notifications).success;
  const issues = [paramIssue(isFilterWrong ? "notifications" : "_meta", "invalid_value")];
  const tool = method === "tools/call" && isRecord(params) && typeof params.name === "string" ? params.name : undefined;
  const data = { method, message: "Invalid params", ...toLoggedIssues(issues, context) };
  context.events.emit("warn", "tool.request_invalid", data, newRequestId());
  return invalidParams(issues, { method, tool, fieldErrors: context.fieldErrors });
}

/** Keeps the list of versions, which the protocol prescribes, and replaces the SDK's message. */
export function unsupportedVersion(data: unknown): RpcFailure {
  const about = isRecord(data) ? { data: { supported: data.supported, requested: data.requested } } : {};
  return { code: ProtocolErrorCode.UnsupportedProtocolVersion, message: "Unsupported protocol version", ...about };
}
