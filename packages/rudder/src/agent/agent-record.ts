// One agent as one file, `agents/T042/agent.json`: what it is, in which state, and who looks after it. Written whole or
// not at all, and changed by one writer at a time; readers take no lock. It starts and ends nothing.
import { mkdirSync } from "node:fs";
import { isProcessIdentity, livenessOf, type ProcessIdentity, withLock, writeFileAtomic } from "@jeeves/state";
import * as z from "zod";
import { requireHavenDir } from "../haven/file-store.ts";
import { namesIn, readIfThere } from "../haven/files/read-if-there.ts";
import { layoutOf } from "../haven/layout.ts";
import { RudderError } from "../rudder-error.ts";
import type { AgentSocket } from "./agent-context.ts";
import { type AgentLayout, agentLayoutOf, agentsDir } from "./agent-layout.ts";
import { AGENT_STATES, type AgentState, mayFollow } from "./agent-states.ts";

/** A spawn makes a worktree under the lock: that takes its time in a large repository. */
const LOCK_WAIT_MS = 120_000;
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
  /** The process that is starting it. */
  spawner: z.custom<ProcessIdentity>(isProcessIdentity),
  /** The process that drives the agent and keeps its lease; absent until it has started. */
  supervisor: z.custom<ProcessIdentity>(isProcessIdentity).optional(),
  /** In the environment of everything that the agent starts: what was left running is found by it. */
  mark: z.string(),
  run_id: z.string().optional(),
  sandbox: z.boolean(),
  /** its sandbox refuses sockets. */
  pipes: z.boolean().optional(),
  /** its socket answers for its own task alone. */
  restricted: z.boolean().optional(),
  project: z.string(),
  /** Where it works; the project itself without a worktree. */
  cwd: z.string(),
  worktree: z.string().optional(),
  /** The worktree's administrative directory; its own `.git` file could have been rewritten. */
  git_dir: z.string().optional(),
  branch: z.string().optional(),
  base_branch: z.string().optional(),
  base_commit: z.string().optional(),
  /** What was uncommitted already where it works in the project itself: that is not its work. */
  base_changes: z.string().optional(),
  timeout_s: z.number().positive(),
  spawned_at: instant,
  /** The agent itself has begun. */
  started_at: instant.optional(),
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

/** Who speaks on its socket, and about what. */
export function socketOf(record: AgentRecord): AgentSocket {
  return { name: record.name, restricted: record.restricted === true };
}

/** Spawned, and whoever looks after it lives: its supervisor, or before that its spawner. */
export function isRunning(record: AgentRecord): boolean {
  return record.state === "spawned" && livenessOf(record.supervisor ?? record.spawner) !== "dead";
}

/** The state that people are told: a supervisor that died could not write down that it did. */
export function shownState(record: AgentRecord): AgentState {
  return record.state === "spawned" && !isRunning(record) ? "error" : record.state;
}

export interface AgentStep {
  readonly layout: AgentLayout;
  /** What the file says now. */
  readonly record: AgentRecord | undefined;
  write(record: AgentRecord): Promise<AgentRecord>;
}

/** One writer at a time: whoever spawns, supervises, kills or reaps this agent waits for the others. */
export async function withAgent<T>(
  haven: string,
  taskId: string,
  run: (step: AgentStep) => Promise<T>,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<T> {
  const layout = agentLayoutOf(haven, taskId);
  requireHavenDir(layoutOf(haven)); // a haven that is gone is not made again by an agent that outlived it
  mkdirSync(layout.dir, { recursive: true, mode: 0o700 });
  const { signal } = options;
  const write = async (record: AgentRecord): Promise<AgentRecord> => {
    await writeFileAtomic(layout.record, `${JSON.stringify(recordSchema.parse(record), null, 2)}\n`);
    return record;
  };
  return withLock(layout.lock, () => run({ layout, record: readAgentRecord(haven, taskId), write }), {
    waitMs: LOCK_WAIT_MS,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Changes this attempt's record; undefined where a later attempt has taken its place. */
export async function changeAgent(
  haven: string,
  own: Pick<AgentRecord, "task_id" | "mark">,
  change: (record: AgentRecord) => AgentRecord,
): Promise<AgentRecord | undefined> {
  return withAgent(haven, own.task_id, async ({ record, write }) =>
    record?.mark === own.mark ? write(change(record)) : undefined,
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
