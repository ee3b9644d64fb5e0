// tools/call, from its parameters to its result: validate once, run, answer in the client's form. The states of J-79
// are walked here; a tool adds the steps that only it can see.
import { type Gate, isRecord } from "@jeeves/base";
import * as z from "zod";
import type { Events } from "../../events/index.ts";
import { stackOf } from "../../process/stack-of.ts";
import { maxErrorCharsOf, maxResultCharsOf, resultFormOf } from "../client.ts";
import { type RequestId, SERVER_STOPPING, toFailure, toNotification, toSuccess } from "../json-rpc.ts";
import { failureReply, internalError, type Reply } from "../reply.ts";
import type { Session } from "../session.ts";
import { invalidParams, type ParamIssue, paramIssue, toLoggedIssues, toParamIssues } from "./invalid-params.ts";
import { newRequestId } from "./request-id.ts";
import { createRequestPath, type RequestPath } from "./request-states.ts";
import { toCallToolResult } from "./respond.ts";
import type { Profile, Progress, ToolCall, ToolDefinition, ToolOutcome, ToolRefusal } from "./tool.ts";

export interface CallContext {
  readonly profile: Profile;
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
  readonly fieldErrors: boolean;
  /** A gate for each tool, by its name: slow calls of one hold up no other. */
  readonly gates: ReadonlyMap<string, Gate>;
}

interface Asked {
  readonly id: RequestId;
  readonly requestId: string;
  readonly tool: string | undefined;
  readonly events: Events;
  readonly path: RequestPath;
}

// A client may send anything as a name; the log need not keep all of it.
const MAX_LOGGED_NAME_CHARS = 200;

const callParams = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  _meta: z
    .object({ progressToken: z.union([z.string(), z.number()]).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

export async function callTool(
  request: { readonly id: RequestId; readonly params: unknown },
  session: Session,
  context: CallContext,
): Promise<Reply | undefined> {
  const requestId = newRequestId();
  const asked: Asked = {
    id: request.id,
    requestId,
    tool: isRecord(request.params) && typeof request.params.name === "string" ? request.params.name : undefined,
    events: context.events.child(requestId),
    path: createRequestPath(),
  };
  asked.events.emit("info", "tool.request_received", named(asked));
  const life = session.begin(request.id);
  try {
    asked.path.advance("req:validating");
    const found = validate(request.params, asked, context);
    if (found.kind === "refused") return found.reply(session);

    // Everything up to here happened in the turn of the event loop in which the request came (J-24).
    const gate = found.tool.waitsItsTurn === false ? undefined : context.gates.get(found.tool.name);
    const leave = gate === undefined ? () => {} : await gate.enter(life.signal);
    if (leave === undefined) return stopped(asked, life);
    try {
      asked.path.advance("req:executing_tool");
      const call = toToolCall(asked, life.signal, found.progressToken, session, context);
      const outcome = await found.tool.run(found.args, call);
      if (life.isCancelled()) return stopped(asked, life);
      return "refusal" in outcome ? refuse(outcome, asked) : succeed(outcome, asked, session, context);
    } catch (error) {
      // A call that was told to stop may end any way it likes.
      return life.signal.aborted ? stopped(asked, life) : failed(error, asked);
    } finally {
      leave();
    }
  } catch (error) {
    return failed(error, asked);
  } finally {
    life.end();
  }
}

type Found =
  | {
      readonly kind: "found";
      readonly tool: ToolDefinition;
      readonly args: never;
      readonly progressToken: string | number | undefined;
    }
  | { readonly kind: "refused"; reply(session: Session): Reply };

function validate(params: unknown, asked: Asked, context: CallContext): Found {
  const { profile } = context;
  const outer = callParams.safeParse(params);
  if (!outer.success) return refused(toParamIssues(outer.error.issues), asked, context);
  const { name, _meta: meta } = outer.data;
  // As they came: zod's copy of a record has lost a key named __proto__, which a strict tool refuses.
  const given = isRecord(params) ? (params.arguments ?? {}) : {};

  const tool = profile.tools.find((each) => each.name === name);
  if (tool === undefined) {
    const issues = [paramIssue("name", "invalid_value")];
    const words = profile.unknownTool === "error_result" ? `Unknown tool: ${name}` : undefined;
    return refused(issues, asked, context, words);
  }
  const args = tool.args.safeParse(given);
  if (!args.success) {
    const issues = toParamIssues(args.error.issues, ["arguments"]);
    const words =
      profile.badArguments === "error_result"
        ? `Invalid arguments for ${name}: ${issues.map(({ path, code }) => `${path} (${code})`).join(", ")}`
        : undefined;
    return refused(issues, asked, context, words);
  }
  return { kind: "found", tool, args: args.data, progressToken: meta?.progressToken };
}

/** words: the profile answers with an isError result instead of a protocol error. */
function refused(issues: readonly ParamIssue[], asked: Asked, context: CallContext, words?: string): Found {
  asked.path.advance("req:invalid_request");
  asked.events.emit("warn", "tool.request_invalid", {
    ...named(asked),
    method: "tools/call",
    message: "Invalid params",
    ...toLoggedIssues(issues, context),
    states: asked.path.states,
  });
  return {
    kind: "refused",
    reply(session) {
      if (words === undefined) {
        const { fieldErrors } = context;
        return failureReply(asked.id, invalidParams(issues, { method: "tools/call", tool: asked.tool, fieldErrors }));
      }
      const form = resultFormOf(session.client, context.env);
      const result = toCallToolResult({ text: words, isError: true }, form);
      return { text: toSuccess(asked.id, result), thenClose: false, sent: () => {} };
    },
  };
}

function toToolCall(
  asked: Asked,
  signal: AbortSignal,
  progressToken: string | number | undefined,
  session: Session,
  context: CallContext,
): ToolCall {
  return {
    requestId: asked.requestId,
    sessionId: session.id,
    isStateless: session.isStateless,
    signal,
    client: session.client,
    isOwner: () => session.access.isOwner(),
    events: asked.events,
    maxResultChars: maxResultCharsOf(session.client, context.env),
    maxErrorChars: maxErrorCharsOf(session.client, context.env),
    advance: (state) => asked.path.advance(state),
    progress(progress: Progress) {
      if (progressToken === undefined || signal.aborted || asked.path.ended) return;
      session.notify(toNotification("notifications/progress", { progressToken, ...progress }), asked.id);
    },
  };
}

function succeed(outcome: ToolOutcome, asked: Asked, session: Session, context: CallContext): Reply {
  const { path, events } = asked;
  const mode = outcome.mode ?? "raw";
  if (outcome.isError === true) {
    // A tool error that was pruned on its way has gone further, and ends like any answer.
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
  let text: string;
  try {
    text = toSuccess(asked.id, toCallToolResult(outcome, resultFormOf(session.client, context.env)));
  } catch (error) {
    respondFailed(error);
    return { text: toFailure(asked.id, internalError(asked.requestId)), thenClose: true, sent: () => {} };
  }
  return {
    text,
    thenClose: false,
    sent(error) {
      if (error !== undefined) return respondFailed(error);
      if (!path.ended) path.advance("req:responded");
      events.emit("info", "tool.respond_ok", { ...named(asked), mode, states: path.states });
    },
  };
}

/** K-37, K-38: the tool's answer is a JSON-RPC error of its own. */
function refuse({ refusal }: ToolRefusal, asked: Asked): Reply {
  if (asked.path.state === "req:executing_tool") asked.path.advance("req:tool_error");
  const { code, message } = refusal;
  asked.events.emit("info", "tool.refused", { ...named(asked), code, message, states: asked.path.states });
  return failureReply(asked.id, refusal);
}

function failed(error: unknown, asked: Asked): Reply {
  if (!asked.path.ended) asked.path.advanceTo("req:internal_error");
  const data = { ...named(asked), stack: stackOf(error), states: asked.path.states };
  asked.events.emit("error", "tool.internal_error", data);
  return failureReply(asked.id, internalError(asked.requestId));
}

/** MCP: what the client has cancelled is not answered. What our own end has cut short is: somebody waits for it. */
function stopped(asked: Asked, life: { isCancelled(): boolean }): Reply | undefined {
  asked.events.emit("info", "tool.request_cancelled", named(asked));
  if (life.isCancelled()) return undefined;
  return failureReply(asked.id, { code: SERVER_STOPPING, message: "the server is stopping" });
}

function named(asked: Asked): { readonly tool?: string } {
  return asked.tool === undefined ? {} : { tool: asked.tool.slice(0, MAX_LOGGED_NAME_CHARS) };
}
