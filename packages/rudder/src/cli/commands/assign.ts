// rudder assign claim|renew|release|list: leases by name. The rules are in lease/decide.ts.
import { noteClaim } from "../../actions/renew-own.ts";
import { runTaskCommand, type TaskChange } from "../../actions/task-command.ts";
import { buildGraph } from "../../graph/graph.ts";
import { openBlockersOf } from "../../graph/ready.ts";
import { parseId } from "../../ids.ts";
import { toIso } from "../../lease/instant.ts";
import { parseTaskStatus } from "../../statuses.ts";
import type { Answer } from "../answer.ts";
import type { Session } from "../session.ts";
import { toTable } from "../table.ts";
import { brokenNotes, leaseToJson, leaseWords } from "../views.ts";

export interface ClaimRequest {
  readonly id: string;
  readonly operation: string;
  readonly budget?: number;
  readonly quiet?: boolean;
}

export async function claim(session: Session, request: ClaimRequest): Promise<Answer> {
  const taskId = parseId(request.id, { kinds: ["task"], digits: session.store.digits });
  const command = {
    kind: "claim" as const,
    by: session.caller,
    ttlMs: session.ttlMs,
    operation: request.operation,
    pid: process.pid,
  };
  const change = await runTaskCommand(session.store, { taskId, command }, session);
  noteClaim(session.caller);
  const answer = leaseAnswer(session, change);
  if (request.quiet === true) return answer;
  const graph = buildGraph((await session.store.snapshot()).artefacts);
  const task = graph.byId.get(taskId);
  const open = task === undefined ? [] : openBlockersOf(graph, task);
  const { composeContext } = await import("../../context/compose-context.ts");
  const context = await composeContext(session, {
    taskId,
    ...(request.budget === undefined ? {} : { budget: request.budget }),
  });
  return {
    json: { ...Object(answer.json), waits_for: open, context: context.text },
    text: `${answer.text}\n\n${context.text}`,
    notes: open.map((blocker) => `${taskId} still waits for ${blocker.id} (${blocker.state})`),
  };
}

export async function renew(session: Session, id: string): Promise<Answer> {
  const taskId = parseId(id, { kinds: ["task"], digits: session.store.digits });
  const command = { kind: "renew" as const, by: session.caller, ttlMs: session.ttlMs };
  return leaseAnswer(session, await runTaskCommand(session.store, { taskId, command }, session));
}

export interface ReleaseRequest {
  readonly id: string;
  readonly status?: string;
  readonly force?: boolean;
}

export async function release(session: Session, request: ReleaseRequest): Promise<Answer> {
  const { store } = session;
  const taskId = parseId(request.id, { kinds: ["task"], digits: store.digits });
  const status = request.status === undefined ? undefined : parseTaskStatus(request.status);
  const command = {
    kind: "release" as const,
    by: session.caller,
    ...(status === undefined ? {} : { status }),
    force: request.force === true,
  };
  const change = await runTaskCommand(store, { taskId, command }, session);
  const hasTip = (await store.log(taskId)).some((line) => line.level === "tip");
  const advice = `no tip was logged for ${taskId}; if you learned something, others want it: rudder task log ${taskId} … --tip`;
  return {
    json: { task_id: taskId, event: change.event, status: change.status },
    text: `${taskId}  released, ${change.status}`,
    notes: hasTip ? [] : [advice],
  };
}

export async function listLeases(session: Session): Promise<Answer> {
  const now = session.clock();
  const { leases, broken } = await session.store.leases();
  const rows = leases.map((lease) => [lease.taskId, lease.operation, toIso(lease.startedAtMs), leaseWords(lease, now)]);
  return {
    json: leases.map((lease) => leaseToJson(lease, now)),
    text: toTable(["TASK", "OPERATION", "SINCE", "HOLDER"], rows, session) || "nobody holds anything",
    notes: brokenNotes(broken),
  };
}

function leaseAnswer(session: Session, change: TaskChange): Answer {
  const now = session.clock();
  const lease = change.lease === undefined ? {} : leaseToJson(change.lease, now);
  const words = change.lease === undefined ? "" : leaseWords(change.lease, now);
  const before = change.event === "taken-over" ? { taken_over_from: change.from?.holder.name ?? null } : {};
  return {
    json: { ...lease, task_id: change.taskId, event: change.event, status: change.status, ...before },
    text: `${change.taskId}  ${change.event.replace("-", " ")}: ${words}`,
  };
}
