// The places that one server listens on, each with callers of its own: the haven's socket (with control), a further
// socket or port, and the agents' own sockets. Opens and closes them, and counts who is connected.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import type { Events } from "@jeeves/kit/events";
import { type ProfileFor, readOwnerTokens, type SocketServer, serveSocket, serveTcp } from "@jeeves/kit/mcp";
import { createProfile, type ProfileOptions } from "../tools/profile.ts";
import type { TaskService } from "../tools/task-service.ts";
import { forgetAgentSocket, rememberAgentSocket } from "./agent-sockets.ts";
import { createCallers } from "./callers.ts";
import type { AgentSocket } from "./control.ts";
import type { ServerLog } from "./server-log.ts";
import { agentPlaces, requireSocketPath } from "./server-places.ts";

/** Far above any argument, far below what would hurt: a longer message is refused, and the connection goes on. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MAX_CONNECTIONS = 512;

interface ListenerOptions {
  readonly service: TaskService;
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
  readonly log: ServerLog;
  readonly taskId: string | undefined;
}

/** What a server listens on. */
export interface Listeners {
  readonly clients: number;
  readonly agents: readonly string[];
  openSocket(path: string, methods?: ProfileOptions["methods"]): Promise<void>;
  /** Resolves with the port: 0 asks for any. */
  openPort(port: number): Promise<number>;
  openAgent(agentSocket: AgentSocket): Promise<string>;
  closeAgent(taskId: string): Promise<void>;
  closeAll(): Promise<void>;
}

/** Listens nowhere yet. */
export function createListeners(options: ListenerOptions): Listeners {
  const { service, events, env, log } = options;
  const callers = createCallers(service.home);
  const open = new Set<SocketServer>();
  const agents = new Map<string, { readonly agentSocket: AgentSocket; readonly server: SocketServer }>();
  let clients = 0;
  /** Opening and closing of agents' sockets, one at a time: two askers may mean the same one. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const mine = turn.then(act);
    turn = mine.catch(() => {});
    return mine;
  };

  const profileFor =
    (way: {
      readonly name?: string;
      readonly taskId?: string | undefined;
      readonly methods?: ProfileOptions["methods"];
    }): ProfileFor =>
    ({ from, closed }) => {
      log.say(`Client connected from ${from}`);
      clients += 1;
      const named = callers.next(way.name);
      void closed.then(() => {
        clients -= 1;
        log.say("Client disconnected");
        return service.left(named.current()).catch((error: unknown) => log.say(`  Not noted: ${listenWords(error)}`));
      });
      return createProfile(service, { ...named, taskId: way.taskId, methods: way.methods });
    };
  const socketOptions = { events, env, maxLineBytes: MAX_LINE_BYTES, maxConnections: MAX_CONNECTIONS };
  const stop = async (server: SocketServer): Promise<void> => {
    open.delete(server);
    await server.stop();
  };
  const closeAgent = async (taskId: string): Promise<void> => {
    const served = agents.get(taskId);
    if (served === undefined) return;
    agents.delete(taskId);
    await stop(served.server);
  };

  return {
    get clients() {
      return clients;
    },
    get agents() {
      return [...agents.keys()].sort();
    },
    async openSocket(path, methods) {
      requireSocketPath(path);
      open.add(await serveSocket(profileFor({ taskId: options.taskId, methods }), { ...socketOptions, path }));
    },
    async openPort(port) {
      const tokens = await readOwnerTokens(env, events);
      const server = await serveTcp(profileFor({ taskId: options.taskId }), { ...socketOptions, port, tokens });
      open.add(server);
      return server.port;
    },
    openAgent: (agentSocket) =>
      inTurn(async () => {
        const { socket } = agentPlaces(service.place.haven, agentSocket.task_id);
        requireSocketPath(socket);
        const served = agents.get(agentSocket.task_id);
        if (served !== undefined && JSON.stringify(served.agentSocket) === JSON.stringify(agentSocket)) return socket;
        await closeAgent(agentSocket.task_id);
        mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
        // On disk before it listens: a socket that was reported as served is served after a crash too.
        await rememberAgentSocket(service.place.haven, agentSocket);
        const way = { name: agentSocket.name, ...(agentSocket.restricted ? { taskId: agentSocket.task_id } : {}) };
        const server = await serveSocket(profileFor(way), { ...socketOptions, path: socket });
        open.add(server);
        agents.set(agentSocket.task_id, { agentSocket, server });
        return socket;
      }),
    closeAgent: (taskId) =>
      inTurn(async () => {
        forgetAgentSocket(service.place.haven, taskId);
        await closeAgent(taskId);
      }),
    async closeAll() {
      await turn;
      agents.clear();
      await Promise.all([...open].map(stop));
    },
  };
}

/** Why listening failed, for people. */
export function listenWords(error: unknown): string {
  const code = systemCodeOf(error);
  if (code === "EADDRINUSE") return "another program listens there already";
  if (code === "EEXIST") return "what is there is no socket";
  if (code === "ENOENT" || code === "ENOTDIR") return "its directory does not exist";
  if (code === "EACCES" || code === "EPERM") return "it is not ours to listen there";
  return error instanceof Error ? error.message : String(error);
}
