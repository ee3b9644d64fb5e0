// Many clients on a Unix socket or a TCP port, one message per line each, one session each. A client that has closed
// its half still gets its answers. A Unix socket has mode 0600; TCP is for loopback, and calls need a proof of ownership
//
import { lstatSync, renameSync } from "node:fs";
import { chmod, lstat, stat, unlink } from "node:fs/promises";
import { connect, createServer, type ListenOptions, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { systemCodeOf } from "@jeeves/base";
import type { Events } from "../../events/index.ts";
import { createOwnerProof, type OwnerProof } from "../../http/access/owner.ts";
import { isLoopbackHost } from "../../http/addresses.ts";
import type { Profile } from "../call/tool.ts";
import { createDispatcher, type Dispatcher } from "../dispatch.ts";
import type { SessionAccess } from "../session.ts";
import { openLineConnection } from "./line-connection.ts";

/** What servers on sockets share: events, limits, and what to do with a connection. */
export interface SocketOptions {
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
  readonly maxConnections?: number;
  readonly maxLineBytes?: number;
  /** How long calls may go on after their client has closed its half. */
  readonly drainMs?: number;
}

/** A client that is connected. */
export interface Connection {
  /** Where it came from: `127.0.0.1:45604`, or the path of the socket. */
  readonly from: string;
  /** Resolves when the connection is closed and its calls have ended. */
  readonly closed: Promise<void>;
}

/** Makes a profile for each connection, for servers whose answers depend on the client. */
export type ProfileFor = (connection: Connection) => Profile;

/** A server on a socket that listens. */
export interface SocketServer {
  /** Takes no further client, lets the calls in flight finish for up to `drainMs`, then aborts them. It always ends. */
  stop(): Promise<{ readonly graceful: boolean }>;
}

const MAX_CONNECTIONS = 128;
const DRAIN_MS = 10_000;
const STOP_DRAIN_MS = 3_000;
const ABORT_GRACE_MS = 2_000;
// For pending output; a client that does not read would delay the end for ever.
const LAST_WRITES_MS = 500;
// Only the owner of the socket may connect.
const SOCKET_UMASK = 0o177;

/** Serves a profile on a Unix socket (0600). Rejects where it cannot listen. */
export async function serveSocket(
  profile: Profile | ProfileFor,
  options: SocketOptions & { readonly path: string },
): Promise<SocketServer & { readonly path: string }> {
  const { path } = options;
  await clearPlace(path);
  const served = serveConnections(profile, options, { endAtNonJson: false, path });
  const before = process.umask(SOCKET_UMASK);
  try {
    // A path is bound within this turn of the event loop, so no other file gets the mask.
    const listening = listen(served.server, { path });
    process.umask(before);
    await listening;
  } finally {
    process.umask(before);
  }
  await chmod(path, 0o600);
  return { path, stop: served.stop };
}

/** Serves a profile on a TCP port, by default of loopback. Rejects where it cannot listen. */
export async function serveTcp(
  profile: Profile | ProfileFor,
  options: SocketOptions & {
    readonly host?: string;
    readonly port: number;
    /** Tokens that prove the owner in a call's `_meta["jeeves/token"]`, where the client's uid is unknown. */
    readonly tokens?: readonly string[];
  },
): Promise<SocketServer & { readonly host: string; readonly port: number }> {
  const { host = "127.0.0.1", port } = options;
  if (!isLoopbackHost(host)) throw new Error(`${host} is not a loopback address`);
  const proof = createOwnerProof({ tokens: options.tokens ?? [], byUid: true });
  const served = serveConnections(profile, options, { endAtNonJson: true, proof });
  await listen(served.server, { host, port });
  const address = served.server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return { host, port: bound, stop: served.stop };
}

function serveConnections(
  profile: Profile | ProfileFor,
  options: SocketOptions,
  how: { readonly endAtNonJson: boolean; readonly path?: string; readonly proof?: OwnerProof },
): { readonly server: Server } & SocketServer {
  const dispatcherFor = toDispatcherFor(profile, options);
  const { events, maxLineBytes } = options;
  const drainMs = options.drainMs ?? DRAIN_MS;
  let stop: () => void = () => {};
  const stopping = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const open = new Set<Promise<boolean>>();
  const sockets = new Set<Socket>();

  const serve = async (socket: Socket, dispatcher: Dispatcher): Promise<boolean> => {
    const { endAtNonJson, proof } = how;
    const access = proof === undefined ? undefined : toAccess(proof, socket);
    const streams = { input: socket, output: socket };
    const connection = openLineConnection({ ...streams, dispatcher, maxLineBytes, endAtNonJson, access });
    try {
      await Promise.race([connection.ended, connection.cut, stopping]);
      connection.stopReading();
      const stopped = stopping.then(() => connection.settled({ withinMs: Math.min(STOP_DRAIN_MS, drainMs) }));
      await connection.settled({ withinMs: drainMs, unless: Promise.race([connection.cut, stopped]) });
      const graceful = connection.pending === 0 && !connection.isOutputBroken;
      if (connection.pending > 0) {
        connection.abort();
        await connection.settled({ withinMs: ABORT_GRACE_MS });
      }
      return graceful;
    } finally {
      endSocket(socket);
      connection.release();
    }
  };

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    let close = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    how.proof?.watch(socket);
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    const from = how.path ?? `${socket.remoteAddress}:${socket.remotePort}`;
    const done = serve(socket, dispatcherFor({ from, closed }))
      .catch(() => false)
      .finally(() => {
        open.delete(done);
        close();
      });
    open.add(done);
  });
  let bound: FileId | undefined;
  server.once("listening", () => {
    bound = fileIdOf(how.path);
  });
  server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  server.on("drop", () => events.emit("warn", "mcp.connection_refused", { max_connections: server.maxConnections }));
  return {
    server,
    async stop() {
      const putBack = putOthersAside(how.path, bound);
      // Removes the file of a Unix socket, too.
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      putBack();
      stop();
      const ends = await Promise.all(open);
      await Promise.race([closed, delay(LAST_WRITES_MS, undefined, { ref: false })]);
      for (const socket of sockets) socket.destroy();
      await closed;
      return { graceful: ends.every(Boolean) };
    },
  };
}

function toAccess(proof: OwnerProof, socket: Socket): SessionAccess {
  return { isOwner: async (token) => proof.hasToken(token) || proof.isOwn(socket), ownerOnly: true };
}

function endSocket(socket: Socket): void {
  const late = setTimeout(() => socket.destroy(), LAST_WRITES_MS).unref();
  socket.once("close", () => clearTimeout(late));
  socket.end(() => socket.destroy());
}

function toDispatcherFor(
  profile: Profile | ProfileFor,
  options: SocketOptions,
): (connection: Connection) => Dispatcher {
  if (typeof profile === "function") return (connection) => createDispatcher(profile(connection), options);
  const shared = createDispatcher(profile, options);
  return () => shared;
}

function listen(server: Server, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

interface FileId {
  readonly dev: number;
  readonly ino: number;
}

function fileIdOf(path: string | undefined): FileId | undefined {
  try {
    return path === undefined ? undefined : lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Node's close removes any file at the path: a socket that another server has bound since is moved away meanwhile. */
function putOthersAside(path: string | undefined, bound: FileId | undefined): () => void {
  const now = fileIdOf(path);
  if (path === undefined || now === undefined || (now.ino === bound?.ino && now.dev === bound.dev)) return () => {};
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return () => {}; // where renaming is not allowed, removing is not either
  }
  return () => renameSync(aside, path);
}

/** Removes a socket whose server died. Any other may belong to a busy server; then `listen` fails. */
async function clearPlace(path: string): Promise<void> {
  // To listen, a directory that is not there is EACCES, and a file in the way EADDRINUSE.
  await stat(dirname(path));
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return;
  if (!stats.isSocket()) throw Object.assign(new Error(`EEXIST: ${path} is no socket`), { code: "EEXIST" });
  const isStale = await new Promise<boolean>((resolve) => {
    const probe = connect({ path });
    probe.once("connect", () => {
      resolve(false);
      probe.destroy();
    });
    probe.once("error", (error) => resolve(systemCodeOf(error) === "ECONNREFUSED"));
  });
  if (isStale) await unlink(path).catch(() => {});
}
