// The SDK's `Transport` for a session, or for many single POSTs, on any carrier (lines, a POST, an event stream). The SDK
// chooses the protocol version by the first message, and serves the rest with one server.
//
// The SDK gets every request with a number of ours as its id: an id that a client uses twice at once, a fraction or 2^53
// would confuse it or leave the request without an answer. Of the parameters it gets only the envelope; the methods get
// them as received. Its error messages are replaced by ours (J-23).
import { isRecord } from "@jeeves/base";
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  type Server,
  type ServerContext,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Answer } from "../call/answer.ts";
import type { CallContext } from "../call/call-tool.ts";
import { newRequestId } from "../call/request-id.ts";
import { type ClientIdentity, resultFormOf } from "../client.ts";
import type { Frame, RequestId, RpcFailure } from "../json-rpc.ts";
import { failureReply, type Reply, resultReply } from "../reply.ts";
import type { RequestLife, Session } from "../session.ts";
import { clientInEnvelope, createSdkServer, type ServedRequest } from "./create-server.ts";
import { inOurWords, LISTEN, unreadableEnvelope, unsupportedVersion } from "./sdk-failures.ts";

/** Passes requests and notifications to the SDK's server, and its answers back. */
export interface Channel {
  /** Resolves with undefined where the client has cancelled the request. `sdkParams` replaces what the SDK gets. */
  ask(
    request: Extract<Frame, { kind: "request" }>,
    session: Session,
    sdkParams?: Readonly<Record<string, unknown>>,
  ): Promise<Reply | undefined>;
  tell(notification: Extract<Frame, { kind: "notification" }>, session: Session): void;
}

interface Pending {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  readonly session: Session;
  readonly life: RequestLife;
  /** Our handler's answer; undefined for requests that the SDK answers itself. */
  answer?: Answer;
  settle(reply: Reply | undefined): void;
}

// The SDK answers these itself, at once: there is nothing to cancel.
const SDK_METHODS: ReadonlySet<string> = new Set(["initialize", "ping", "server/discover"]);
const ENVELOPE_PREFIX = "io.modelcontextprotocol/";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

/** Opens a channel. The SDK's server is created by the first message; the client's identity is logged once. */
export function openChannel(context: CallContext): Channel {
  const { events, env } = context;
  const pending = new Map<RequestId, Pending>();
  let lastId = 0;
  let isGreeted = false;
  /** The SDK's server, once a first message of 2026-07-28 has chosen it. */
  let modern: Server | undefined;

  const greet = (client: ClientIdentity, protocolVersion: string) => {
    isGreeted = true;
    events.emit("info", "mcp.client_connected", {
      client: client.name,
      client_version: client.version,
      protocol_version: protocolVersion,
      result_form: resultFormOf(client, env),
    });
  };

  const serve = (id: RequestId, sdk: ServerContext): ServedRequest => {
    const asked = pending.get(id);
    if (asked === undefined) throw new Error(`the SDK serves a request that it was not given: ${id}`);
    const { life, session } = asked;
    const own = clientInEnvelope(sdk);
    const envelope: Readonly<Record<string, unknown>> | undefined = sdk.mcpReq.envelope;
    if (own !== undefined && !isGreeted) greet(own, String(envelope?.[PROTOCOL_VERSION_META_KEY]));
    const cancel = () => {
      life.cancel();
      if (asked.answer !== undefined) asked.settle(undefined); // the SDK does not send an answer that was ready
    };
    if (sdk.mcpReq.signal.aborted) cancel();
    else sdk.mcpReq.signal.addEventListener("abort", cancel, { once: true });
    return {
      params: asked.params,
      session,
      client: own ?? session.client,
      signal: life.signal,
      isCancelled: () => life.isCancelled,
      notify: (method, params) => void sdk.mcpReq.notify({ method, params }).catch(() => {}),
      answered(answer) {
        asked.answer = answer;
        // The SDK sends nothing for a cancelled request, even where it has an answer.
        if (answer.kind === "cancelled" || life.isCancelled) asked.settle(undefined);
      },
    };
  };

  const toReply = (message: JSONRPCMessage, asked: Pending): Reply => {
    const { id, method, session, answer } = asked;
    if ("error" in message) {
      const failure = answer?.kind === "failure" ? answer.failure : inOurWords(message.error, asked, context);
      return failureReply(id, failure);
    }
    const result = "result" in message ? message.result : {};
    if (method === "initialize") {
      session.protocolVersion = String(result.protocolVersion);
      greet(session.client, session.protocolVersion);
      return resultReply(
        id,
        { ...result, jeeves: { schemaVersion: 1 } },
        { requestId: newRequestId(), sent: () => {} },
      );
    }
    const made = answer?.kind === "result" ? answer : undefined;
    const sent = (error?: Error) => made?.sent?.(error);
    return resultReply(id, result, { requestId: made?.requestId ?? newRequestId(), sent });
  };

  /** We send no announcements, so a subscription ends at once, as on `/mcp`: an open one would keep its connection. */
  const endSubscription = ({ method, params }: JSONRPCNotification) => {
    const number = params?._meta?.[SUBSCRIPTION_ID_META_KEY];
    const asked = typeof number === "number" ? pending.get(number) : undefined;
    if (asked === undefined) return;
    const { id, session } = asked;
    const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
    session.notify({ jsonrpc: "2.0", method, params: { ...params, _meta } }, id);
    transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: number } });
    const { name, version } = context.profile;
    const result = { resultType: "complete", _meta: { ..._meta, [SERVER_INFO_META_KEY]: { name, version } } };
    asked.settle(resultReply(id, result, { requestId: newRequestId(), sent: () => {} }));
  };

  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    async send(message, options) {
      if ("method" in message) {
        if (message.method === ACKNOWLEDGED && !("id" in message)) return endSubscription(message);
        const about = options?.relatedRequestId === undefined ? undefined : pending.get(options.relatedRequestId);
        about?.session.notify(message, about.id);
        return;
      }
      const asked = message.id === undefined ? undefined : pending.get(message.id);
      asked?.settle(toReply(message, asked));
    },
  };
  const createServer = ({ era }: { readonly era: string }): Server => {
    const server = createSdkServer(context, (request, sdk) => serve(request.id, sdk));
    modern = era === "modern" ? server : undefined;
    return server;
  };
  serveStdio(createServer, {
    transport,
    onerror: (error) => events.emit("debug", "mcp.sdk_error", { message: error.message }),
  });

  /** The refusal of a request that the SDK would not refuse: unreadable parameters, or another version than the first one. */
  const refuse = (message: object, asked: Pending): RpcFailure | undefined => {
    if (!isJSONRPCRequest(message)) return unreadableEnvelope(asked, context);
    const requested = message.params?._meta?.[PROTOCOL_VERSION_META_KEY];
    const spoken = modern?.getNegotiatedProtocolVersion();
    if (spoken === undefined || typeof requested !== "string" || requested === spoken) return undefined;
    return unsupportedVersion({ supported: [spoken], requested });
  };

  return {
    ask: ({ id, method, params }, session, sdkParams = sdkParamsOf(method, params)) =>
      new Promise((resolve) => {
        const number = ++lastId;
        const life = session.begin();
        const settle = (reply: Reply | undefined) => {
          if (!pending.delete(number)) return;
          life.end();
          resolve(reply);
        };
        const asked = { id, method, params, session, life, settle };
        pending.set(number, asked);
        const message = { jsonrpc: "2.0" as const, id: number, method, params: sdkParams };
        const refused = refuse(message, asked);
        if (refused === undefined) transport.onmessage?.(message);
        else settle(failureReply(id, refused));
      }),
    tell({ method, params }, session) {
      if (method !== "notifications/cancelled") {
        transport.onmessage?.({ jsonrpc: "2.0", method, params: envelopeOf(params) });
        return;
      }
      const cancelled = isRecord(params) ? params.requestId : undefined;
      for (const [number, asked] of pending) {
        if (asked.session !== session || asked.id !== cancelled || SDK_METHODS.has(asked.method)) continue;
        const envelope = envelopeOf(params);
        transport.onmessage?.({ jsonrpc: "2.0", method, params: { ...envelope, requestId: number } });
      }
    },
  };
}

/** Whether parameters carry anything that only MCP 2026-07-28 has. */
export function hasEnvelope(params: unknown): boolean {
  return "_meta" in envelopeOf(params);
}

/** The parameters that the SDK gets: the envelope, and what a subscription is for. */
function sdkParamsOf(method: string, params: unknown): Record<string, unknown> {
  const envelope = envelopeOf(params);
  return method === LISTEN && isRecord(params) ? { ...envelope, notifications: params.notifications } : envelope;
}

/** The part of `_meta` that identifies the client and its protocol version (MCP 2026-07-28). */
function envelopeOf(params: unknown): Record<string, unknown> {
  const meta = isRecord(params) && isRecord(params._meta) ? params._meta : {};
  const own = Object.entries(meta).filter(([key]) => key.startsWith(ENVELOPE_PREFIX));
  return own.length === 0 ? {} : { _meta: Object.fromEntries(own) };
}
