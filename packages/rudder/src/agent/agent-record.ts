// One agent as a value: what it is, its state, and the process that supervises it. agent-store.ts reads and writes it.
import { isProcessIdentity, livenessOf, type ProcessIdentity } from "@jeeves/state";
import * as z from "zod";
import { RudderError } from "../rudder-error.ts";
import type { AgentSocket } from "./agent-context.ts";
import { AGENT_STATES, type AgentState, mayFollow } from "./agent-states.ts";

const instant = z.iso.datetime();

const recordSchema = z.object({
  version: z.literal(1),
  task_id: z.string(),
  /** the name that holds its lease, and that its socket gives to every caller. */
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
/** One attempt of an agent at a task, as the store keeps it. */
export type AgentRecord = z.infer<typeof recordSchema>;

/** A record as the store keeps it; undefined for what is none. */
export function parseAgentRecord(value: unknown): AgentRecord | undefined {
  const parsed = recordSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** The record for the store; throws where it could not be parsed again. */
export function toStoredRecord(record: AgentRecord): Readonly<Record<string, unknown>> {
  return recordSchema.parse(record);
}

/** How its socket is to be served. */
export function socketOf(record: AgentRecord): AgentSocket {
  return { name: record.name, restricted: record.restricted === true };
}

/** For an agent of this machine: it is spawned, and its supervisor (before that its spawner) lives. */
export function isRunning(record: AgentRecord): boolean {
  return record.state === "spawned" && livenessOf(record.supervisor ?? record.spawner) !== "dead";
}

/** The state that is shown: a supervisor that died could not write down that it did. */
export function shownState(record: AgentRecord, isAlive = isRunning(record)): AgentState {
  return record.state === "spawned" && !isAlive ? "error" : record.state;
}

/** The record in its next state; throws `closed` where that state may not follow. */
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
