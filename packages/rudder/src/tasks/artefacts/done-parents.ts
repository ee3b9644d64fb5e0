// An epic or a PRD is Done only while everything below it is: closing one above open work is refused, and open work in
// a Done one opens it again. Only `--force` and edits by hand get around that; `deps validate` names them.
import { quickEditFront } from "../../artefact/quick-edit.ts";
import { isClosed } from "../../graph/graph.ts";
import type { HavenReader, HavenStep, StoredArtefact } from "../../haven/store.ts";
import { fewOf } from "../../ids.ts";
import { RudderError } from "../../rudder-error.ts";

/** A Done epic or PRD, and its text when it is In Progress again. */
interface ReopenedParent {
  readonly stored: StoredArtefact;
  readonly text: string;
}

/** Those of these parents that are Done, opened again; nothing is written yet. */
export async function reopenedOf(
  view: Pick<HavenReader, "find" | "artefact">,
  parents: readonly (string | undefined)[],
): Promise<readonly ReopenedParent[]> {
  const ids = parents.filter((id) => id !== undefined);
  const found = ids.length === 0 ? undefined : await view.find(ids);
  const reopened: ReopenedParent[] = [];
  for (const id of ids) {
    if (found?.get(id)?.status !== "Done") continue;
    const stored = await view.artefact(id);
    const edit = { kind: "set", field: "status", value: "In Progress" } as const;
    reopened.push({ stored, text: quickEditFront(stored.text, [edit], stored.path) });
  }
  return reopened;
}

/** Opens Done parents again; the ids of those that were. */
export async function reopenIn(step: HavenStep, parents: readonly (string | undefined)[]): Promise<readonly string[]> {
  const reopened = await reopenedOf(step, parents);
  for (const { stored, text } of reopened) await step.writeArtefact(stored, text);
  return reopened.map(({ stored }) => stored.id);
}

/**
 * Refuses to close an epic that has open tasks, or a PRD that has open epics, unless it is forced. Gives back whether
 * force was needed.
 */
export async function requireDoneBelow(
  step: HavenStep,
  { kind, id, force }: { readonly kind: "prd" | "epic"; readonly id: string; readonly force: boolean },
): Promise<boolean> {
  const below = kind === "epic" ? await step.tasksOf(id) : await epicsOf(step, id);
  const open = below.filter((one) => !isClosed(one));
  if (open.length === 0 || force) return open.length > 0;
  const named = fewOf(open.map((one) => `${one.id} (${one.status ?? "unknown"})`));
  const what = `open ${kind === "epic" ? "task" : "epic"}${open.length === 1 ? "" : "s"}`;
  throw new RudderError("open_tasks", `${id} has ${open.length} ${what}: ${named}`, {
    hint: `finish ${kind === "epic" ? "or cancel " : ""}them first; a person may set it to Done all the same with --force`,
    details: { open: open.map((one) => one.id) },
  });
}

async function epicsOf(step: HavenStep, prdId: string) {
  const { artefacts } = await step.snapshot();
  return artefacts.filter((one) => one.kind === "epic" && one.prd === prdId);
}
