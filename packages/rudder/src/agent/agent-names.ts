// no caller may take the name of a live agent. The agent itself comes in on its own socket, or its processes
// carry its mark.
import { hostname } from "node:os";
import { readId } from "../ids.ts";
import { RudderError } from "../rudder-error.ts";
import { MARK_VARIABLE } from "./agent-context.ts";
import type { AgentRecord } from "./agent-record.ts";
import { type AgentHome, agentHost, listAgents } from "./agent-store.ts";

/** `agent-T042`, and for a later attempt `agent-T042-2`; where machines share a haven `agent-T042@host`. */
const AGENT_NAME = /^agent-(T\d{1,9})(?:-\d{1,9})?(?:@([^@]*))?$/;

/** The name of a task's agent: on each machine another one. */
export function agentName(
  taskId: string,
  { attempt, env }: { readonly attempt: number; readonly env: NodeJS.ProcessEnv },
): string {
  const name = attempt === 1 ? `agent-${taskId}` : `agent-${taskId}-${attempt}`;
  const host = agentHost(env);
  return host === "" ? name : `${name}@${host}`;
}

/** The running agent of this name; undefined where there is none. */
export async function findLiveAgent(home: AgentHome, name: string): Promise<AgentRecord | undefined> {
  const taskId = taskOf(name);
  if (taskId === undefined) return undefined;
  try {
    const { agents } = await listAgents(home, taskId);
    return agents.find(({ record, isRunning }) => isRunning && record.name === name)?.record;
  } catch (error) {
    if (error instanceof RudderError && error.code === "no_haven") return undefined; // the command itself reports it
    throw error;
  }
}

/** The task of an agent's name; undefined for a name of another form, which no agent has. */
export function taskOf(name: string): string | undefined {
  const taskId = AGENT_NAME.exec(name)?.[1];
  return taskId === undefined || readId(taskId) === undefined ? undefined : taskId;
}

/** True for the name of another machine's agent, whether it lives or not: no process of this machine may use it. */
export function isElsewhere(name: string): boolean {
  const host = AGENT_NAME.exec(name)?.[2];
  return host !== undefined && host !== hostname();
}

/** Throws `denied` where a process that is not the agent itself uses the name of a live agent. */
export async function requireOwnName(home: AgentHome, name: string): Promise<void> {
  if (isElsewhere(name)) throw nameTaken(name);
  const agent = await findLiveAgent(home, name);
  if (agent !== undefined && agent.mark !== home.env[MARK_VARIABLE]) throw nameTaken(name);
}

/** The refusal of a live agent's name. */
export function nameTaken(name: string): RudderError {
  return new RudderError("denied", `Access denied: ${name} is a live agent, and this call is not its own`, {
    hint: "use another name in RUDDER_AGENT, or none; the agent itself uses its own socket",
    details: { name },
  });
}
