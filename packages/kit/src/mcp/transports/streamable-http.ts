// Streamable HTTP by the SDK: status codes, sessions and streams are the SDK's, every answer is ours. Clients of the 2025
// protocol have a session, served through the dispatcher's channel as on every other transport; those of 2026-07-28
// identify themselves with each request, and each request gets an SDK server of its own.
import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { type NodeIncomingMessageLike, type NodeServerResponseLike, toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Events } from "../../events/index.ts";
import type { Exchange } from "../../http/index.ts";
import type { Profile } from "../call/tool.ts";
import { UNKNOWN_CLIENT } from "../client.ts";
import type { Dispatcher } from "../dispatch.ts";
import type { Reply } from "../reply.ts";
import { clientInEnvelope, createSdkServer } from "../sdk/create-server.ts";
import { createSession, type Session } from "../session.ts";
import { type ClaimedIds, claimIds, releaseIds } from "./claimed-ids.ts";
import { refuseInOurWords } from "./http-refusals.ts";
import { readInitialize } from "./read-initialize.ts";

/** A profile with its dispatcher, and the limits of its sessions. Default: 256 sessions, idle for an hour at most. */
export interface StreamableHttpOptions {
  readonly profile: Profile;
  readonly dispatcher: Dispatcher;
  readonly events: Events;
  readonly maxBodyBytes: number;
  readonly maxSessions?: number;
  /** A session that was not used for so long may be dropped; its client then gets a 404 and starts a new one. */
  readonly sessionIdleMs?: number;
}

/** `handle` answers one request and resolves when its calls have ended; `close` ends all sessions. */
export interface StreamableHttp {
  handle(exchange: Exchange): Promise<void>;
  close(): Promise<void>;
}

interface Connection {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly session: Session;
  /** Messages that are being answered. */
  readonly answering: Set<Promise<void>>;
  /** The ids of requests without an answer. Of two with the same id, the SDK would send both answers to the second. */
  readonly claimedIds: ClaimedIds;
  usedAt: number;
  /** The owner has used it. `initialize` needs no proof, so any user of the machine can open a session. */
  isOwners: boolean;
}

/** Selects the owner's sessions, or all others. */
type Kind = Readonly<Pick<Connection, "isOwners">>;

/** The calls of each HTTP request, which its answer waits for. */
type RequestWork = WeakMap<Request, readonly Promise<unknown>[]>;

const MAX_SESSIONS = 256;
// For clients that have not proven to be the owner. They do not count against the owner's sessions.
const MAX_UNPROVEN_SESSIONS = 32;
const SESSION_IDLE_MS = 60 * 60 * 1000;
// For aborted calls to send their last answer.
const LAST_ANSWERS_MS = 500;

/** Serves both protocols at one path. Where all sessions are busy, a new one is refused with 503. */
export function createStreamableHttp(options: StreamableHttpOptions): StreamableHttp {
  const { dispatcher, events, maxBodyBytes, maxSessions = MAX_SESSIONS } = options;
  const idleMs = options.sessionIdleMs ?? SESSION_IDLE_MS;
  const connections = new Map<string, Connection>();
  /** The calls of a request that have no answer yet, even where its client is gone. */
  const workOf: RequestWork = new WeakMap();
  const releasedBy = new WeakMap<Request, () => void>();
  const onerror = (error: Error) => events.emit("debug", "mcp.http_refused", { message: error.message });

  const drop = async ({ session, answering, transport }: Connection) => {
    await endCalls([session], answering);
    await transport.close();
  };
  /** The owner's sessions, or all others: a new session never ends one of the other kind. */
  const sessionsOf = ({ isOwners }: Kind) =>
    [...connections].filter(([, connection]) => connection.isOwners === isOwners);
  const isFull = (kind: Kind) =>
    sessionsOf(kind).length >= (kind.isOwners ? maxSessions : Math.min(maxSessions, MAX_UNPROVEN_SESSIONS));
  /** Idle sessions, the longest idle first. */
  const idleOnes = (kind: Kind) => {
    const idle = sessionsOf(kind).filter(([, { session }]) => session.running === 0);
    return idle.sort(([, a], [, b]) => a.usedAt - b.usedAt);
  };
  const makeRoom = async (kind: Kind) => {
    for (const [id, connection] of idleOnes(kind)) {
      const isForgotten = performance.now() - connection.usedAt > idleMs;
      if (!isForgotten && !isFull(kind)) break;
      connections.delete(id);
      await drop(connection);
    }
  };

  const open = (kind: Kind): Connection => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      async onsessioninitialized(id) {
        await makeRoom(kind);
        connections.set(id, connection);
      },
      onsessionclosed: (id) => void connections.delete(id),
      maxRequestBodySize: maxBodyBytes,
    });
    const session = createSession({
      notify: (message, about) =>
        void transport.send(message, about === undefined ? {} : { relatedRequestId: about }).catch(onerror),
    });
    const answering = new Set<Promise<void>>();
    const connection: Connection = {
      transport,
      session,
      answering,
      claimedIds: new Map(),
      usedAt: performance.now(),
      ...kind,
    };
    transport.onerror = onerror;
    transport.onclose = () => session.abortAll();
    transport.onmessage = (message, extra) => {
      const from = extra?.request;
      const done = deliver(message, connection, from).finally(() => answering.delete(done));
      answering.add(done);
      if (from !== undefined) workOf.set(from, [...(workOf.get(from) ?? []), done]);
    };
    return connection;
  };

  const deliver = async (message: JSONRPCMessage, connection: Connection, from: Request | undefined) => {
    const { transport, session, claimedIds } = connection;
    const reply = await dispatcher.receiveValue(message, session);
    if (from !== undefined && isJSONRPCRequest(message)) releaseIds(claimedIds, from, message.id);
    try {
      if (reply?.message !== undefined) await transport.send(reply.message);
      // A cancelled call has no answer: end the stream that waits for one.
      else if (isJSONRPCRequest(message)) transport.closeSSEStream(message.id);
      // The SDK does not throw where the client is gone.
      from?.signal.throwIfAborted();
      reply?.sent();
    } catch (error) {
      reply?.sent(error instanceof Error ? error : new Error(String(error)));
    }
  };

  const handleLegacy = async (request: Request, body: Uint8Array | undefined, isOwner: boolean): Promise<Response> => {
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? undefined : connections.get(id);
    if (known !== undefined) {
      known.usedAt = performance.now();
      known.isOwners ||= isOwner;
      const claim = claimIds(body, known.claimedIds, request);
      if (claim !== undefined)
        return refuse(dispatcher.refuse("a request with this id has no answer yet", claim.taken));
      releasedBy.set(request, () => releaseIds(known.claimedIds, request));
      return refuseInOurWords(await known.transport.handleRequest(request), { request, body }, dispatcher);
    }
    if (id !== null) return failure(404, -32001, "Session not found");
    const opening = await readInitialize(request);
    if (opening !== undefined && !isInitializeRequest(opening)) return answerOnce(opening);
    const kind = { isOwners: isOwner };
    if (isFull(kind) && idleOnes(kind).length === 0) {
      return failure(503, -32000, "Too many sessions", { "retry-after": "1" });
    }
    const given = opening === undefined ? {} : { parsedBody: opening };
    return refuseInOurWords(await open(kind).transport.handleRequest(request, given), { request, body }, dispatcher);
  };

  /** The dispatcher's refusal: the SDK's would only report that nothing was initialized (J-11). */
  const answerOnce = async (message: unknown): Promise<Response> => {
    const reply = await dispatcher.receiveValue(message, createSession({ notify: () => {}, isStateless: true }));
    if (reply === undefined) return new Response(null, { status: 202 });
    reply.sent();
    return new Response(reply.text, { headers: { "content-type": "application/json" } });
  };

  const modernCalls = new Map<Session, Promise<unknown>>();
  const modern = createMcpHandler(
    ({ requestInfo }) => createModernServer({ ...options, modernCalls, workOf }, requestInfo),
    { legacy: "reject", maxRequestBodySize: maxBodyBytes, onerror },
  );
  const fetch = async (request: Request, body: Uint8Array | undefined, isOwner: boolean): Promise<Response> => {
    const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: maxBodyBytes });
    if (isLegacy) return handleLegacy(request, body, isOwner);
    const response = await modern.fetch(request);
    return workOf.has(request) ? response : refuseInOurWords(response, { request, body }, dispatcher);
  };
  const refuse = (reply: Reply): Response => {
    reply.sent();
    return new Response(reply.text, { status: 400, headers: { "content-type": "application/json" } });
  };

  return {
    async handle({ request, response, readBody, isOwner }) {
      const { method, url, headers } = request;
      const body = method === "POST" ? await readBody() : undefined;
      // The SDK replaces bytes that are not UTF-8: a command or a path would no longer be the one that was sent.
      const isText = body === undefined || isUtf8(body);
      const isOwners = await isOwner();
      let brought: Request | undefined;
      const answer = async (read: Request) => {
        brought = read;
        return isText ? untilGone(await fetch(read, body, isOwners), read.signal) : refuse(dispatcher.unreadable());
      };
      const handler = toNodeHandler({ fetch: answer }, { maxRequestBodySize: maxBodyBytes, onerror });
      // A cast, because the SDK's type of a Node request is written without exactOptionalPropertyTypes.
      const given = {
        method,
        url,
        headers,
        async *[Symbol.asyncIterator]() {
          if (body !== undefined) yield body;
        },
      };
      await handler(given as NodeIncomingMessageLike, withEarlyHeaders(response));
      // Calls count until they have ended, even where their client is gone: in the 2025 protocol that does not cancel them.
      if (brought !== undefined) {
        await Promise.allSettled(workOf.get(brought) ?? []);
        releasedBy.get(brought)?.();
      }
      // Node's finalizers hold the request's signal, whose listeners hold this closure: the request would stay forever.
      brought = undefined;
    },
    async close() {
      await Promise.allSettled([...connections.values()].map(drop));
      connections.clear();
      await endCalls([...modernCalls.keys()], modernCalls.values());
      await modern.close();
    },
  };
}

/** Aborts calls and waits for their last answers: a stream that ends without an answer leaves its client waiting. */
async function endCalls(sessions: readonly Session[], answering: Iterable<Promise<unknown>>): Promise<void> {
  for (const session of sessions) session.abortAll();
  await Promise.race([Promise.allSettled(answering), delay(LAST_ANSWERS_MS, undefined, { ref: false })]);
  await nextTurn(); // so that the SDK writes the last answers
}

/** Ends the response when its client is gone: the SDK would notice only when it has something to write. */
function untilGone(response: Response, signal: AbortSignal): Response {
  if (response.body === null) return response;
  return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response);
}

/** Flushes the headers of event streams: Node sends headers with the body, which may come much later. */
function withEarlyHeaders(response: ServerResponse): NodeServerResponseLike {
  return {
    writeHead(status, headers) {
      response.writeHead(status, headers);
      if (headers?.["content-type"]?.startsWith("text/event-stream") === true) response.flushHeaders();
    },
    write: (chunk) => response.write(chunk),
    end: (chunk) => response.end(chunk),
    on: (event, listener) => response.on(event, listener),
    get destroyed() {
      return response.destroyed;
    },
  };
}

/** A server for one request: the SDK checks the envelope and completes the result. */
function createModernServer(
  options: StreamableHttpOptions & {
    readonly modernCalls: Map<Session, Promise<unknown>>;
    readonly workOf: RequestWork;
  },
  http: Request | undefined,
): Server {
  const { profile, dispatcher, modernCalls, workOf } = options;
  const server = createSdkServer(dispatcher.context, ({ params }, sdk) => {
    const session = createSession({ notify: () => {}, isStateless: true });
    const life = session.begin();
    const signals = [sdk.mcpReq.signal, ...(http === undefined ? [] : [http.signal])];
    const abort = () => session.abortAll();
    for (const signal of signals) signal.addEventListener("abort", abort, { once: true });
    let end = () => {};
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    modernCalls.set(session, done);
    if (http !== undefined) workOf.set(http, [done]);
    return {
      params,
      session,
      client: clientInEnvelope(sdk) ?? UNKNOWN_CLIENT,
      signal: life.signal,
      isCancelled: () => false,
      notify: (method, about) => void sdk.mcpReq.notify({ method, params: about }).catch(() => {}),
      answered(answer) {
        if (answer.kind === "result")
          answer.sent?.(http?.signal.aborted === true ? new Error("the client is gone") : undefined);
        for (const signal of signals) signal.removeEventListener("abort", abort);
        life.end();
        modernCalls.delete(session);
        end();
      },
    };
  });
  // For an unknown method the SDK sends the error with the status that the protocol prescribes. It has already compared the
  // header with the message.
  const known = ["tools/list", "tools/call", ...Object.keys(profile.methods ?? {})];
  if (!known.includes(http?.headers.get("mcp-method") ?? "")) delete server.fallbackRequestHandler;
  return server;
}

function failure(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}
