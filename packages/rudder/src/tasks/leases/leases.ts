// Leases by name: claim, renew, release, list. The rules are in lease/decide.ts.
import type { Artefact } from "../../artefact/artefact.ts";
import type { Context } from "../../context/compose-context.ts";
import { findAnywhere } from "../../graph/archived-blockers.ts";
import { openBlockersIn, type Waiting } from "../../graph/open-blockers.ts";
import type { HavenReader, LeaseView } from "../../haven/store.ts";
import { parseId } from "../../ids.ts";
import { parseTaskStatus } from "../../statuses.ts";
import { commandTask, type TaskChange } from "../change-task.ts";
import { requireForce, type TaskSession } from "../session.ts";
import { noteClaim } from "./renew-own.ts";

/** Which task to take, and how much of its context comes back. */
export interface ClaimRequest {
  readonly id: string;
  readonly operation: string;
  readonly budget?: number | undefined;
  /** Only the lease, no context. */
  readonly quiet?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/** A lease that was taken or renewed; with its context unless the caller wanted none. */
export interface Claimed {
  readonly change: TaskChange;
  readonly waitsFor: readonly Waiting[];
  readonly context?: Context;
}

/** Takes a task, or renews the caller's lease on it. */
export async function claim(session: TaskSession, request: ClaimRequest): Promise<Claimed> {
  const taskId = parseId(request.id, { kinds: ["task"], digits: session.store.digits });
  const force = requireForce(session, request.force);
  const change = await commandTask<readonly Waiting[]>(session, {
    taskId,
    command: async ({ stored }, view) => ({
      kind: "claim",
      by: session.caller,
      ttlMs: session.ttlMs,
      operation: request.operation,
      pid: process.pid,
      waitsFor: (await waitingOf(view, stored.artefact)).map((one) => one.id),
      force,
    }),
    extra: async (_text, { stored }, view) => ({ value: await waitingOf(view, stored.artefact) }),
  });
  noteClaim(session.caller);
  const waitsFor = change.extra ?? [];
  if (request.quiet === true) return { change, waitsFor };
  const { composeContext } = await import("../../context/compose-context.ts");
  const budget = request.budget === undefined ? {} : { budget: request.budget };
  return { change, waitsFor, context: await composeContext(session, { taskId, ...budget }) };
}

/** What keeps a task waiting: its own blockers and its epic's that are not done. */
export async function waitingOf(view: HavenReader, artefact: Artefact): Promise<readonly Waiting[]> {
  const epicId = artefact.kind === "task" ? artefact.epic : undefined;
  const epic = epicId === undefined ? undefined : (await view.find([epicId])).get(epicId);
  const ids = [...new Set([...artefact.blockedBy, ...(epic?.blockedBy ?? [])])];
  return ids.length === 0 ? [] : openBlockersIn(await findAnywhere(view, ids), ids);
}

/** Keeps a task for another term. */
export async function renew(
  session: TaskSession,
  request: { readonly id: string; readonly token?: number | undefined },
): Promise<TaskChange> {
  const taskId = parseId(request.id, { kinds: ["task"], digits: session.store.digits });
  const { caller: by, ttlMs } = session;
  return commandTask(session, { taskId, command: { kind: "renew", by, ttlMs, token: request.token } });
}

/** Which task to give back, and as what. */
export interface ReleaseRequest {
  readonly id: string;
  readonly status?: string | undefined;
  readonly force?: boolean | undefined;
  readonly token?: number | undefined;
}

/** A task that was given back. */
export interface Released {
  readonly change: TaskChange;
  /** A tip was logged for it, by anyone. */
  readonly hasTip: boolean;
}

/** Gives a task back: Done, unless the request has another status. */
export async function release(session: TaskSession, request: ReleaseRequest): Promise<Released> {
  const { store } = session;
  const taskId = parseId(request.id, { kinds: ["task"], digits: store.digits });
  const status = request.status === undefined ? {} : { status: parseTaskStatus(request.status) };
  const force = requireForce(session, request.force);
  const command = { kind: "release" as const, by: session.caller, ...status, force, token: request.token };
  const change = await commandTask(session, { taskId, command });
  return { change, hasTip: (await store.log(taskId)).some((line) => line.level === "tip") };
}

/** Every lease, and how long it lasts. */
export function listLeases(session: TaskSession): Promise<LeaseView> {
  return session.store.leases();
}
