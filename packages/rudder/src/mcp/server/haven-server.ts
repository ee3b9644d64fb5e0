// The haven's one server, seen from outside: is it there, start it, stop it, let it listen for an agent.
// It is a process of its own that outlives its starter. No process is killed because of a pid file.
import { spawn } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { readProcess, systemCodeOf } from "@jeeves/base";
import { toOutlivingEnv, withLock } from "@jeeves/state";
import { MARK_VARIABLE } from "../../agent/agent-context.ts";
import { requireHavenDir } from "../../haven/file-store.ts";
import { layoutOf } from "../../haven/layout.ts";
import type { Place } from "../../haven/locate.ts";
import { RudderError } from "../../rudder-error.ts";
import { builtFile } from "../built-file.ts";
import { askServer } from "./ask-server.ts";
import { type AboutServer, type AgentSocket, aboutServer, CONTROL, controlAnswer } from "./control.ts";
import { agentPlaces, requireSocketPath, serverPlaces, toTaskName } from "./server-places.ts";

const START_MS = 30_000;
const STOP_MS = 15_000;
const POLL_MS = 25;
const LOG_MAX_BYTES = 8 * 1024 * 1024;

interface ServerOptions {
  readonly signal?: AbortSignal | undefined;
  /** What the server is started with; default: this process' environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Beside the socket, on 127.0.0.1. */
  readonly port?: number | undefined;
}

/** A server that answers. */
export interface RunningServer {
  readonly socketPath: string;
  readonly pid: number;
  /** False where one was running already. */
  readonly started: boolean;
}

/** The name under which an agent of this task works, unless its spawner gives it another one. */
export function agentNameOf(taskId: string): string {
  return `agent-${taskId}`;
}

/** What the running server reports of itself; undefined where none answers. */
export async function findServer(haven: string, options: ServerOptions = {}): Promise<AboutServer | undefined> {
  const { socket } = serverPlaces(haven);
  const answer = await askServer({ path: socket }, { method: CONTROL.about }, { signal: options.signal }).catch(
    (error: unknown) => {
      options.signal?.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      return undefined; // something listens there that is no server of ours
    },
  );
  const about = aboutServer.safeParse(answer);
  return about.success ? about.data : undefined;
}

/** the running one, or a new one that outlives us. Returns when it answers. */
export async function ensureServer(place: Place, options: ServerOptions = {}): Promise<RunningServer> {
  const { socket, startLock } = serverPlaces(place.haven);
  requireSocketPath(socket);
  requireHavenDir(layoutOf(place.haven));
  const running = await findServer(place.haven, options);
  if (running !== undefined) return { socketPath: socket, pid: running.pid, started: false };
  // Ten agents that start at once wait for one server instead of starting ten.
  const { signal } = options;
  const lock = { waitMs: START_MS, ...(signal === undefined ? {} : { signal }) };
  return withLock(startLock, () => start(place, options), lock);
}

async function start(place: Place, options: ServerOptions): Promise<RunningServer> {
  const { socket, log } = serverPlaces(place.haven);
  const before = await findServer(place.haven, options);
  if (before !== undefined) return { socketPath: socket, pid: before.pid, started: false };

  const end = startChild(place, options);
  const deadline = performance.now() + START_MS;
  for (;;) {
    const about = await findServer(place.haven, options);
    if (about !== undefined) return { socketPath: socket, pid: about.pid, started: true };
    // Exit 0 means that another one has the haven, and will answer in a moment.
    const { code } = end;
    if ((code !== undefined && code !== 0) || performance.now() > deadline) {
      throw new RudderError("busy", `the server of ${place.haven} did not start`, {
        hint: `${log} says why`,
        details: { exit_code: code ?? null, log },
      });
    }
    await delay(POLL_MS, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}

function startChild(place: Place, options: ServerOptions): { readonly code: number | undefined } {
  const { socket, log } = serverPlaces(place.haven);
  // The starter's name is its own, and it may be an agent whose run ends before the haven's work does.
  const { RUDDER_AGENT: _starter, [MARK_VARIABLE]: _mark, ...env } = toOutlivingEnv(options.env ?? process.env);
  const end: { code: number | undefined } = { code: undefined };
  const output = openLog(log);
  try {
    const port = options.port === undefined ? [] : ["--port", String(options.port)];
    const child = spawn(
      process.execPath,
      [builtFile("rudder-server.js"), "--project-root", place.project, "--socket", socket, ...port],
      {
        cwd: place.project,
        env: { ...env, RUDDER_HAVEN: place.haven },
        stdio: ["ignore", output, output],
        detached: true,
      },
    );
    child.on("exit", (code) => {
      end.code = code ?? 1;
    });
    child.on("error", () => {
      end.code = 1;
    });
    child.unref();
  } finally {
    closeSync(output);
  }
  return end;
}

function openLog(path: string): number {
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX_BYTES) renameSync(path, `${path}.1`);
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
    return openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT") throw error;
    throw new RudderError("no_haven", `there is no haven for ${path}`, { hint: "run: rudder init", cause: error });
  }
}

/** Ends it and waits until it is gone; undefined where none answers. */
export async function stopServer(haven: string, options: ServerOptions = {}): Promise<number | undefined> {
  const about = await findServer(haven, options);
  if (about === undefined) return undefined;
  // The server itself said that this is its pid, a moment ago.
  reaches(about.pid, "SIGTERM");
  const deadline = performance.now() + STOP_MS;
  while (isRunning(about.pid)) {
    if (performance.now() > deadline) {
      throw new RudderError("busy", `the server ${about.pid} does not stop`, { hint: `end it: kill -9 ${about.pid}` });
    }
    await delay(POLL_MS, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
  return about.pid;
}

/** A process that has ended but was never collected is gone: the first process of a container may wait for none. */
function isRunning(pid: number): boolean {
  return reaches(pid, 0) && readProcess(pid)?.hasEnded !== true;
}

function reaches(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** How an agent's socket is served. */
export interface AgentSocketOptions extends ServerOptions {
  /** Under which name calls on this socket are made; default: agentNameOf(taskId). */
  readonly name?: string;
  /** Calls on this socket may concern its task alone. */
  readonly restricted?: boolean;
}

/**
 * The agent's own socket `agents/T042/mcp.sock` (0600), served by the haven's one server, which is started if need be.
 * A server that is restarted serves it again, until dropAgent.
 */
export async function serveAgent(
  place: Place,
  taskId: string,
  options: AgentSocketOptions = {},
): Promise<{ readonly socketPath: string }> {
  const id = toTaskName(taskId);
  const { dir, socket } = agentPlaces(place.haven, id);
  requireSocketPath(socket);
  await ensureServer(place, options);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const agentSocket: AgentSocket = {
    task_id: id,
    name: options.name ?? agentNameOf(id),
    restricted: options.restricted === true,
  };
  await control(place.haven, { method: CONTROL.serveAgent, params: agentSocket }, options);
  return { socketPath: socket };
}

/** Ends an agent's socket. Where no server runs, the next one will not serve it either. */
export async function dropAgent(place: Place, taskId: string, options: ServerOptions = {}): Promise<void> {
  const id = toTaskName(taskId);
  const { forgetAgentSocket } = await import("./agent-sockets.ts");
  forgetAgentSocket(place.haven, id);
  if ((await findServer(place.haven, options)) === undefined) return;
  await control(place.haven, { method: CONTROL.dropAgent, params: { task_id: id } }, options);
}

async function control(
  haven: string,
  question: { readonly method: string; readonly params: unknown },
  options: ServerOptions,
): Promise<void> {
  const answer = controlAnswer.safeParse(
    await askServer({ path: serverPlaces(haven).socket }, question, { signal: options.signal }),
  );
  if (!answer.success) {
    throw new RudderError("busy", "the haven's server does not answer", { hint: "rudder mcp status says more" });
  }
  if (!answer.data.ok) {
    throw new RudderError("broken_state", answer.data.message, { hint: answer.data.hint });
  }
}
