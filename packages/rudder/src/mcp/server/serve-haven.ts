// The server on sockets, from its first file to its last: one per haven, decided by a lock that a dead holder
// loses, never by a pid file. A server restricted to a task that listens elsewhere is a guest beside it.
import { once } from "node:events";
import { readFileSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { resolve } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import type { Events } from "@jeeves/kit/events";
import { catchStrayErrors, watchForStop } from "@jeeves/kit/mcp";
import { StateError, withLock, writeFileAtomic } from "@jeeves/state";
import { requireHavenDir } from "../../haven/file-store.ts";
import { layoutOf } from "../../haven/layout.ts";
import { RudderError } from "../../rudder-error.ts";
import type { TaskService } from "../tools/task-service.ts";
import { readAgentSockets } from "./agent-sockets.ts";
import { boundLog } from "./bound-log.ts";
import { controlMethods } from "./control-methods.ts";
import { findServer } from "./haven-server.ts";
import { createListeners, type Listeners, listenWords } from "./listeners.ts";
import type { ServerLog } from "./server-log.ts";
import { isSocketPathTooLong, serverPlaces } from "./server-places.ts";

interface ServeOptions {
  readonly service: TaskService;
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
  readonly log: ServerLog;
  readonly socket?: string | undefined;
  readonly port?: number | undefined;
  readonly taskId?: string | undefined;
}

/** For the haven's place: a server that is ending needs a moment to let go of it. */
const TAKE_MS = 15_000;
const TRY_MS = 250;
const WATCH_MS = 1_000;

/**
 * Serves until it is stopped, and resolves with the exit code. Throws `busy` where the haven is served already, or a
 * socket or port is taken.
 */
export async function serveHaven(options: ServeOptions): Promise<number> {
  const { service, log } = options;
  const { haven } = service.place;
  requireHavenDir(layoutOf(haven));
  const places = serverPlaces(haven);
  const isOwnSocket = options.socket !== undefined && resolve(options.socket) === places.socket;
  if (options.taskId !== undefined && !isOwnSocket) return serve(options, { isHavens: false });

  const deadline = performance.now() + TAKE_MS;
  for (;;) {
    try {
      return await withLock(places.lock, () => serve(options, { isHavens: true }), { waitMs: TRY_MS });
    } catch (error) {
      if (!(error instanceof StateError) || error.code !== "lock_timeout") throw error;
      const other = await findServer(haven);
      if (other !== undefined) {
        log.say(`Rudder MCP Server already running (pid ${other.pid})`);
        log.say(`  Listening on: ${places.socket}`);
        if (isOwnSocket && options.port === undefined) return 0;
        throw new RudderError("busy", "one server serves a haven, and it listens elsewhere", {
          hint: `use ${places.socket}, or stop it first: rudder mcp stop`,
        });
      }
      if (performance.now() > deadline) {
        throw new RudderError("busy", `${error.message}, which does not answer on ${places.socket}`, {
          hint: "end that process; then start again",
        });
      }
    }
  }
}

async function serve(options: ServeOptions, how: { readonly isHavens: boolean }): Promise<number> {
  const { service, log, taskId, events } = options;
  const { haven, project } = service.place;
  const places = serverPlaces(haven);
  const listeners = createListeners({ service, events, env: options.env, log, taskId });
  const letStrayErrorsThrough = catchStrayErrors(events);
  const watch = watchForStop({ withParent: false });
  const own: { readonly path: string; readonly text: string }[] = [];
  const note = async (path: string, text: string): Promise<void> => {
    own.push({ path, text });
    await writeFileAtomic(path, text);
  };
  const gone: Promise<string>[] = [];
  const unboundLog = boundLog(places.log);
  let port: number | undefined;
  try {
    if (how.isHavens) await note(places.pid, String(process.pid));
    const at: string[] = [];
    if (options.port !== undefined) {
      // A guest does not take the note of a server that lives.
      const isNoteFree = how.isHavens || !(await isListening(Number(read(places.port))));
      port = await opening(`127.0.0.1:${options.port}`, () => listeners.openPort(options.port ?? 0));
      at.push(`127.0.0.1:${port}`);
      if (isNoteFree) await note(places.port, String(port));
    }
    const { socket } = options;
    const isElsewhere = socket !== undefined && (!how.isHavens || resolve(socket) !== places.socket);
    if (isElsewhere) {
      await opening(socket, () => listeners.openSocket(resolve(socket)));
      at.push(socket);
    }
    if (how.isHavens) {
      await openAgents(haven, listeners, log);
      const methods = controlMethods({ place: service.place, home: service.home, listeners, taskId, port: () => port });
      // The last one: an answer there means that all the rest are ready.
      if (options.port === undefined || !isSocketPathTooLong(places.socket)) {
        await opening(places.socket, () => listeners.openSocket(places.socket, methods));
        gone.push(socketGone(places.socket, watch.stopped));
      }
      if (socket !== undefined && !isElsewhere) at.push(socket);
    }
    log.started({ mode: options.port === undefined ? "Unix socket" : "TCP", at, taskId, project });
    await service.preload();
    const why = await Promise.race([watch.stopped, ...gone]);
    log.say(`Rudder MCP Server stops (${why})`);
    return 0;
  } finally {
    await listeners.closeAll();
    await service.close();
    for (const { path, text } of own) if (read(path) === text) rmSync(path, { force: true });
    unboundLog();
    watch.close();
    letStrayErrorsThrough();
  }
}

async function opening<T>(where: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof RudderError || systemCodeOf(error) === undefined) throw error;
    throw new RudderError("busy", `${where}: ${listenWords(error)} (${systemCodeOf(error)})`, {
      hint: "name another place, or end what listens there",
      cause: error,
    });
  }
}

/** An agent whose socket cannot be had must not keep the others waiting. */
async function openAgents(haven: string, listeners: Listeners, log: ServerLog): Promise<void> {
  for (const agentSocket of readAgentSockets(haven)) {
    await listeners.openAgent(agentSocket).catch((error: unknown) => {
      log.say(`  No socket for ${agentSocket.task_id}: ${listenWords(error)}`);
    });
  }
}

/** A haven that was moved or removed takes the socket along: no client can reach us any more. */
async function socketGone(path: string, stopped: Promise<unknown>): Promise<string> {
  const inode = statSync(path, { throwIfNoEntry: false })?.ino ?? -1;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (statSync(path, { throwIfNoEntry: false })?.ino === inode) return;
      clearInterval(timer);
      resolve("its socket is gone");
    }, WATCH_MS);
    void stopped.then(() => clearInterval(timer));
  });
}

async function isListening(port: number): Promise<boolean> {
  try {
    const socket = connect({ host: "127.0.0.1", port }); // throws for what is no port
    await once(socket, "connect").finally(() => socket.destroy());
    return true;
  } catch {
    return false;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
