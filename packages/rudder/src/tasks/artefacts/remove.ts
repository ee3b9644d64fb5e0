// An artefact that should not be: a task that no other waits for, an epic or a PRD that is empty. Its id is never given
// again, and what was logged about a task stays in its epic's log.
import { editFront } from "../../artefact/edit-front-matter.ts";
import type { HavenStep, StoredArtefact } from "../../haven/store.ts";
import { fewOf, normaliseId, parseId } from "../../ids.ts";
import { toIso } from "../../iso-time.ts";
import { decide } from "../../lease/decide.ts";
import { isLive } from "../../lease/lease.ts";
import { RudderError } from "../../rudder-error.ts";
import { toRefusal } from "../refusals.ts";
import { changeOptions, requireForce, type TaskSession } from "../session.ts";

/** What to remove. */
export interface RemoveRequest {
  readonly kind: "prd" | "epic" | "task";
  readonly id: string;
  readonly force?: boolean | undefined;
}

/** What was removed, and what waits for it no longer. */
export interface Removed {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly freed: readonly string[];
}

/** Removes one; `force` takes it from a live holder and out of what others wait for. */
export async function remove(session: TaskSession, request: RemoveRequest): Promise<Removed> {
  const { store, caller: by } = session;
  const id = parseId(request.id, { kinds: [request.kind], digits: store.digits });
  const force = requireForce(session, request.force);
  return store.change(async (step) => {
    const stored = await step.artefact(id);
    if (request.kind !== "task") await requireEmpty(step, id);
    const held = request.kind === "task" ? await requireFree(step, { id, by, force }) : false;
    const dependents = await step.dependentsOf(id);
    if (dependents.length > 0 && !force) throw neededBy(id, dependents);
    for (const one of dependents) await forget(step, { id: one, blocker: id, by: by.name });
    const { epic, title } = stored.artefact;
    if (request.kind === "task") {
      const why = held ? ` (forced: ${held} held it)` : "";
      const line = { at: toIso(step.nowMs), level: "warn" as const, message: `Removed: ${title}${why}`, by: by.name };
      await step.appendLog(id, line);
      if (epic !== undefined) await step.syncLog(id, epic);
    }
    await step.removeArtefact(stored);
    const isForced = held !== false || dependents.length > 0;
    step.audit({ event: "removed", taskId: id, by: by.name, ...(isForced ? { forced: true } : {}) });
    return { id, title, path: stored.path, freed: dependents };
  }, changeOptions(session));
}

/** Refuses a task under a live lease; with `force`, whose it was. */
async function requireFree(
  step: HavenStep,
  asked: { readonly id: string; readonly by: TaskSession["caller"]; readonly force: boolean },
): Promise<string | false> {
  const { id, by, force } = asked;
  const { state, nowMs } = await step.task(id);
  const { lease } = state;
  if (lease === undefined || !isLive(lease, nowMs) || lease.isHolderGone) return false;
  if (force) return lease.holder.name;
  const decision = decide(state, { kind: "write", what: "edit", by }, nowMs);
  if (decision.kind === "refused") throw toRefusal(id, decision.refusal, nowMs);
  throw new RudderError("held", `${id} is held by you`, {
    hint: `give it back first: rudder assign release ${id} --status todo`,
    details: { holder: lease.holder.name },
  });
}

/** Archived work counts: it could not be brought back to nowhere. */
async function requireEmpty(step: HavenStep, id: string): Promise<void> {
  const isBelow = ({ artefact }: Pick<StoredArtefact, "artefact">): boolean =>
    artefact.id !== id && (artefact.epic === id || artefact.prd === id);
  const below = (await step.snapshot()).artefacts.filter((artefact) => isBelow({ artefact })).map((one) => one.id);
  for (const archivedId of await step.archivedIds()) {
    const stored = await step.archived(archivedId);
    if (stored !== undefined && isBelow(stored)) below.push(`${archivedId} (archived)`);
  }
  if (below.length === 0) return;
  throw new RudderError("not_empty", `${id} is not empty: ${fewOf(below)}`, {
    hint: "remove these first; or archive what is done: rudder archive --help",
    details: { below },
  });
}

function neededBy(id: string, dependents: readonly string[]): RudderError {
  const verb = dependents.length === 1 ? "waits" : "wait";
  return new RudderError("needed", `${fewOf(dependents)} ${verb} for ${id}`, {
    hint: `end the wait first: rudder deps remove ${dependents[0] ?? "ID"} --blocked-by ${id}; a person may end all of it with --force`,
    details: { dependents },
  });
}

/** The removed id goes out of what another one waits for. */
async function forget(
  step: HavenStep,
  edge: { readonly id: string; readonly blocker: string; readonly by: string },
): Promise<void> {
  const { id, blocker, by } = edge;
  const stored = await step.artefact(id);
  const matches = (item: string): boolean => normaliseId(item, step.digits) === blocker;
  const text = editFront(stored.text, [{ kind: "remove", field: "blocked_by", matches }], stored.path);
  await step.writeArtefact(stored, text);
  if (stored.kind !== "task") return;
  const message = `Forced by ${by}: no longer waits for ${blocker}, which was removed`;
  await step.appendLog(id, { at: toIso(step.nowMs), level: "warn", message, by });
}
