// The answering side of control.ts: what the haven's server does when it is asked on its own socket.
import { VERSION } from "@jeeves/base";
import type { Profile } from "@jeeves/kit/mcp";
import { findLiveAgent, nameTaken } from "../../agent/agent-names.ts";
import { socketOf } from "../../agent/agent-record.ts";
import { type AgentHome, listAgents } from "../../agent/agent-store.ts";
import type { Place } from "../../haven/locate.ts";
import { RudderError } from "../../rudder-error.ts";
import { requireTask } from "../tools/restriction.ts";
import {
  type AboutServer,
  type AgentSocket,
  agentSocketSchema,
  CONTROL,
  type ControlAnswer,
  dropParams,
} from "./control.ts";
import { type Listeners, listenWords } from "./listeners.ts";
import { agentPlaces, toTaskName } from "./server-places.ts";

interface ControlOptions {
  readonly place: Place;
  readonly home: AgentHome;
  readonly listeners: Listeners;
  readonly taskId: string | undefined;
  port(): number | undefined;
}

/** The methods of the haven's own socket, beside MCP. */
export function controlMethods({
  place,
  home,
  listeners,
  taskId,
  port,
}: ControlOptions): NonNullable<Profile["methods"]> {
  const startedAt = new Date().toISOString();
  // a server that is restricted to a task opens no way around that.
  const toAllowed = (text: string): string => {
    const id = toTaskName(text);
    if (taskId !== undefined) requireTask(id, taskId);
    return id;
  };
  return {
    [CONTROL.about]: (): AboutServer => {
      const at = port();
      return {
        pid: process.pid,
        haven: place.haven,
        project: place.project,
        ...(at === undefined ? {} : { port: at }),
        ...(taskId === undefined ? {} : { task_id: taskId }),
        clients: listeners.clients,
        agents: [...listeners.agents],
        started_at: startedAt,
        version: VERSION,
      };
    },
    [CONTROL.serveAgent]: (params) =>
      answered(async () => {
        const { name, restricted, ...asked } = agentSocketSchema.parse(params);
        const id = toAllowed(asked.task_id);
        const agent = await findLiveAgent(home, name);
        if (agent !== undefined && toTaskName(agent.task_id) !== id) throw nameTaken(name);
        await requireOwnSocket(home, { ...asked, task_id: id, name, restricted });
        return listeners.openAgent({ task_id: id, name, restricted: restricted || taskId !== undefined });
      }),
    [CONTROL.dropAgent]: (params) =>
      answered(async () => {
        const id = toAllowed(dropParams.parse(params).task_id);
        await listeners.closeAgent(id);
        return agentPlaces(place.haven, id).socket;
      }),
  };
}

/** the socket of a live agent is served as its record says, whoever asks. */
async function requireOwnSocket(home: AgentHome, asked: AgentSocket): Promise<void> {
  const { agents } = await listAgents(home, asked.task_id);
  const own = agents.find((one) => one.isHere && one.isRunning)?.record;
  if (own === undefined) return;
  const { name, restricted } = socketOf(own);
  if (name === asked.name && restricted === asked.restricted) return;
  throw new RudderError("denied", `Access denied: this is the socket of ${name}, a live agent`, {
    hint: `end it first: rudder agent kill ${asked.task_id}`,
    details: { name },
  });
}

async function answered(act: () => Promise<string>): Promise<ControlAnswer> {
  try {
    return { ok: true, socket: await act() };
  } catch (error) {
    const hint = error instanceof RudderError ? error.hint : "rudder mcp log says more";
    return { ok: false, message: listenWords(error), hint };
  }
}
