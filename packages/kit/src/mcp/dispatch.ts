// From one frame to one reply, for any transport: parses it, refuses what is no message, and passes the rest to the SDK
// through the session's channel. Methods work before initialize too.
import { createGate, isRecord } from "@jeeves/base";
import * as z from "zod";
import type { Events } from "../events/index.ts";
import { answerBatch, type BatchLimits } from "./batch.ts";
import { checkParams } from "./call/answer-method.ts";
import type { CallContext } from "./call/call-tool.ts";
import { newRequestId } from "./call/request-id.ts";
import { createRequestPath, type RequestState } from "./call/request-states.ts";
import type { Profile } from "./call/tool.ts";
import { type Frame, INVALID_REQUEST, parseJson, type RequestId, toFrame, UNREADABLE } from "./json-rpc.ts";
import { failureReply, type Reply } from "./reply.ts";
import { type Channel, hasEnvelope, openChannel } from "./sdk/channel.ts";
import type { Session } from "./session.ts";

/** What a dispatcher needs besides its profile. */
export interface DispatchOptions {
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
  /** adds field_errors to -32602. */
  readonly fieldErrors?: boolean;
  /** The limit for each tool by itself. */
  readonly maxConcurrentCalls?: number;
}

/** Takes the frames of all connections of a server and gives the answers. */
export interface Dispatcher {
  /** What every request of this server needs, for transports that start the SDK's servers themselves. */
  readonly context: CallContext;
  /** Never rejects. Resolves with undefined where nothing is to be sent. */
  receive(bytes: Uint8Array, session: Session): Promise<Reply | undefined>;
  /** As `receive`, for a message that the transport has parsed. */
  receiveValue(value: unknown, session: Session): Promise<Reply | undefined>;
  /** As `receive`, for a batch: its answers, in its order. */
  receiveBatch(values: readonly unknown[], session: Session, limits?: BatchLimits): Promise<Reply | undefined>;
  /** The answer to bytes that are not JSON. */
  unreadable(): Reply;
  /** The answer to a message that the transport refuses; without an id where it was not read. */
  refuse(reason: string, id?: RequestId): Reply;
}

type Request = Extract<Frame, { kind: "request" }>;

const MAX_CONCURRENT_CALLS = 32;
/** The one version of MCP in which a message may be a batch. */
const VERSION_WITH_BATCHES = "2025-03-26";

// the SDK requires a clientInfo with a version, and capabilities.
const initializeParams = z.object({
  protocolVersion: z.string(),
  clientInfo: z.object({ name: z.string(), version: z.string().optional() }).optional(),
  capabilities: z.record(z.string(), z.unknown()).optional(),
});
const pingParams = z.record(z.string(), z.unknown()).optional();

/** Creates the server of a profile, without a transport. */
export function createDispatcher(profile: Profile, options: DispatchOptions): Dispatcher {
  const { events, env, maxConcurrentCalls = MAX_CONCURRENT_CALLS } = options;
  const context: CallContext = {
    profile,
    events,
    env,
    fieldErrors: options.fieldErrors ?? false,
    gates: new Map(profile.tools.map(({ name }) => [name, createGate(maxConcurrentCalls)])),
  };
  const channels = new WeakMap<Session, Channel>();
  /** An SDK server for each POST would cost more than the answer: single requests without a version share one. */
  let shared: Channel | undefined;
  const channelOf = (session: Session, { method, params }: { readonly method: string; readonly params: unknown }) => {
    const own = channels.get(session);
    if (own !== undefined) return own;
    if (session.isStateless && method !== "initialize" && !hasEnvelope(params)) {
      shared ??= openChannel(context);
      return shared;
    }
    const opened = openChannel(context);
    channels.set(session, opened);
    return opened;
  };
  /** Each session's last initialize: its answer decides whether a batch that comes right behind it is one. */
  const openings = new WeakMap<Session, Promise<unknown>>();

  const refuse = (id: RequestId | null, reason: string) => {
    events.emit("warn", "tool.request_invalid", { message: reason, states: unreadStates() }, newRequestId());
    return failureReply(id, { code: INVALID_REQUEST, message: "Invalid Request", data: { reason } });
  };

  const unreadable = () => {
    const { failure } = UNREADABLE;
    const data = { message: failure.message, states: unreadStates() };
    events.emit("warn", "tool.request_parse_failed", data, newRequestId());
    return failureReply(null, failure);
  };

  /** Parameters of methods that the SDK answers are checked here first (J-19), and completed for the SDK. */
  const ask = async (request: Request, session: Session): Promise<Reply | undefined> => {
    const { id, method, params } = request;
    const channel = channelOf(session, request);
    if (method !== "initialize" && method !== "ping") return channel.ask(request, session);
    const refused = checkParams(method === "ping" ? pingParams : initializeParams, { method, params, context });
    if (refused !== undefined) return failureReply(id, refused.failure);
    if (method === "ping") return channel.ask(request, session);
    const { protocolVersion, clientInfo } = initializeParams.parse(params);
    session.client = { name: clientInfo?.name ?? "", version: clientInfo?.version ?? "" };
    // We send no requests to clients, so their capabilities do not matter.
    const opening = channel.ask(request, session, { protocolVersion, clientInfo: session.client, capabilities: {} });
    openings.set(session, opening);
    return opening;
  };

  const notice = (frame: Extract<Frame, { kind: "notification" }>, session: Session) => {
    const { notifications = {} } = profile;
    if (Object.hasOwn(notifications, frame.method)) notifications[frame.method]?.(frame.params);
    else channelOf(session, frame).tell(frame, session);
  };

  const handle = async (frame: Frame, session: Session): Promise<Reply | undefined> => {
    switch (frame.kind) {
      case "request":
        return ask(frame, session);
      case "notification":
        notice(frame, session);
        return undefined;
      case "invalid":
        return refuse(frame.id, reasonOf(frame.failure.data));
      case "response":
        return undefined;
    }
  };

  const dispatcher: Dispatcher = {
    context,
    async receive(bytes, session) {
      const parsed = parseJson(bytes);
      if (parsed.kind === "blank") return undefined;
      if (parsed.kind === "unreadable") return unreadable();
      const { value } = parsed;
      const opening = openings.get(session);
      if (Array.isArray(value) && opening !== undefined) await opening;
      if (!Array.isArray(value) || session.protocolVersion !== VERSION_WITH_BATCHES) {
        return dispatcher.receiveValue(value, session);
      }
      return dispatcher.receiveBatch(value, session);
    },
    receiveValue: (value, session) => handle(toFrame(value), session),
    receiveBatch: (values, session, limits) => answerBatch(values, { server: dispatcher, session, limits }),
    unreadable,
    refuse: (reason, id) => refuse(id ?? null, reason),
  };
  return dispatcher;
}

/** J-17: the states of a request that could not be read, for the log. */
function unreadStates(): readonly RequestState[] {
  const path = createRequestPath();
  path.advance("req:invalid_request");
  return path.states;
}

function reasonOf(data: unknown): string {
  return isRecord(data) && typeof data.reason === "string" ? data.reason : "";
}
