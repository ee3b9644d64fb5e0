// no caller may take the name of a live agent. The agent itself comes in on its own socket, or its processes
// carry its mark.
import { hostname } from "node:os";
import { havenDatabase } from "../haven/place/shared-haven.ts";
import { readId } from "../ids.ts";
import { RudderError } from "../rudder-error.ts";
import { MARK_VARIABLE } from "./agent-context.ts";
import { type AgentRecord, isRunning, readAgentRecord } from "./agent-record.ts";

/** `agent-T042`, and for a later attempt `agent-T042-2`; where machines share a haven `agent-T042@host`. */
const AGENT_NAME = /^agent-(T\d{1,9})(?:-\d{1,9})?(?:@([^@]*))?$/;

/** The name of a task's agent: on each machine another one. */
export function agentName(
  taskId: string,
  { attempt, env }: { readonly attempt: number; readonly env: NodeJS.ProcessEnv },
): string {
  const name = attempt === 1 ? `agent-${taskId}` : `agent-${taskId}-${attempt}`;
  return havenDatabase(env) === undefined ? name : `${name}@${hostname()}`;
}

/** The running agent of this name; undefined where there is none. */
export function findLiveAgent(haven: string, name: string): AgentRecord | undefined {
  const taskId = AGENT_NAME.exec(name)?.[1];
  if (taskId === undefined || readId(taskId) === undefined) return undefined;
  try {
    const record = readAgentRecord(haven, taskId);
    return record !== undefined && record.name === name && isRunning(record) ? record : undefined;
  } catch (error) {
    if (error instanceof RudderError) return undefined; // a damaged record is no live agent
    throw error;
  }
}

/** The name of another machine's agent: no process of this one is it, whether it lives or not. */
export function isElsewhere(name: string): boolean {
  const host = AGENT_NAME.exec(name)?.[2];
  return host !== undefined && host !== hostname();
}

/** Refuses the name of a live agent to every process that is not its own. */
export function requireOwnName(haven: string, name: string, env: NodeJS.ProcessEnv): void {
  if (isElsewhere(name)) throw nameTaken(name);
  const agent = findLiveAgent(haven, name);
  if (agent !== undefined && agent.mark !== env[MARK_VARIABLE]) throw nameTaken(name);
}

/** The refusal of a live agent's name. */
export function nameTaken(name: string): RudderError {
  return new RudderError("denied", `Access denied: ${name} is a live agent, and this call is not its own`, {
    hint: "use another name in RUDDER_AGENT, or none; the agent itself uses its own socket",
    details: { name },
  });
}
