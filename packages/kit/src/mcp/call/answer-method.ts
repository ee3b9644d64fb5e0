// The methods that the SDK leaves to us: `tools/list`, `tools/call`, and those of the profile. The SDK itself answers
// `initialize`, `ping` and `server/discover`.
import { isRecord } from "@jeeves/base";
import type { Tool } from "@modelcontextprotocol/server";
import * as z from "zod";
import { stackOf } from "../../process/stack-of.ts";
import { resultFormOf } from "../client.ts";
import { ACCESS_DENIED, internalError, METHOD_NOT_FOUND } from "../json-rpc.ts";
import { type Answer, failureAnswer, resultAnswer } from "./answer.ts";
import { type CallContext, callTool, type Incoming } from "./call-tool.ts";
import { invalidParams, toLoggedIssues, toParamIssues } from "./invalid-params.ts";
import { newRequestId } from "./request-id.ts";
import { toCallToolResult } from "./respond.ts";
import type { ToolDefinition } from "./tool.ts";

const DENIED =
  'only the user who started this server may do that: send _meta {"jeeves/token": "<token>"} with the call; ' +
  "`jeeves token` prints it";

// We send no cursors, so only an empty one is accepted.
const listParams = z.object({ cursor: z.literal("").nullish() }).optional();

/** Answers one request. Never rejects. */
export async function answerMethod(method: string, request: Incoming, context: CallContext): Promise<Answer> {
  try {
    switch (method) {
      case "tools/list": {
        const failure = checkParams(listParams, { method, params: request.params, context });
        return failure === undefined ? resultAnswer({ tools: listedTools(context) }) : failure;
      }
      case "tools/call":
        return await forOwner(method, request, context, () => callTool(request, context));
      default: {
        const { methods = {} } = context.profile;
        const own = Object.hasOwn(methods, method) ? methods[method] : undefined;
        if (own === undefined) return failureAnswer({ code: METHOD_NOT_FOUND, message: "Method not found" });
        return await forOwner(method, request, context, async () => toResultAnswer(await own(request.params)));
      }
    }
  } catch (error) {
    const requestId = newRequestId();
    context.events.emit("error", "tool.internal_error", { method, stack: stackOf(error) }, requestId);
    return failureAnswer(internalError(requestId));
  }
}

/** Logs and returns the -32602 error for parameters that do not match; undefined where they do. */
export function checkParams(
  schema: z.ZodType,
  given: { readonly method: string; readonly params: unknown; readonly context: CallContext },
): Extract<Answer, { kind: "failure" }> | undefined {
  const { method, params, context } = given;
  const parsed = schema.safeParse(params);
  if (parsed.success) return undefined;
  const issues = toParamIssues(parsed.error.issues);
  const data = { method, message: "Invalid params", ...toLoggedIssues(issues, context) };
  context.events.emit("warn", "tool.request_invalid", data, newRequestId());
  return { kind: "failure", failure: invalidParams(issues, { method, fieldErrors: context.fieldErrors }) };
}

/** Runs a tool. Where the transport requires a proof of ownership, calls without one are refused. */
async function forOwner(
  method: string,
  request: Incoming,
  context: CallContext,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const { access } = request.session;
  if (!access.ownerOnly || (await access.isOwner(tokenIn(request.params)))) return run();
  context.events.emit("warn", "mcp.access_denied", { method }, newRequestId());
  if (method !== "tools/call" || context.profile.unknownTool !== "error_result") {
    return failureAnswer({ code: ACCESS_DENIED, message: "Access denied", data: { reason: DENIED } });
  }
  const form = resultFormOf(request.client, context.env);
  return resultAnswer(toCallToolResult({ text: `Access denied: ${DENIED}`, isError: true }, form));
}

function toResultAnswer(value: unknown): Answer {
  if (!isRecord(value)) throw new Error("the result of a method is an object");
  return resultAnswer(value);
}

function tokenIn(params: unknown): string | undefined {
  const meta = isRecord(params) ? params._meta : undefined;
  const token = isRecord(meta) ? meta["jeeves/token"] : undefined;
  return typeof token === "string" ? token : undefined;
}

function listedTools(context: CallContext) {
  return context.profile.tools.filter((tool) => tool.listed !== false).map(toListedTool);
}

function toListedTool(tool: ToolDefinition) {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
    ...(tool.meta === undefined ? {} : { _meta: tool.meta }),
  } satisfies Partial<Record<keyof Tool, unknown>>;
}
