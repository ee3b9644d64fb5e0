// Done and cancelled work out of the way: of an epic, of a PRD, one task, or everything that was closed so long
// ago. Shown first, moved when it is applied. An epic or a PRD goes when it is Done and nothing live is left below it.
import type { Artefact } from "../../artefact/artefact.ts";
import { parseFront, splitArtefact } from "../../artefact/front-matter.ts";
import { isClosed } from "../../graph/graph.ts";
import type { HavenReader, HavenStep } from "../../haven/store.ts";
import { kindOf, parseId } from "../../ids.ts";
import { isLive } from "../../lease/lease.ts";
import { RudderError } from "../../rudder-error.ts";
import { changeOptions, type TaskSession } from "../session.ts";

/** What to archive. */
interface ArchiveRequest {
  readonly id?: string | undefined;
  /** Only tasks that were closed at least so long ago. */
  readonly olderThanMs?: number | undefined;
  readonly apply: boolean;
}

/** What goes, and closed work that stays, with the reason. */
export interface Archived {
  readonly isApplied: boolean;
  readonly archived: readonly { readonly id: string; readonly title: string; readonly status: string }[];
  readonly kept: readonly { readonly id: string; readonly reason: string }[];
}

/** Shows what would be archived; archives it with `apply`, all of it in one transaction. */
export async function archive(session: TaskSession, request: ArchiveRequest): Promise<Archived> {
  const { store } = session;
  if (request.id === undefined && request.olderThanMs === undefined) {
    throw new RudderError("invalid_argument", "say what to archive", {
      hint: "rudder archive E001, rudder archive PRD-001, or rudder archive --older-than 30d",
    });
  }
  const id =
    request.id === undefined
      ? undefined
      : parseId(request.id, { kinds: ["task", "epic", "prd"], digits: store.digits });
  if (id !== undefined) await store.artefact(id); // refuses what is not there, and what is archived already
  const wanted = { id, olderThanMs: request.olderThanMs };
  if (!request.apply) return { isApplied: false, ...toLists(id, await choose(store, wanted)) };
  return store.change(async (step) => {
    const choice = await choose(step, wanted);
    const lists = toLists(id, choice);
    for (const one of choice.goes) await move(step, one);
    if (choice.goes.length > 0) step.audit({ event: "archived", taskId: id ?? "", by: session.caller.name });
    return { isApplied: true, ...lists };
  }, changeOptions(session));
}

interface Wanted {
  readonly id: string | undefined;
  readonly olderThanMs: number | undefined;
}

interface Choice {
  readonly goes: readonly Artefact[];
  readonly kept: readonly { readonly id: string; readonly reason: string }[];
}

function toLists(id: string | undefined, { goes, kept }: Choice): Omit<Archived, "isApplied"> {
  const own = kept.find((one) => one.id === id && kindOf(one.id) === "task");
  if (own !== undefined) {
    throw new RudderError("needed", `${own.id} cannot be archived: ${own.reason}`, {
      hint: "finish that first; rudder deps show and rudder assign list say more",
    });
  }
  return { archived: goes.map((one) => ({ id: one.id, title: one.title, status: one.status ?? "unknown" })), kept };
}

/** A lease that lives, an open task that waits for it: then it stays, and so does what is above it. */
async function choose(view: HavenReader, wanted: Wanted): Promise<Choice> {
  const { artefacts } = await view.snapshot();
  const { leases, nowMs } = await view.leases();
  const held = new Map(
    leases.filter((one) => isLive(one, nowMs) && !one.isHolderGone).map((one) => [one.taskId, one.holder.name]),
  );
  const openDependents = new Map<string, string[]>();
  for (const one of artefacts) {
    if (isClosed(one)) continue;
    for (const blocker of one.blockedBy) openDependents.set(blocker, [...(openDependents.get(blocker) ?? []), one.id]);
  }
  const archived = new Set(await view.archivedIds());
  const goes: Artefact[] = [];
  const kept: { id: string; reason: string }[] = [];
  const staying = new Set(artefacts.filter((one) => one.kind !== "prd").map((one) => one.id));
  const isWanted = (one: Artefact): boolean =>
    wanted.id === undefined || one.id === wanted.id || one.epic === wanted.id || one.prd === wanted.id;
  const consider = (one: Artefact, why: string | undefined): void => {
    // It would replace the other one.
    const reason = archived.has(one.id) ? `the archive has another ${one.id}` : why;
    if (reason !== undefined) kept.push({ id: one.id, reason });
    else {
      goes.push(one);
      staying.delete(one.id);
    }
  };
  for (const task of artefacts.filter((one) => one.kind === "task" && isWanted(one))) {
    if (!isClosed(task)) {
      if (task.id === wanted.id) kept.push({ id: task.id, reason: `it is ${task.status ?? "open"}, not done` });
      continue;
    }
    if (wanted.olderThanMs !== undefined && !(await isOlder(view, task, nowMs - wanted.olderThanMs))) continue;
    const holder = held.get(task.id);
    consider(task, holder === undefined ? neededWords(openDependents.get(task.id)) : `${holder} holds it`);
  }
  for (const kind of ["epic", "prd"] as const) {
    for (const one of artefacts.filter((other) => other.kind === kind && isWanted(other) && other.status === "Done")) {
      const below = artefacts.filter(
        (other) =>
          staying.has(other.id) &&
          other.kind !== "story" &&
          (kind === "epic" ? other.kind === "task" && other.epic === one.id : other.prd === one.id),
      );
      // Work that is closed and too young stays without a word: it was not asked for.
      const reason = below.length > 0 ? `${below.map(({ id }) => id).join(", ")} stay` : undefined;
      consider(one, reason ?? neededWords(openDependents.get(one.id)));
    }
  }
  // Stories lie in the folder of their PRD and go with it.
  const prds = new Set(goes.filter((one) => one.kind === "prd").map((one) => one.id));
  goes.push(...artefacts.filter((one) => one.kind === "story" && one.prd !== undefined && prds.has(one.prd)));
  return { goes, kept };
}

function neededWords(dependents: readonly string[] | undefined): string | undefined {
  if (dependents === undefined) return undefined;
  return `${dependents.join(", ")} ${dependents.length === 1 ? "waits" : "wait"} for it`;
}

/** When it was closed is a field of the task; a task without it is not old. */
async function isOlder(view: HavenReader, task: Artefact, beforeMs: number): Promise<boolean> {
  const parsed = parseFront(splitArtefact((await view.artefact(task.id)).text));
  if (!parsed.ok) return false;
  const at = Date.parse(String(parsed.fields[task.status === "Done" ? "done_at" : "cancelled_at"] ?? ""));
  return Number.isFinite(at) && at <= beforeMs;
}

/** Its lines go into its epic's log first: siblings still learn from it. */
async function move(step: HavenStep, { id, kind, epic }: Artefact): Promise<void> {
  if (kind === "task" && epic !== undefined) await step.syncLog(id, epic);
  await step.moveArtefact(await step.artefact(id), "archive");
}
