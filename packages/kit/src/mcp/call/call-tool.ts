// tools/call, from its parameters to its result: validate once, run, answer in the client's form. It goes through the
// states of J-79; a tool adds the steps of its own.
import { type Gate, isRecord } from "@jeeves/base";
import * as z from "zod";
import type { Events } from "../../events/index.ts";
import { stackOf } from "../../process/stack-of.ts";
import { type ClientIdentity, maxErrorCharsOf, maxResultCharsOf, resultFormOf } from "../client.ts";
import { internalError, SERVER_STOPPING } from "../json-rpc.ts";
import type { Session } from "../session.ts";
import { type Answer, failureAnswer, resultAnswer } from "./answer.ts";
import { invalidParams, type ParamIssue, paramIssue, toLoggedIssues, toParamIssues } from "./invalid-params.ts";
import { newRequestId } from "./request-id.ts";
import { createRequestPath, type RequestPath } from "./request-states.ts";
import { toCallToolResult } from "./respond.ts";
import type { Profile, Progress, ToolCall, ToolDefinition, ToolOutcome, ToolRefusal } from "./tool.ts";

/** What all calls of a server share. */
export interface CallContext {
  readonly profile: Profile;
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
  readonly fieldErrors: boolean;
  /** A gate for each tool, by its name, so that slow calls of one do not delay those of another. */
  readonly gates: ReadonlyMap<string, Gate>;
}

/** A request that is being answered, from any transport. */
export interface Incoming {
  /** As received: not parsed by the SDK's schemas. */
  readonly params: unknown;
  readonly session: Session;
  readonly client: ClientIdentity;
  /** Aborted when the client cancels or the server stops. */
  readonly signal: AbortSignal;
  /** The client has cancelled it, so that no answer may be sent. */
  isCancelled(): boolean;
  /** Sends a notification about this request; ignored where the connection is closed. */
  notify(method: string, params: Readonly<Record<string, unknown>>): void;
}

interface Asked {
  readonly requestId: string;
  readonly tool: string | undefined;
  readonly events: Events;
  readonly path: RequestPath;
}

// A client may send a name of any length; the log keeps this much.
const MAX_LOGGED_NAME_CHARS = 200;

const callParams = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  _meta: z
    .object({ progressToken: z.union([z.string(), z.number()]).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** Never rejects: an error thrown by a tool becomes an internal error, and its stack is only logged. */
export async function callTool(request: Incoming, context: CallContext): Promise<Answer> {
  const requestId = newRequestId();
  const { params, signal } = request;
  const asked: Asked = {
    requestId,
    tool: isRecord(params) && typeof params.name === "string" ? params.name : undefined,
    events: context.events.child(requestId),
    path: createRequestPath(),
  };
  asked.events.emit("info", "tool.request_received", named(asked));
  try {
    asked.path.advance("req:validating");
    const found = validate(request, asked, context);
    if (found.kind === "refused") return found.answer;

    // Everything up to here happened in one turn of the event loop (J-24).
    const gate = found.tool.waitsItsTurn === false ? undefined : context.gates.get(found.tool.name);
    const leave = gate === undefined ? () => {} : await gate.enter(signal);
    if (leave === undefined) return stopped(asked, request);
    try {
      asked.path.advance("req:executing_tool");
      const outcome = await found.tool.run(found.args, toToolCall(asked, found.progressToken, request, context));
      if (request.isCancelled()) return stopped(asked, request);
      return "refusal" in outcome ? refuse(outcome, asked) : succeed(outcome, asked, request, context);
    } catch (error) {
      // An aborted call may throw anything.
      return signal.aborted ? stopped(asked, request) : failed(error, asked);
    } finally {
      leave();
    }
  } catch (error) {
    return failed(error, asked);
  }
}

type Found =
  | {
      readonly kind: "found";
      readonly tool: ToolDefinition;
      readonly args: never;
      readonly progressToken: string | number | undefined;
    }
  | { readonly kind: "refused"; readonly answer: Answer };

function validate({ params, client }: Incoming, asked: Asked, context: CallContext): Found {
  const { profile } = context;
  const refuseWith = (issues: readonly ParamIssue[], words?: string): Found => ({
    kind: "refused",
    answer: refused(issues, { asked, client, context, words }),
  });
  const outer = callParams.safeParse(params);
  if (!outer.success) return refuseWith(toParamIssues(outer.error.issues));
  const { name, _meta: meta } = outer.data;
  // As received: zod's copy of a record lacks a key named __proto__, which a strict tool must refuse.
  const given = isRecord(params) ? (params.arguments ?? {}) : {};

  const tool = profile.tools.find((each) => each.name === name);
  if (tool === undefined) {
    const issues = [paramIssue("name", "invalid_value")];
    return refuseWith(issues, profile.unknownTool === "error_result" ? `Unknown tool: ${name}` : undefined);
  }
  const args = tool.args.safeParse(given);
  if (!args.success) {
    const issues = toParamIssues(args.error.issues, ["arguments"]);
    const words =
      profile.badArguments === "error_result"
        ? `Invalid arguments for ${name}: ${issues.map(({ path, code }) => `${path} (${code})`).join(", ")}`
        : undefined;
    return refuseWith(issues, words);
  }
  return { kind: "found", tool, args: args.data, progressToken: meta?.progressToken };
}

/** With `words` the answer is an isError result instead of a protocol error, for profiles that want that. */
function refused(
  issues: readonly ParamIssue[],
  given: {
    readonly asked: Asked;
    readonly client: ClientIdentity;
    readonly context: CallContext;
    readonly words: string | undefined;
  },
): Answer {
  const { asked, client, context, words } = given;
  asked.path.advance("req:invalid_request");
  asked.events.emit("warn", "tool.request_invalid", {
    ...named(asked),
    method: "tools/call",
    message: "Invalid params",
    ...toLoggedIssues(issues, context),
    states: asked.path.states,
  });
  if (words === undefined) {
    const { fieldErrors } = context;
    return failureAnswer(invalidParams(issues, { method: "tools/call", tool: asked.tool, fieldErrors }));
  }
  return resultAnswer(toCallToolResult({ text: words, isError: true }, resultFormOf(client, context.env)));
}

function metaOf(params: unknown): Readonly<Record<string, unknown>> {
  return isRecord(params) && isRecord(params._meta) ? params._meta : {};
}

function toToolCall(
  asked: Asked,
  progressToken: string | number | undefined,
  request: Incoming,
  context: CallContext,
): ToolCall {
  const { session, client, signal } = request;
  return {
    requestId: asked.requestId,
    sessionId: session.id,
    isStateless: session.isStateless,
    signal,
    meta: metaOf(request.params),
    client,
    isOwner: () => session.access.isOwner(),
    events: asked.events,
    maxResultChars: maxResultCharsOf(client, context.env),
    maxErrorChars: maxErrorCharsOf(client, context.env),
    advance: (state) => asked.path.advance(state),
    progress(progress: Progress) {
      if (progressToken === undefined || signal.aborted || asked.path.ended) return;
      request.notify("notifications/progress", { progressToken, ...progress });
    },
  };
}

function succeed(outcome: ToolOutcome, asked: Asked, request: Incoming, context: CallContext): Answer {
  const { path, events } = asked;
  const mode = outcome.mode ?? "raw";
  if (outcome.isError === true) {
    // A tool error that was pruned has left that state already, and ends like any answer.
    if (path.state === "req:executing_tool") path.advance("req:tool_error");
  } else if (path.state === "req:tool_error") {
    throw new Error("a tool that went to req:tool_error must return isError");
  }
  if (!path.ended) path.advanceTo(mode === "pruned" ? "req:respond_pruned" : "req:respond_raw");

  const respondFailed = (error: unknown) => {
    if (!path.ended) path.advance("req:internal_error");
    const message = error instanceof Error ? error.message : String(error);
    events.emit("error", "tool.respond_failed", { ...named(asked), message, states: path.states });
  };
  return {
    kind: "result",
    result: toCallToolResult(outcome, resultFormOf(request.client, context.env)),
    requestId: asked.requestId,
    sent(error) {
      if (error !== undefined) return respondFailed(error);
      if (!path.ended) path.advance("req:responded");
      events.emit("info", "tool.respond_ok", { ...named(asked), mode, states: path.states });
    },
  };
}

/** K-37, K-38: the tool's answer is a JSON-RPC error of its own. */
function refuse({ refusal }: ToolRefusal, asked: Asked): Answer {
  if (asked.path.state === "req:executing_tool") asked.path.advance("req:tool_error");
  const { code, message } = refusal;
  asked.events.emit("info", "tool.refused", { ...named(asked), code, message, states: asked.path.states });
  return failureAnswer(refusal);
}

function failed(error: unknown, asked: Asked): Answer {
  if (!asked.path.ended) asked.path.advanceTo("req:internal_error");
  const data = { ...named(asked), stack: stackOf(error), states: asked.path.states };
  asked.events.emit("error", "tool.internal_error", data);
  return failureAnswer(internalError(asked.requestId));
}

/** A call that the client has cancelled is not answered (MCP). One that we have stopped is: its client still waits. */
function stopped(asked: Asked, request: Incoming): Answer {
  asked.events.emit("info", "tool.request_cancelled", named(asked));
  if (request.isCancelled()) return { kind: "cancelled" };
  return failureAnswer({ code: SERVER_STOPPING, message: "the server is stopping" });
}

function named(asked: Asked): { readonly tool?: string } {
  return asked.tool === undefined ? {} : { tool: asked.tool.slice(0, MAX_LOGGED_NAME_CHARS) };
}
