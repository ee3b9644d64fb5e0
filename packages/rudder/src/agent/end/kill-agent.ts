// Ends an agent: its supervisor gets SIGTERM, later SIGKILL; every process with the agent's mark is ended; its lease is
// given back. Its worktree and its branch stay.
import { setTimeout as delay } from "node:timers/promises";
import { livenessOf } from "@jeeves/state";
import { toIso } from "../../iso-time.ts";
import { RudderError } from "../../rudder-error.ts";
import type { AgentContext, AgentServices } from "../agent-context.ts";
import { type AgentRecord, isRunning, toState } from "../agent-record.ts";
import { changeAgent, readAgentRecord, requireAgentRecord } from "../agent-store.ts";
import { giveBack } from "../claim/give-back.ts";

/** The runner gives an agent, and then its servers, a few seconds each. */
const ASK_MS = 20_000;
const POLL_MS = 50;

/**
 * Kills the agent of a task; `leftovers` counts the processes that had outlived its supervisor. Throws `closed` where
 * the agent had ended already, and ends what it left running all the same.
 */
export async function killAgent(
  context: AgentContext,
  taskId: string,
  services: AgentServices,
): Promise<{ readonly record: AgentRecord; readonly leftovers: number }> {
  const record = await requireAgentRecord(context, taskId);
  if (record.state !== "spawned") {
    // What it left running is ended all the same: nothing else would do that.
    const left = await services.endMarked(record.mark);
    const ended = left === 0 ? "" : `; ${left} of its processes were still there, and were ended`;
    throw new RudderError("closed", `${record.name} has ended already: ${record.state}${ended}`, {
      hint: `rudder agent reap ${taskId} takes its work, or throws it away with --reject`,
      details: { state: record.state },
    });
  }
  if (isRunning(record)) await endSupervisor(record, context);
  const leftovers = await services.endMarked(record.mark);
  const words = `${record.name} was killed`;
  await giveBack(context, { taskId, name: record.name, status: "Not Started", words });
  await services.dropAgent(taskId);
  const at = toIso(context.clock().wallMs);
  const killed = await changeAgent(context, record, (now) =>
    now.state === "spawned" ? toState(now, "killed", { at, ended_at: at, message: "killed" }) : now,
  );
  return { record: killed ?? (await requireAgentRecord(context, taskId)), leftovers };
}

async function endSupervisor(record: AgentRecord, context: AgentContext): Promise<void> {
  const who = record.supervisor ?? record.spawner;
  const has = async (isTrue: () => boolean | Promise<boolean>, waitMs: number): Promise<boolean> => {
    const deadline = performance.now() + waitMs;
    while (!(await isTrue())) {
      if (performance.now() > deadline) return false;
      await delay(POLL_MS, undefined, context.signal === undefined ? {} : { signal: context.signal });
    }
    return true;
  };
  const isGone = (): boolean => livenessOf(who) === "dead";
  // Identity was checked a moment ago: a pid alone may be another process by now.
  signal(who.pid, "SIGTERM");
  const hasEnded = async (): Promise<boolean> =>
    isGone() || (await readAgentRecord(context, record.task_id))?.state !== "spawned";
  if ((await has(hasEnded, ASK_MS)) && (await has(isGone, ASK_MS))) return;
  if (!isGone()) signal(who.pid, "SIGKILL");
  await has(isGone, ASK_MS);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile.
  }
}
