// Starts the process that looks after an agent and outlives its starter, and waits until the agent itself has begun, or
// has ended already. The terminal may close afterwards.
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { toOutlivingEnv } from "@jeeves/state";
import { readIfThere } from "../../haven/files/read-if-there.ts";
import { toIso } from "../../iso-time.ts";
import { RudderError } from "../../rudder-error.ts";
import { type AgentContext, MARK_VARIABLE } from "../agent-context.ts";
import { agentLayoutOf } from "../agent-layout.ts";
import { type AgentRecord, isRunning, toState } from "../agent-record.ts";
import { agentHost, changeAgent, readAgentRecord } from "../agent-store.ts";
import { giveBack } from "../claim/give-back.ts";

const START_MS = 60_000;
const POLL_MS = 50;
/** A database is asked less often than a file is read. */
const POLL_DATABASE_MS = 500;

/**
 * Starts `program` as the supervisor of a prepared agent. Resolves with the record when the agent has begun or has
 * ended, after 60 s at the latest.
 */
export async function startSupervisor(
  context: AgentContext,
  record: AgentRecord,
  options: { readonly program: string },
): Promise<AgentRecord> {
  const { haven, project } = context.place;
  const output = openSync(agentLayoutOf(haven, record.task_id).runLog, "a", 0o600);
  let exit: string | undefined;
  try {
    // Without the starter's name and mark: it may be an agent, and end before this one.
    const { RUDDER_AGENT: _starter, [MARK_VARIABLE]: _mark, ...env } = toOutlivingEnv(context.env);
    const words = ["--root", project, "agent", "supervise", record.task_id, record.mark];
    const child = spawn(process.execPath, [options.program, ...words], {
      // The caller's directory: agents' own packages are looked for there, too.
      cwd: process.cwd(),
      env: { ...env, RUDDER_HAVEN: haven },
      detached: true,
      stdio: ["ignore", output, output],
    });
    child.on("exit", (code, signal) => {
      exit = `its supervisor ended with ${code ?? signal}`;
    });
    child.on("error", (error) => {
      exit = error.message;
    });
    child.unref();
  } finally {
    closeSync(output);
  }
  const hasBegun = (now: AgentRecord): boolean =>
    now.started_at !== undefined || now.state !== "spawned" || (now.supervisor !== undefined && !isRunning(now));
  const deadline = performance.now() + START_MS;
  for (;;) {
    const now = await readAgentRecord(context, record.task_id);
    if (now === undefined || now.mark !== record.mark) throw gone(record);
    if (hasBegun(now)) return now;
    if (now.supervisor === undefined && exit !== undefined) {
      return failedStart(context, record, `${exit}${lastWords(context, record)}`);
    }
    // A slow start is no failure: the agent goes on, and its log shows how.
    if (performance.now() > deadline) return now;
    await delay(pollMs(context), undefined, context.signal === undefined ? {} : { signal: context.signal });
  }
}

/** What it printed before it ended is in the log, where its own lines would be. */
function lastWords(context: AgentContext, record: AgentRecord): string {
  const log = readIfThere(agentLayoutOf(context.place.haven, record.task_id).runLog) ?? "";
  const line = log.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : `: ${line.slice(0, 300)}`;
}

async function failedStart(context: AgentContext, record: AgentRecord, why: string): Promise<AgentRecord> {
  const { task_id: taskId, name } = record;
  await giveBack(context, { taskId, name, status: "Not Started", words: `${name} did not start: ${why}` });
  const at = toIso(context.clock().wallMs);
  const changed = await changeAgent(context, record, (now) =>
    now.state === "spawned" ? toState(now, "error", { at, ended_at: at, message: why }) : now,
  );
  return changed ?? record;
}

/** Waits for the end, however long it takes: the agent has its own time limit. */
export async function waitForEnd(context: AgentContext, record: AgentRecord): Promise<AgentRecord> {
  for (;;) {
    const now = await readAgentRecord(context, record.task_id);
    if (now === undefined || now.mark !== record.mark) throw gone(record);
    if (!isRunning(now)) {
      // Between the last look at its state and at its life it may have written how it ended.
      return (await readAgentRecord(context, record.task_id)) ?? now;
    }
    await delay(pollMs(context), undefined, context.signal === undefined ? {} : { signal: context.signal });
  }
}

function pollMs({ env }: AgentContext): number {
  return agentHost(env) === "" ? POLL_MS : POLL_DATABASE_MS;
}

function gone(record: AgentRecord): RudderError {
  return new RudderError("agent_failed", `the record of ${record.name} is gone`, {
    hint: "the haven was removed, or another agent was spawned for the same task: rudder agent list",
  });
}
