// Streamable HTTP by the SDK, our dispatcher behind it: status codes, sessions and streams are the SDK's, every answer
// is ours. Clients of the 2025 protocol have a session; those of 2026-07-28 say who they are with each request.
import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { isRecord } from "@jeeves/base";
import { type NodeIncomingMessageLike, type NodeServerResponseLike, toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isLegacyRequest,
  ProtocolError,
  parseJSONRPCMessage,
  type Result,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Events } from "../../events/index.ts";
import type { Exchange } from "../../http/index.ts";
import type { Profile } from "../call/tool.ts";
import type { Dispatcher } from "../dispatch.ts";
import { createSession, type Session } from "../session.ts";
import { readInitialize } from "./read-initialize.ts";

export interface StreamableHttpOptions {
  readonly profile: Profile;
  readonly dispatcher: Dispatcher;
  readonly events: Events;
  readonly maxBodyBytes: number;
  readonly maxSessions?: number;
  /** A session that nobody has used for so long is forgotten; its client is told 404 and starts anew. */
  readonly sessionIdleMs?: number;
}

export interface StreamableHttp {
  handle(exchange: Exchange): Promise<void>;
  close(): Promise<void>;
}

interface Connection {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly session: Session;
  /** Messages that are being answered. */
  readonly answering: Set<Promise<void>>;
  usedAt: number;
  /** The owner has used it. `initialize` needs no proof, so any user of the machine can open a session. */
  isOwners: boolean;
}

/** Whose sessions. */
type Kind = Readonly<Pick<Connection, "isOwners">>;

type Brought = WeakMap<Request, readonly Promise<unknown>[]>;

const MAX_SESSIONS = 256;
// Of clients that have not proven to be the owner. They take no place of the owner's sessions.
const MAX_UNPROVEN_SESSIONS = 32;
const SESSION_IDLE_MS = 60 * 60 * 1000;
// For calls that were aborted to say so.
const LAST_ANSWERS_MS = 500;

export function createStreamableHttp(options: StreamableHttpOptions): StreamableHttp {
  const { dispatcher, events, maxBodyBytes, maxSessions = MAX_SESSIONS } = options;
  const idleMs = options.sessionIdleMs ?? SESSION_IDLE_MS;
  const connections = new Map<string, Connection>();
  /** What a request has brought and is still being answered, whether or not its client has stayed. */
  const broughtBy: Brought = new WeakMap();
  const onerror = (error: Error) => events.emit("debug", "mcp.http_refused", { message: error.message });

  const drop = async ({ session, answering, transport }: Connection) => {
    await endCalls([session], answering);
    await transport.close();
  };
  /** The owner's sessions, or all others: neither makes room by ending one of the other kind. */
  const sessionsOf = ({ isOwners }: Kind) =>
    [...connections].filter(([, connection]) => connection.isOwners === isOwners);
  const isFull = (kind: Kind) =>
    sessionsOf(kind).length >= (kind.isOwners ? maxSessions : Math.min(maxSessions, MAX_UNPROVEN_SESSIONS));
  /** The ones that were idle longest first. */
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
      notify: (text, about) => void transport.send(toMessage(text), { relatedRequestId: about }).catch(onerror),
    });
    const answering = new Set<Promise<void>>();
    const connection: Connection = { transport, session, answering, usedAt: performance.now(), ...kind };
    transport.onerror = onerror;
    transport.onclose = () => session.abortAll();
    transport.onmessage = (message, extra) => {
      const from = extra?.request;
      const done = deliver(message, connection, from?.signal).finally(() => answering.delete(done));
      answering.add(done);
      if (from !== undefined) broughtBy.set(from, [...(broughtBy.get(from) ?? []), done]);
    };
    return connection;
  };

  const deliver = async (message: unknown, { transport, session }: Connection, gone: AbortSignal | undefined) => {
    const reply = await dispatcher.receiveValue(message, session);
    try {
      if (reply !== undefined) await transport.send(toMessage(reply.text));
      // A cancelled call has no answer; the stream that waited for one ends.
      else if (isJSONRPCRequest(message)) transport.closeSSEStream(message.id);
      // The SDK throws nothing when there is nobody left to send to.
      gone?.throwIfAborted();
      reply?.sent();
    } catch (error) {
      reply?.sent(error instanceof Error ? error : new Error(String(error)));
    }
  };

  const handleLegacy = async (request: Request, isOwner: boolean): Promise<Response> => {
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? undefined : connections.get(id);
    if (known !== undefined) {
      known.usedAt = performance.now();
      known.isOwners ||= isOwner;
      return known.transport.handleRequest(request);
    }
    if (id !== null) return failure(404, -32001, "Session not found");
    const opening = await readInitialize(request);
    if (opening !== undefined && !isInitializeRequest(opening)) return answerOnce(opening);
    const kind = { isOwners: isOwner };
    if (isFull(kind) && idleOnes(kind).length === 0) {
      return failure(503, -32000, "Too many sessions", { "retry-after": "1" });
    }
    return open(kind).transport.handleRequest(request, opening === undefined ? {} : { parsedBody: opening });
  };

  /** The dispatcher's own refusal, where the SDK would only say that nothing was initialized (J-11). */
  const answerOnce = async (message: unknown): Promise<Response> => {
    const reply = await dispatcher.receiveValue(message, createSession({ notify: () => {}, isStateless: true }));
    if (reply === undefined) return new Response(null, { status: 202 });
    reply.sent();
    return new Response(reply.text, { headers: { "content-type": "application/json" } });
  };

  const modernCalls = new Map<Session, Promise<unknown>>();
  const modern = createMcpHandler(
    ({ requestInfo }) => createModernServer({ ...options, modernCalls, broughtBy }, requestInfo),
    { legacy: "reject", maxRequestBodySize: maxBodyBytes, onerror },
  );
  const fetch = async (request: Request, isOwner: boolean): Promise<Response> => {
    const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: maxBodyBytes });
    return isLegacy ? handleLegacy(request, isOwner) : modern.fetch(request);
  };
  /** As for a body that is no JSON, but in our words and with our event (J-17). */
  const refuseUnreadable = (): Response => {
    const reply = dispatcher.unreadable();
    reply.sent();
    return new Response(reply.text, { status: 400, headers: { "content-type": "application/json" } });
  };

  return {
    async handle({ request, response, readBody, isOwner }) {
      const { method, url, headers } = request;
      const body = method === "POST" ? await readBody() : undefined;
      // The SDK replaces bytes that are no UTF-8: a command or a path would no longer be the one that was sent.
      const isText = body === undefined || isUtf8(body);
      const isOwners = await isOwner();
      let brought: Request | undefined;
      const answer = async (read: Request) => {
        brought = read;
        return isText ? untilGone(await fetch(read, isOwners), read.signal) : refuseUnreadable();
      };
      const handler = toNodeHandler({ fetch: answer }, { maxRequestBodySize: maxBodyBytes, onerror });
      // The SDK's own description of a Node request, written without exactOptionalPropertyTypes.
      const given = {
        method,
        url,
        headers,
        async *[Symbol.asyncIterator]() {
          if (body !== undefined) yield body;
        },
      };
      await handler(given as NodeIncomingMessageLike, withEarlyHeaders(response));
      // Calls keep their place until they have ended, even if their client is gone: in 2025 that has cancelled nothing.
      if (brought !== undefined) await Promise.allSettled(broughtBy.get(brought) ?? []);
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

/** Tells calls to stop, and lets them say so: a stream that ends without an answer leaves its client waiting. */
async function endCalls(sessions: readonly Session[], answering: Iterable<Promise<unknown>>): Promise<void> {
  for (const session of sessions) session.abortAll();
  await Promise.race([Promise.allSettled(answering), delay(LAST_ANSWERS_MS, undefined, { ref: false })]);
  await nextTurn(); // for the SDK to write what it was given
}

/** The SDK looks whether its client is still there only when it has something to write, which may be never. */
function untilGone(response: Response, signal: AbortSignal): Response {
  if (response.body === null) return response;
  return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response);
}

/** Node keeps headers back until there is a body; the body of an event stream may be a long time coming. */
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

/** One per request: the SDK checks the envelope and dresses the result, the dispatcher answers. */
function createModernServer(
  options: StreamableHttpOptions & {
    readonly modernCalls: Map<Session, Promise<unknown>>;
    readonly broughtBy: Brought;
  },
  http: Request | undefined,
): Server {
  const { profile, dispatcher, modernCalls, broughtBy } = options;
  const gone = http?.signal;
  const server = new Server(
    { name: profile.name, version: profile.version },
    {
      capabilities: { tools: {} },
      ...(profile.instructions === undefined ? {} : { instructions: profile.instructions }),
    },
  );
  // Where nobody answers a method the SDK does so, with the status that the protocol wants. It has held the header
  // against the message already.
  const known = ["tools/list", "tools/call", ...Object.keys(profile.methods ?? {})];
  if (!known.includes(http?.headers.get("mcp-method") ?? "")) return server;
  server.fallbackRequestHandler = async (request, context) => {
    const session = createSession({
      notify: (text) => {
        const message = toMessage(text);
        if (isJSONRPCNotification(message)) void context.mcpReq.notify(message).catch(() => {});
      },
      isStateless: true,
    });
    const client = server.getClientVersion();
    session.client = { name: client?.name ?? "", version: client?.version ?? "" };
    const abort = () => session.abortAll();
    const signals = [context.mcpReq.signal, ...(gone === undefined ? [] : [gone])];
    for (const signal of signals) signal.addEventListener("abort", abort, { once: true });
    try {
      const message = { jsonrpc: "2.0", id: request.id, method: request.method, params: request.params };
      const answer = dispatcher.receiveValue(message, session);
      modernCalls.set(session, answer);
      if (http !== undefined) broughtBy.set(http, [answer]);
      const reply = await answer;
      reply?.sent(gone?.aborted === true ? new Error("the client is gone") : undefined);
      return toResult(reply?.text);
    } finally {
      modernCalls.delete(session);
      for (const signal of signals) signal.removeEventListener("abort", abort);
    }
  };
  return server;
}

function toResult(text: string | undefined): Result {
  const answer: unknown = text === undefined ? {} : JSON.parse(text);
  if (isRecord(answer) && isRecord(answer.error)) {
    throw new ProtocolError(Number(answer.error.code), String(answer.error.message), answer.error.data);
  }
  return isRecord(answer) && isRecord(answer.result) ? answer.result : {};
}

function toMessage(text: string) {
  return parseJSONRPCMessage(JSON.parse(text));
}

function failure(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}
