// One agent as one file, `agents/T042/agent.json`: what it is, in which state, and who looks after it. Written whole or
// not at all, and changed by one writer at a time; readers take no lock. It starts and ends nothing.
import { mkdirSync } from "node:fs";
import { isProcessIdentity, livenessOf, type ProcessIdentity, withLock, writeFileAtomic } from "@jeeves/state";
import * as z from "zod";
import { requireHaven } from "../haven/file-store.ts";
import { layoutOf } from "../haven/layout.ts";
import { namesIn, readIfThere } from "../haven/logs.ts";
import { RudderError } from "../rudder-error.ts";
import { agentLayoutOf, agentsDir } from "./agent-layout.ts";
import { AGENT_STATES, type AgentState, mayFollow } from "./agent-states.ts";

const instant = z.iso.datetime();

const recordSchema = z.object({
  version: z.literal(1),
  task_id: z.string(),
  /** under this name the agent holds its lease, and whoever comes in on its socket is called so. */
  name: z.string().min(1),
  attempt: z.int().positive(),
  provider: z.string(),
  state: z.enum(AGENT_STATES),
  history: z.array(z.object({ state: z.enum(AGENT_STATES), at: instant })),
  /** The process that drives the agent and keeps its lease; absent until it has started. */
  supervisor: z.custom<ProcessIdentity>(isProcessIdentity).optional(),
  /** In the environment of everything that the agent starts: what was left running is found by it. */
  mark: z.string(),
  run_id: z.string().optional(),
  sandbox: z.boolean(),
  /** its socket serves this task and no other. */
  restricted: z.boolean(),
  project: z.string(),
  /** Where it works; the project itself without a worktree. */
  cwd: z.string(),
  worktree: z.string().optional(),
  branch: z.string().optional(),
  base_branch: z.string().optional(),
  base_commit: z.string().optional(),
  /** What was uncommitted already where it works in the project itself: that is not its work. */
  base_changes: z.string().optional(),
  timeout_s: z.number().positive(),
  spawned_at: instant,
  ended_at: instant.optional(),
  /** How the run ended, in the runner's word. */
  run_status: z.string().optional(),
  message: z.string().optional(),
});
export type AgentRecord = z.infer<typeof recordSchema>;

export function readAgentRecord(haven: string, taskId: string): AgentRecord | undefined {
  const path = agentLayoutOf(haven, taskId).record;
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RudderError("broken_state", `${path} is no agent record`, {
    hint: "delete it if no such agent runs; its worktree and its branch stay where they are",
    details: { path },
  });
}

export function requireAgentRecord(haven: string, taskId: string): AgentRecord {
  const record = readAgentRecord(haven, taskId);
  if (record !== undefined) return record;
  throw new RudderError("not_found", `no agent was spawned for ${taskId}`, {
    hint: `start one: rudder agent spawn ${taskId} (rudder agent list shows those that there are)`,
    details: { id: taskId },
  });
}

export function listAgentRecords(haven: string): {
  readonly records: readonly AgentRecord[];
  readonly broken: readonly string[];
} {
  const records: AgentRecord[] = [];
  const broken: string[] = [];
  for (const name of namesIn(agentsDir(haven))
    .filter((each) => /^T\d+$/.test(each))
    .sort()) {
    try {
      const record = readAgentRecord(haven, name);
      if (record !== undefined) records.push(record);
    } catch (error) {
      if (!(error instanceof RudderError)) throw error;
      broken.push(`agents/${name}/agent.json`);
    }
  }
  return { records, broken };
}

/** Spawned, and the process that looks after it lives (or is just being started). */
export function isRunning(record: AgentRecord): boolean {
  return record.state === "spawned" && record.supervisor !== undefined && livenessOf(record.supervisor) !== "dead";
}

/** The state that people are told: a supervisor that died could not write down that it did. */
export function shownState(record: AgentRecord): AgentState {
  return record.state === "spawned" && record.supervisor !== undefined && !isRunning(record) ? "error" : record.state;
}

/** One writer at a time. `change` gets what the file says now, and may refuse by throwing. */
export async function changeAgentRecord(
  haven: string,
  taskId: string,
  change: (record: AgentRecord | undefined) => AgentRecord,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<AgentRecord> {
  const layout = agentLayoutOf(haven, taskId);
  requireHaven(layoutOf(haven)); // a haven that is gone is not made again by an agent that outlived it
  mkdirSync(layout.dir, { recursive: true, mode: 0o700 });
  const { signal } = options;
  return withLock(
    layout.lock,
    async () => {
      const next = change(readAgentRecord(haven, taskId));
      await writeFileAtomic(layout.record, `${JSON.stringify(recordSchema.parse(next), null, 2)}\n`);
      return next;
    },
    signal === undefined ? {} : { signal },
  );
}

/** The next state, with its moment; what must not follow is refused in words. */
export function toState(
  record: AgentRecord,
  to: AgentState,
  more: Partial<AgentRecord> & { readonly at: string },
): AgentRecord {
  const { at, ...fields } = more;
  if (!mayFollow(record.state, to)) {
    throw new RudderError("closed", `the agent of ${record.task_id} is ${record.state}: it cannot become ${to}`, {
      hint: `rudder agent status ${record.task_id} says what happened`,
      details: { state: record.state },
    });
  }
  return { ...record, ...fields, state: to, history: [...record.history, { state: to, at }] };
}
