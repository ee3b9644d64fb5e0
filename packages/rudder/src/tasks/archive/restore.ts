// Archived work back among the live: one task, or an epic or a PRD with everything below it. What it belongs to comes
// back with it.

import type { HavenStep, StoredArtefact } from "../../haven/store.ts";
import { parseId } from "../../ids.ts";
import { RudderError } from "../../rudder-error.ts";
import { changeOptions, type TaskSession } from "../session.ts";

/** What came back. */
export interface Restored {
  readonly id: string;
  readonly restored: readonly string[];
}

/** Brings it back; refuses what is not archived. */
export async function restore(session: TaskSession, text: string): Promise<Restored> {
  const { store, caller } = session;
  const id = parseId(text, { kinds: ["task", "epic", "prd"], digits: store.digits });
  return store.change(async (step) => {
    const stored = await step.archived(id);
    if (stored === undefined) {
      await step.artefact(id); // refuses what is nowhere
      throw new RudderError("not_found", `${id} is not archived`, {
        hint: `it is live: rudder status; archive it with rudder archive ${id}`,
      });
    }
    const restored = await together(step, stored);
    const live = await step.find(restored.map((one) => one.id));
    const [double] = live.values();
    if (double !== undefined) {
      throw new RudderError("duplicate_id", `${double.id} is live as well: ${double.path}`, {
        hint: "give one of them another id (its file name and its id field): neither may replace the other",
        details: { path: double.path },
      });
    }
    for (const one of restored) await step.moveArtefact(one, "live");
    step.audit({ event: "restored", taskId: id, by: caller.name });
    return { id, restored: restored.map((one) => one.id) };
  }, changeOptions(session));
}

/** The parents first, then it, then what is below it. */
async function together(step: HavenStep, stored: StoredArtefact): Promise<readonly StoredArtefact[]> {
  const { epic, prd } = stored.artefact;
  const found: StoredArtefact[] = [];
  for (const parent of [prd, epic]) {
    const above = parent === undefined || parent === stored.id ? undefined : await step.archived(parent);
    if (above !== undefined) found.push(above);
  }
  found.push(stored);
  if (stored.kind === "task") return found;
  for (const id of await step.archivedIds()) {
    const below = await step.archived(id);
    if (below === undefined || found.some((one) => one.id === id)) continue;
    if (below.artefact.epic === stored.id || below.artefact.prd === stored.id) found.push(below);
  }
  return found;
}
