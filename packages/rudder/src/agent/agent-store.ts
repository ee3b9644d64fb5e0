// The records of agents in the haven's store. Those of other machines are only read: where machines share a haven, a
// process is judged on its own machine, and an agent elsewhere by its lease.
import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { withLock } from "@jeeves/state";
import { requireHavenDir } from "../haven/file-store.ts";
import { layoutOf } from "../haven/layout.ts";
import { havenDatabase } from "../haven/place/shared-haven.ts";
import type { StoredAgent } from "../haven/store.ts";
import { isLive, type Lease } from "../lease/lease.ts";
import { RudderError } from "../rudder-error.ts";
import type { AgentContext } from "./agent-context.ts";
import { type AgentLayout, agentLayoutOf } from "./agent-layout.ts";
import { type AgentRecord, isRunning, parseAgentRecord, shownState, toStoredRecord } from "./agent-record.ts";
import type { AgentState } from "./agent-states.ts";

/** A spawn makes a worktree under the lock: that is slow in a large repository. */
const LOCK_WAIT_MS = 120_000;

/** What it takes to find a haven's agents. */
export type AgentHome = Pick<AgentContext, "store" | "env"> & { readonly place: Pick<AgentContext["place"], "haven"> };

/** An agent of any machine, as it can be seen from here. */
export interface SeenAgent {
  readonly record: AgentRecord;
  /** The machine that it works on; empty where the haven is one machine's. */
  readonly host: string;
  readonly isHere: boolean;
  readonly isRunning: boolean;
  /** The state that is shown. */
  readonly state: AgentState;
}

/** This machine, as agents' records name it: nothing where the haven's data are its own files. */
export function agentHost(env: NodeJS.ProcessEnv): string {
  return havenDatabase(env) === undefined ? "" : hostname();
}

/** The record of a task's agent on this machine; undefined where there was none. */
export async function readAgentRecord(home: AgentHome, taskId: string): Promise<AgentRecord | undefined> {
  const host = agentHost(home.env);
  const { agents, broken } = await home.store.agents(taskId);
  const own = agents.find((one) => one.host === host);
  const record = parseAgentRecord(own?.record);
  if (record !== undefined) return record;
  const unread = broken.find((path) => path.endsWith("/agent.json"));
  if (own === undefined && unread === undefined) return undefined;
  const where = unread ?? `the record of ${taskId}`;
  throw new RudderError("broken_state", `${where} is no agent record`, {
    hint: "delete it if no such agent runs; its worktree and its branch stay where they are",
    details: { path: where },
  });
}

/** The same; throws `not_found` where there was none, and `denied` where the agent is on another machine. */
export async function requireAgentRecord(home: AgentHome, taskId: string): Promise<AgentRecord> {
  const record = await readAgentRecord(home, taskId);
  if (record !== undefined) return record;
  const [elsewhere] = (await listAgents(home, taskId)).agents;
  if (elsewhere !== undefined) {
    const { host } = elsewhere;
    throw new RudderError(
      "denied",
      `${elsewhere.record.name} works on ${host}: its processes and its files are there`,
      {
        hint: `run the same command on ${host}`,
        details: { id: taskId, host },
      },
    );
  }
  throw new RudderError("not_found", `no agent was spawned for ${taskId}`, {
    hint: `start one: rudder agent spawn ${taskId} (rudder agent list shows those that there are)`,
    details: { id: taskId },
  });
}

/**
 * The agents of all machines, or those of one task; `broken` names the records that cannot be parsed. Rejects with
 * `no_haven`.
 */
export async function listAgents(
  home: AgentHome,
  taskId?: string,
): Promise<{ readonly agents: readonly SeenAgent[]; readonly broken: readonly string[] }> {
  const { agents, broken } = await home.store.agents(taskId);
  const host = agentHost(home.env);
  const isElsewhere = (one: StoredAgent): boolean => one.host !== host;
  const isAsked = agents.some((one) => isElsewhere(one) && one.record.state === "spawned");
  const holders = isAsked ? await liveHolders(home) : new Map<string, string>();
  const seen: SeenAgent[] = [];
  const unread: string[] = [...broken];
  for (const one of agents) {
    const record = parseAgentRecord(one.record);
    if (record === undefined) {
      unread.push(one.host === "" ? `agents/${one.taskId}/agent.json` : `${one.taskId} on ${one.host}`);
      continue;
    }
    const isHere = !isElsewhere(one);
    const isAlive = isHere ? isRunning(record) : record.state === "spawned" && holders.get(one.taskId) === record.name;
    seen.push({ record, host: one.host, isHere, isRunning: isAlive, state: shownState(record, isAlive) });
  }
  return { agents: seen, broken: unread };
}

async function liveHolders({ store }: AgentHome): Promise<ReadonlyMap<string, string>> {
  const { leases, nowMs } = await store.leases();
  const live = leases.filter((lease: Lease) => lease.holder.kind === "name" && isLive(lease, nowMs));
  return new Map(live.map(({ taskId, holder }) => [taskId, holder.name]));
}

/** What a writer of one agent's record works with. */
export interface AgentStep {
  readonly layout: AgentLayout;
  /** The record as it is now. */
  readonly record: AgentRecord | undefined;
  /** Writes the next one; the feed names what has happened. */
  write(record: AgentRecord, event?: string): Promise<AgentRecord>;
}

/**
 * Runs a change of one agent under its lock: spawn, supervise, kill and reap wait for each other, at most two minutes.
 */
export async function withAgent<T>(
  home: AgentHome,
  taskId: string,
  run: (step: AgentStep) => Promise<T>,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<T> {
  const { haven } = home.place;
  const layout = agentLayoutOf(haven, taskId);
  requireHavenDir(layoutOf(haven)); // a haven that is gone is not made again by an agent that outlived it
  mkdirSync(layout.dir, { recursive: true, mode: 0o700 });
  const { signal } = options;
  const host = agentHost(home.env);
  const write = async (record: AgentRecord, event = `agent_${record.state}`): Promise<AgentRecord> => {
    await home.store.change(async (step) => {
      await step.putAgent({ taskId, host, record: toStoredRecord(record) });
      step.audit({ event, taskId, by: record.name });
    });
    return record;
  };
  return withLock(layout.lock, async () => run({ layout, record: await readAgentRecord(home, taskId), write }), {
    waitMs: LOCK_WAIT_MS,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Changes this attempt's record; undefined where a later attempt has taken its place. */
export async function changeAgent(
  home: AgentHome,
  own: Pick<AgentRecord, "task_id" | "mark">,
  change: (record: AgentRecord) => AgentRecord,
  event?: string,
): Promise<AgentRecord | undefined> {
  return withAgent(home, own.task_id, async ({ record, write }) =>
    record?.mark === own.mark ? write(change(record), event) : undefined,
  );
}
