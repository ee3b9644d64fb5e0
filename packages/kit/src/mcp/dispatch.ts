// From one frame to one reply, whatever the transport: parse, find the method, validate, answer. All of MCP that we
// serve is here and in call-tool.ts; no stream, no socket, no file. Methods work before initialize too.
import { createGate, isRecord } from "@jeeves/base";
import type { InitializeResult, Tool } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Events } from "../events/index.ts";
import { stackOf } from "../process/stack-of.ts";
import { type CallContext, callTool } from "./call/call-tool.ts";
import { invalidParams, toLoggedIssues, toParamIssues } from "./call/invalid-params.ts";
import { newRequestId } from "./call/request-id.ts";
import { createRequestPath, type RequestState } from "./call/request-states.ts";
import { toCallToolResult } from "./call/respond.ts";
import type { Profile, ToolDefinition } from "./call/tool.ts";
import { resultFormOf } from "./client.ts";
import {
  ACCESS_DENIED,
  type Frame,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  parseFrame,
  type RequestId,
  toFrame,
  toSuccess,
  UNREADABLE,
} from "./json-rpc.ts";
import { negotiateProtocolVersion } from "./protocol-version.ts";
import { failureReply, internalError, plainReply, type Reply } from "./reply.ts";
import type { Session } from "./session.ts";

export interface DispatchOptions {
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
  /** adds field_errors to -32602. */
  readonly fieldErrors?: boolean;
  /** Of each tool. */
  readonly maxConcurrentCalls?: number;
}

export interface Dispatcher {
  /** Never rejects. undefined: nothing is to be sent. */
  receive(bytes: Uint8Array, session: Session): Promise<Reply | undefined>;
  /** The same for a message that the transport has parsed. */
  receiveValue(value: unknown, session: Session): Promise<Reply | undefined>;
  /** The answer to bytes that hold no message at all. */
  unreadable(): Reply;
  /** The answer to a message that the transport would not take; without an id where it was not even read. */
  refuse(reason: string, id?: RequestId): Reply;
}

type Request = Extract<Frame, { kind: "request" }>;

const MAX_CONCURRENT_CALLS = 32;
const DENIED =
  'only the user who started this server may do that: send _meta {"jeeves/token": "<token>"} with the call; ' +
  "`jeeves token` prints it";

const initializeParams = z.object({
  protocolVersion: z.string(),
  clientInfo: z.object({ name: z.string(), version: z.string().optional() }).optional(),
  capabilities: z.record(z.string(), z.unknown()).optional(),
});

// We hand out no cursors, so only the empty ones can be meant well.
const listParams = z.object({ cursor: z.literal("").nullish() }).optional();
const pingParams = z.record(z.string(), z.unknown()).optional();
const cancelledParams = z.object({ requestId: z.union([z.string(), z.number()]) });

export function createDispatcher(profile: Profile, options: DispatchOptions): Dispatcher {
  const { events, env, maxConcurrentCalls = MAX_CONCURRENT_CALLS } = options;
  const context: CallContext = {
    profile,
    events,
    env,
    fieldErrors: options.fieldErrors ?? false,
    gates: new Map(profile.tools.map(({ name }) => [name, createGate(maxConcurrentCalls)])),
  };
  const listed = profile.tools.filter((tool) => tool.listed !== false).map(toListedTool);

  const refuse = (id: RequestId | null, reason: string) => {
    events.emit("warn", "tool.request_invalid", { message: reason, states: unreadStates() }, newRequestId());
    return failureReply(id, { code: INVALID_REQUEST, message: "Invalid Request", data: { reason } });
  };

  /** Validates, or logs and makes the -32602. */
  const withParams = <T>(request: Request, schema: z.ZodType<T>, answer: (params: T) => unknown): Reply => {
    const parsed = schema.safeParse(request.params);
    if (parsed.success) return plainReply(toSuccess(request.id, answer(parsed.data)));
    const issues = toParamIssues(parsed.error.issues);
    const { method } = request;
    const data = { method, message: "Invalid params", ...toLoggedIssues(issues, context) };
    events.emit("warn", "tool.request_invalid", data, newRequestId());
    return failureReply(request.id, invalidParams(issues, { method, fieldErrors: context.fieldErrors }));
  };

  const initialize = (params: z.infer<typeof initializeParams>, session: Session) => {
    const protocolVersion = negotiateProtocolVersion(params.protocolVersion);
    session.client = { name: params.clientInfo?.name ?? "", version: params.clientInfo?.version ?? "" };
    events.emit("info", "mcp.client_connected", {
      client: session.client.name,
      client_version: session.client.version,
      protocol_version: protocolVersion,
      result_form: resultFormOf(session.client, env),
    });
    return {
      protocolVersion,
      serverInfo: { name: profile.name, version: profile.version },
      capabilities: { tools: { listChanged: false } },
      ...(profile.instructions === undefined ? {} : { instructions: profile.instructions }),
      jeeves: { schemaVersion: 1 },
    } satisfies InitializeResult;
  };

  /** Runs it, where the transport wants a proof only with one. */
  const forOwner = async (request: Request, session: Session, run: () => Promise<Reply | undefined>) => {
    const { access } = session;
    if (!access.ownerOnly || (await access.isOwner(tokenIn(request.params)))) return run();
    const { method } = request;
    events.emit("warn", "mcp.access_denied", { method }, newRequestId());
    if (method !== "tools/call" || profile.unknownTool !== "error_result") {
      return failureReply(request.id, { code: ACCESS_DENIED, message: "Access denied", data: { reason: DENIED } });
    }
    const form = resultFormOf(session.client, env);
    const result = toCallToolResult({ text: `Access denied: ${DENIED}`, isError: true }, form);
    return plainReply(toSuccess(request.id, result));
  };

  const answer = (request: Request, session: Session): Reply | Promise<Reply | undefined> => {
    switch (request.method) {
      case "initialize":
        return withParams(request, initializeParams, (params) => initialize(params, session));
      case "ping":
        return withParams(request, pingParams, () => ({}));
      case "tools/list":
        return withParams(request, listParams, () => ({ tools: listed }));
      case "tools/call":
        return forOwner(request, session, () => callTool(request, session, context));
      default: {
        const { methods = {} } = profile;
        const own = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
        if (own !== undefined) {
          return forOwner(request, session, async () => plainReply(toSuccess(request.id, await own(request.params))));
        }
        return failureReply(request.id, { code: METHOD_NOT_FOUND, message: "Method not found" });
      }
    }
  };

  const notice = (frame: Extract<Frame, { kind: "notification" }>, session: Session) => {
    if (frame.method !== "notifications/cancelled") {
      const { notifications = {} } = profile;
      if (Object.hasOwn(notifications, frame.method)) notifications[frame.method]?.(frame.params);
      return;
    }
    const parsed = cancelledParams.safeParse(frame.params);
    if (parsed.success) session.cancel(parsed.data.requestId);
  };

  const unreadable = () => {
    const { failure } = UNREADABLE;
    const data = { message: failure.message, states: unreadStates() };
    events.emit("warn", "tool.request_parse_failed", data, newRequestId());
    return failureReply(null, failure);
  };

  const handle = async (frame: Frame, session: Session): Promise<Reply | undefined> => {
    switch (frame.kind) {
      case "request":
        try {
          return await answer(frame, session);
        } catch (error) {
          const requestId = newRequestId();
          events.emit("error", "tool.internal_error", { method: frame.method, stack: stackOf(error) }, requestId);
          return failureReply(frame.id, internalError(requestId));
        }
      case "notification":
        notice(frame, session);
        return undefined;
      case "unreadable":
        return unreadable();
      case "invalid":
        return refuse(frame.id, reasonOf(frame.failure.data));
      case "blank":
      case "response":
        return undefined;
    }
  };

  return {
    receive: (bytes, session) => handle(parseFrame(bytes), session),
    receiveValue: (value, session) => handle(toFrame(value), session),
    unreadable,
    refuse: (reason, id) => refuse(id ?? null, reason),
  };
}

function tokenIn(params: unknown): string | undefined {
  const meta = isRecord(params) ? params._meta : undefined;
  const token = isRecord(meta) ? meta["jeeves/token"] : undefined;
  return typeof token === "string" ? token : undefined;
}

/** J-17: the short life of a request that could not be read. */
function unreadStates(): readonly RequestState[] {
  const path = createRequestPath();
  path.advance("req:invalid_request");
  return path.states;
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

function reasonOf(data: unknown): string {
  return isRecord(data) && typeof data.reason === "string" ? data.reason : "";
}
