// An HTTP server with limits on access, size, concurrency and time. When it stops, requests in flight may finish while new
// ones are refused. The routes answer.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { finished } from "node:stream";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { within } from "@jeeves/base";
import type { Events } from "../events/index.ts";
import { stackOf } from "../process/stack-of.ts";
import { guardRequest } from "./access/guards.ts";
import { createOwnerProof, isOwnersRequest, type OwnerProof, unauthorized } from "./access/owner.ts";
import { isLoopbackHost, toUrlHost } from "./addresses.ts";
import { busy, HttpError, methodNotAllowed } from "./http-error.ts";
import { listen } from "./listen.ts";
import { type BodyBudget, readBody } from "./read-body.ts";
import { type HttpAnswer, type HttpRoute, jsonAnswer } from "./route.ts";

/** The bounds of a server: sizes, counts and times. */
export interface HttpLimits {
  readonly maxBodyBytes: number;
  /** The bytes of all bodies in memory together; one body is always allowed. */
  readonly maxHeldBytes: number;
  /** Requests with a body that are handled at once; the next one gets 503. They count from the end of their body on. */
  readonly maxConcurrent: number;
  readonly maxConnections: number;
  readonly headersTimeoutMs: number;
  /** The time for the whole request to arrive; 408 after it. */
  readonly requestTimeoutMs: number;
  /** How long a client may read nothing of its answer before the connection is cut. */
  readonly answerTimeoutMs: number;
  /** How long requests in flight may go on after stop. */
  readonly drainMs: number;
}

/** Where a server listens, what it answers and within which bounds. */
export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  /** Needed beyond loopback; where it is set, every request must carry it. */
  readonly token?: string | undefined;
  /** Tokens that prove the owner to routes that are not open. */
  readonly ownerTokens?: readonly string[];
  /** Where to find such a token, for the message of a refusal. */
  readonly tokenHint?: string;
  /** Whether the uid of a local client proves the owner, too. Default: on loopback, where `token` is not set. */
  readonly trustsUid?: boolean;
  /** Requires a browser's Origin to be this server's, port included. By default any page from this machine is accepted. */
  readonly ownOriginOnly?: boolean;
  readonly routes: readonly HttpRoute[];
  readonly events: Events;
  readonly limits?: Partial<HttpLimits>;
}

/** A server that listens. */
export interface HttpServer {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  stop(): Promise<{ readonly graceful: boolean }>;
}

const MIB = 1024 * 1024;
const LIMITS: HttpLimits = {
  maxBodyBytes: 32 * MIB,
  maxHeldBytes: 256 * MIB,
  maxConcurrent: 128,
  maxConnections: 1_024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  answerTimeoutMs: 30_000,
  drainMs: 2_500,
};
// No new client or request in so long, or so many times that long. Turns are counted and not time: on a busy machine this
// process may get a single one in 300 ms, and Node accepts one connection per turn.
const QUIET_MS = 25;
const MAX_QUIET_TURNS = 12;
const ABORT_GRACE_MS = 750;
// For refusals that are on their way.
const LAST_WRITES_MS = 200;
// How often Node checks for overdue requests.
const CHECK_INTERVAL_MS = 1_000;

interface Work {
  readonly controller: AbortController;
  /** Returns false where the server has no room for the request. */
  accept(): boolean;
  /** Frees its place for others while it waits for its client. */
  pause(): void;
  readonly done: Promise<void>;
}

/** Starts a server. Rejects with a ListenError where it cannot listen. */
export async function serveHttp(options: HttpServerOptions): Promise<HttpServer> {
  const { events, routes, host } = options;
  const limits = { ...LIMITS, ...options.limits };
  const budget: BodyBudget = { maxBytes: Math.max(limits.maxHeldBytes, limits.maxBodyBytes), heldBytes: 0 };
  const hasProtected = routes.some(({ access }) => access !== "open");
  const trustsUid = options.trustsUid ?? (isLoopbackHost(host) && options.token === undefined);
  const proof = createOwnerProof({ tokens: options.ownerTokens ?? [], byUid: hasProtected && trustsUid });
  const working = new Set<Work>();
  /** Those of them that take a place. */
  const placed = new Set<Work>();
  let isStopping = false;
  /** Connections and requests so far. */
  let arrivals = 0;

  const takePlace = (work: Pick<Work, "accept">) => {
    if (!work.accept()) throw busy("too_busy", `${limits.maxConcurrent} requests are being worked on`);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse, work: Omit<Work, "done">) => {
    const held: { release(): void }[] = [];
    // A request that has passed the guard carries the token that all must carry.
    const isOwner = async () => options.token !== undefined || (await isOwnersRequest(request, proof));
    const requireOwner = async () => {
      if (!(await isOwner())) throw unauthorized(options.tokenHint);
    };
    try {
      toOriginForm(request);
      const pagePort = options.ownOriginOnly === true ? request.socket.localPort : undefined;
      guardRequest(request.headers, { host, token: options.token, pagePort });
      const route = findRoute(routes, request);
      if ((route.access ?? "owner") === "owner") await requireOwner();
      if (isStopping) throw busy("stopping", "the server is stopping");
      takePlace(work);
      const given = await route.handle({
        request,
        response,
        signal: work.controller.signal,
        async readBody() {
          work.pause(); // a client may take half a minute to send it
          const body = await readBody(request, { maxBodyBytes: limits.maxBodyBytes, budget });
          held.push(body);
          takePlace(work);
          return body.bytes;
        },
        isOwner,
        requireOwner,
      });
      if (given !== undefined) send(response, given);
    } catch (error) {
      send(response, toRefusal(error, request, { events, proof }));
    } finally {
      for (const body of held) body.release();
    }
  };

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    arrivals++;
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => response.once("close", resolve));
    response.once("close", () => {
      if (!response.writableFinished) controller.abort(new Error("the client is gone"));
    });
    response.on("error", () => {});
    // A response that waits behind another one on its connection (pipelining) gets no event from Node 20 when it is gone.
    const { socket } = request;
    const onGone = () => response.emit("close");
    socket.once("close", onGone);
    response.once("close", () => socket.off("close", onGone));
    // Called when nothing was transferred for so long. A handler that still works has nothing to send yet.
    response.setTimeout(limits.answerTimeoutMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
    if (isStopping) response.setHeader("connection", "close");
    let end: () => void = () => {};
    const work: Work = {
      controller,
      accept() {
        // Requests without a body (health, an event stream) are cheap and limited by the number of connections.
        if (request.method !== "POST") return true;
        if (placed.size >= limits.maxConcurrent) return false;
        working.add(work);
        placed.add(work);
        return true;
      },
      pause: () => void placed.delete(work),
      done: new Promise((resolve) => {
        end = resolve;
      }),
    };
    // The place of a client that is gone stays taken while its work goes on.
    void Promise.all([answer(request, response, work), closed]).then(() => {
      working.delete(work);
      placed.delete(work);
      end();
    });
  };

  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      noDelay: true,
      // Of several Host or Authorization headers Node would keep the first; joined, they match nothing.
      joinDuplicateHeaders: true,
    },
    onRequest,
  );
  server.maxConnections = limits.maxConnections;
  // Each request on a connection adds a listener for its end.
  server.on("connection", (socket) => {
    arrivals++;
    proof.watch(socket);
    socket.setMaxListeners(0);
  });
  const port = await listen(server, options);
  server.on("error", (error) => events.emit("error", "http.internal_error", { stack: stackOf(error) }));
  server.on("drop", (where) => events.emit("warn", "http.connection_refused", { ...where }));

  /** Waits until pending connections are accepted and answered: closing at once would reset them. */
  const untilQuiet = async () => {
    for (let before = -1, turn = 0; before !== arrivals && turn < MAX_QUIET_TURNS; turn++) {
      before = arrivals;
      await delay(QUIET_MS);
      await nextTurn();
    }
  };

  return {
    host,
    port,
    url: `http://${toUrlHost(host)}:${port}`,
    async stop() {
      isStopping = true;
      await untilQuiet();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await within(limits.drainMs, Promise.all([...working].map((work) => work.done)));
      const graceful = working.size === 0;
      for (const work of working) work.controller.abort(new Error("the server is stopping"));
      await within(ABORT_GRACE_MS, Promise.allSettled(routes.map((route) => route.close?.())));
      await within(ABORT_GRACE_MS, Promise.all([...working].map((work) => work.done)));
      server.closeIdleConnections();
      await within(LAST_WRITES_MS, closed);
      server.closeAllConnections();
      await closed;
      return { graceful };
    },
  };
}

/** RFC 9112, 3.2.2: the target may be a whole URL, whose host then replaces the Host header. */
function toOriginForm(request: IncomingMessage): void {
  const [prefix, host] = /^https?:\/\/([^/?#]*)/i.exec(request.url ?? "") ?? [];
  if (prefix === undefined) return;
  request.headers.host = host;
  request.url = request.url?.slice(prefix.length);
}

function findRoute(routes: readonly HttpRoute[], request: IncomingMessage): HttpRoute {
  const path = (request.url ?? "").split("?")[0];
  const route = routes.find((each) => each.path === path);
  if (route === undefined) throw new HttpError(404, "not_found", "nothing is served at this path");
  const { method = "" } = request;
  // A GET route also answers HEAD (RFC 9110, 9.1); Node leaves the body out.
  if (!route.methods.includes(method === "HEAD" ? "GET" : method)) throw methodNotAllowed(method, route.methods);
  return route;
}

function send(response: ServerResponse, answer: HttpAnswer): void {
  const { status, headers = {}, body = "", sent = () => {} } = answer;
  if (response.headersSent || response.destroyed) {
    sent(new Error("the client is gone"));
    return;
  }
  const size = Buffer.byteLength(body);
  response.writeHead(status, {
    ...(size === 0 ? {} : { "content-type": "application/json; charset=utf-8" }),
    "content-length": size,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  const { req: request } = response;
  const { socket } = request;
  // Node 20 emits `finish` even where the connection was cut in the middle.
  response.once("finish", () => {
    const isCut = socket.destroyed || socket.errored !== null;
    sent(isCut ? new Error("the client is gone") : undefined);
  });
  response.once("close", () => {
    if (!response.writableFinished) sent(new Error("the client is gone"));
  });
  if (request.complete) {
    response.end(body);
    return;
  }
  // The rest of the body is read and dropped, until requestTimeout. If the connection were ended before, a client that still
  // sends would get a reset and never read the refusal.
  response.write(body);
  finished(request.resume(), () => response.end());
}

/** The answer to an error (D-06). Unexpected errors are logged, and their message is not sent. */
function toRefusal(
  error: unknown,
  request: IncomingMessage,
  { events, proof }: { readonly events: Events; readonly proof: OwnerProof },
): HttpAnswer {
  const { method, url = "" } = request;
  const where = { method, path: (url.split("?")[0] ?? "").slice(0, 200) };
  if (error instanceof HttpError) {
    const { status, code, message, details, headers } = error;
    // A client that left before its uid was looked up does not wait for the refusal: it is not logged as one.
    const isGone = code === "unauthorized" && (request.socket.destroyed || proof.isGone(request.socket));
    events.emit(isGone ? "debug" : "warn", "http.request_refused", { ...where, status, code });
    const value = { ok: false, error: { code, message, ...(details === undefined ? {} : { details }) } };
    return jsonAnswer(status, value, headers);
  }
  events.emit("error", "http.internal_error", { ...where, stack: stackOf(error) });
  return jsonAnswer(500, { ok: false, error: { code: "internal_error", message: "internal error" } });
}
