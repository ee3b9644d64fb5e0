// Which agents' sockets a server has to serve: one small file in each agent's folder, so that a server that was killed
// and started again gives every agent its socket back.
import { readFileSync, rmSync } from "node:fs";
import { writeFileAtomic } from "@jeeves/state";
import { namesIn } from "../../haven/files/read-if-there.ts";
import { readId } from "../../ids.ts";
import { type AgentSocket, agentSocketSchema } from "./control.ts";
import { agentPlaces, serverPlaces } from "./server-places.ts";

/** From now on every server of the haven serves this agent's socket. */
export async function rememberAgentSocket(haven: string, agentSocket: AgentSocket): Promise<void> {
  await writeFileAtomic(agentPlaces(haven, agentSocket.task_id).agentSocket, `${JSON.stringify(agentSocket)}\n`);
}

/** A server that starts later does not serve it. */
export function forgetAgentSocket(haven: string, taskId: string): void {
  rmSync(agentPlaces(haven, taskId).agentSocket, { force: true });
}

/** The sockets to serve; a file that cannot be read is skipped. */
export function readAgentSockets(haven: string): AgentSocket[] {
  const agentSockets: AgentSocket[] = [];
  for (const taskId of namesIn(serverPlaces(haven).agents)) {
    if (readId(taskId)?.kind !== "task") continue;
    try {
      const agentSocket = agentSocketSchema.parse(
        JSON.parse(readFileSync(agentPlaces(haven, taskId).agentSocket, "utf8")),
      );
      if (agentSocket.task_id === taskId) agentSockets.push(agentSocket);
    } catch {
      // Not ours to judge: its agent's folder may be half made, or half removed.
    }
  }
  return agentSockets;
}
