// rudder mcp start|stop|status|log|config: the haven's one server.

import type { Answer } from "../../answers/answer.ts";
import { requireHavenDir } from "../../haven/file-store.ts";
import { readIfThere } from "../../haven/files/read-if-there.ts";
import { layoutOf } from "../../haven/layout.ts";
import { readMcpCommand } from "../../haven/place/agent-settings.ts";
import { parseId } from "../../ids.ts";
import { internalConfig, socketConfig } from "../../mcp/mcp-config.ts";
import { ensureServer, findServer, stopServer as stopRunning } from "../../mcp/server/haven-server.ts";
import { agentPlaces, serverPlaces } from "../../mcp/server/server-places.ts";
import { RudderError } from "../../rudder-error.ts";
import type { Session } from "../session.ts";

const DEFAULT_LINES = 50;

/** `rudder mcp start`; a port is for a new server only. */
export async function startServer(session: Session, options: { readonly port?: number }): Promise<Answer> {
  const { place, signal, env } = session;
  requireHavenDir(layoutOf(place.haven));
  const running = await ensureServer(place, { signal, env, port: options.port });
  const notes =
    options.port !== undefined && !running.started ? ["it was running already: --port is for a new one"] : [];
  return {
    json: { pid: running.pid, socket: running.socketPath, started: running.started },
    text: `${running.started ? "started" : "running already"}: pid ${running.pid}, ${running.socketPath}`,
    notes,
  };
}

/** `rudder mcp stop`; resolves when the server has ended. */
export async function stopServer({ place, signal }: Session): Promise<Answer> {
  const pid = await stopRunning(place.haven, { signal });
  return {
    json: { stopped: pid ?? null },
    text: pid === undefined ? "no server runs for this haven" : `stopped: pid ${pid}`,
  };
}

/** `rudder mcp status` */
export async function serverStatus({ place, signal }: Session): Promise<Answer> {
  const { socket, pid } = serverPlaces(place.haven);
  const about = await findServer(place.haven, { signal });
  if (about === undefined) {
    const stale = readIfThere(pid);
    return {
      json: { running: false, socket },
      text: `no server runs for ${place.haven}\nstart it: rudder mcp start`,
      notes: stale === undefined ? [] : [`${pid} names ${stale.trim().slice(0, 20)}, which is no server of ours now`],
    };
  }
  const rows = [
    `running   pid ${about.pid}, since ${about.started_at}`,
    `socket    ${socket}`,
    ...(about.port === undefined ? [] : [`port      127.0.0.1:${about.port}`]),
    ...(about.task_id === undefined ? [] : [`only for  ${about.task_id}`]),
    // One of them is this question.
    `clients   ${about.clients - 1}`,
    `agents    ${about.agents.join(", ") || "none"}`,
  ];
  return { json: { running: true, socket, ...about, clients: about.clients - 1 }, text: rows.join("\n") };
}

/** `rudder mcp log`: the last 50 lines, unless `lines` is given. */
export async function serverLog({ place }: Session, options: { readonly lines?: number }): Promise<Answer> {
  const { log } = serverPlaces(place.haven);
  const text = readIfThere(log);
  const all = (text ?? "").split("\n").filter((line) => line !== "");
  const lines = all.slice(-(options.lines ?? DEFAULT_LINES));
  return {
    json: { path: log, lines },
    text: text === undefined ? `${log} is not there yet` : lines.join("\n") || `${log} is empty`,
  };
}

/** `rudder mcp bridge`, where another program than the bin runs it. */
export async function refuseBridge(): Promise<Answer> {
  throw new RudderError("denied", "the bridge carries a program's own stdin", {
    hint: "run it by itself: rudder mcp bridge SOCKET",
  });
}

/** `rudder mcp config` */
export async function showConfig(
  { place, store, env }: Session,
  options: { readonly id?: string | undefined; readonly internal?: boolean },
): Promise<Answer> {
  const id = options.id === undefined ? undefined : parseId(options.id, { kinds: ["task"], digits: store.digits });
  const socket = id === undefined ? serverPlaces(place.haven).socket : agentPlaces(place.haven, id).socket;
  const config =
    options.internal === true ? internalConfig(place, env) : socketConfig(socket, readMcpCommand(place.project));
  return { json: config, text: JSON.stringify(config, null, 2) };
}
