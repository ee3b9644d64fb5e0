// Where a haven's server and its agents' sockets are (R-28, R-29, X-31). Computes paths; the one thing checked is that
// a socket's path is short enough for the kernel, because a path that is cut off would be another file.
import { join } from "node:path";
import { readId } from "../../ids.ts";
import { RudderError } from "../../rudder-error.ts";

interface ServerPlaces {
  readonly socket: string;
  readonly pid: string;
  readonly port: string;
  readonly log: string;
  /** Held by the haven's one server for as long as it lives. */
  readonly lock: string;
  /** Held by the process that is starting it. */
  readonly startLock: string;
  readonly agents: string;
}

export interface AgentPlaces {
  readonly dir: string;
  readonly socket: string;
  /** How that socket is served; a restarted server reads it. */
  readonly agentSocket: string;
}

/** `sun_path` has 108 bytes on Linux, 104 elsewhere, the last of them a zero. */
const MAX_SOCKET_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/** The files of a haven's server; no file is looked at. */
export function serverPlaces(haven: string): ServerPlaces {
  return {
    socket: join(haven, "mcp.sock"),
    pid: join(haven, "mcp.pid"),
    port: join(haven, "mcp.port"),
    log: join(haven, "mcp.log"),
    lock: join(haven, ".server"),
    startLock: join(haven, ".server-start"),
    agents: join(haven, "agents"),
  };
}

/** A task's id as it was written (how many digits it has is the project's to say): the name of its agent's folder. */
export function toTaskName(text: string): string {
  if (readId(text)?.kind === "task") return text.trim().toUpperCase();
  throw new RudderError("invalid_argument", `${JSON.stringify(text)} is no task id like T042`, {
    hint: "rudder task list shows them",
  });
}

/** Only for a name that toTaskName has made. */
export function agentPlaces(haven: string, taskId: string): AgentPlaces {
  const dir = join(haven, "agents", taskId);
  return { dir, socket: join(dir, "mcp.sock"), agentSocket: join(dir, "mcp.json") };
}

/** More than 107 bytes on Linux, 103 elsewhere. */
export function isSocketPathTooLong(path: string): boolean {
  return Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES;
}

/** The same path; throws `invalid_argument` where it is too long. */
export function requireSocketPath(path: string): string {
  if (!isSocketPathTooLong(path)) return path;
  const bytes = Buffer.byteLength(path);
  throw new RudderError("invalid_argument", `${path} is too long for a socket: ${bytes} bytes`, {
    hint: `at most ${MAX_SOCKET_PATH_BYTES}: set RUDDER_HAVEN to a shorter path, or use --port`,
    details: { path, bytes, max_bytes: MAX_SOCKET_PATH_BYTES },
  });
}
