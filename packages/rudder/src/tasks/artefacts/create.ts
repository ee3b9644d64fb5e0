// A new PRD, epic or task: the next id, a file with every field, in the folder of its PRD (RU-04, RU-08).
import { dirname } from "node:path";
import { type NewArtefact, toArtefactText, toSlug } from "../../artefact/new-artefact.ts";
import { walkThroughEpics } from "../../graph/epic-cycles.ts";
import { FOLDER_OF } from "../../haven/layout.ts";
import type { HavenStep } from "../../haven/store.ts";
import { parseId } from "../../ids.ts";
import { RudderError } from "../../rudder-error.ts";
import { changeOptions, type TaskSession } from "../session.ts";
import { reopenIn } from "./done-parents.ts";

/** What to make. */
export interface CreateRequest extends Omit<NewArtefact, "id" | "blockedBy" | "prd" | "epic"> {
  readonly parent?: string | undefined;
  readonly blockedBy?: readonly string[] | undefined;
}

/** What was made. */
export interface Created {
  readonly id: string;
  readonly path: string;
  readonly kind: NewArtefact["kind"];
  readonly title: string;
  readonly parent: string | undefined;
  readonly blockedBy: readonly string[];
  /** Parents that were Done, and are In Progress again. */
  readonly reopened: readonly string[];
}

/** Makes an artefact in a transaction of its own. */
export function create(session: TaskSession, request: CreateRequest): Promise<Created> {
  return session.store.change(async (step) => {
    const made = await createIn(step, request);
    step.audit({ event: "created", taskId: made.id, by: session.caller.name });
    return made;
  }, changeOptions(session));
}

/** Makes an artefact in a transaction that makes more; it sees those that were made before it. */
async function createIn(step: HavenStep, request: CreateRequest): Promise<Created> {
  const { digits } = step;
  const { kind, parent, blockedBy: given, ...fields } = request;
  const parentKind = kind === "epic" ? ("prd" as const) : ("epic" as const);
  const parentId = parent === undefined ? undefined : parseId(parent, { kinds: [parentKind], digits });
  const kinds = [kind === "epic" ? ("epic" as const) : ("task" as const)];
  const blockedBy = [...new Set((given ?? []).map((id) => parseId(id, { kinds, digits })))];
  for (const id of blockedBy) await step.artefact(id); // refuses one that does not exist
  if (kind === "task" && parentId !== undefined) await requireNoCycle(step, { parentId, blockedBy });
  const { base, prd } = await baseOf(step, { kind, parentId });
  const id = await step.nextId(kind);
  const name = `${id}-${toSlug(request.title)}`;
  const path = kind === "prd" ? `${base}/${name}/prd.md` : `${base}/${FOLDER_OF[kind]}/${name}.md`;
  const parents = {
    ...(prd === undefined ? {} : { prd }),
    ...(kind === "task" && parentId !== undefined ? { epic: parentId } : {}),
  };
  await step.createArtefact({ id, path, text: toArtefactText({ ...fields, kind, id, blockedBy, ...parents }) });
  const reopened = await reopenIn(step, parentId === prd ? [prd] : [parentId, prd]);
  return { id, path, kind, title: request.title, parent: parentId, blockedBy, reopened };
}

/** A task that waits for what waits for its own epic could never begin. */
async function requireNoCycle(
  step: HavenStep,
  of: { readonly parentId: string; readonly blockedBy: readonly string[] },
): Promise<void> {
  if (of.blockedBy.length === 0) return;
  const { artefacts } = await step.snapshot();
  for (const from of of.blockedBy) {
    const walk = walkThroughEpics(artefacts, { from, to: (one) => one.id === of.parentId });
    if (walk === undefined) continue;
    throw new RudderError("cycle", `a task of ${of.parentId} cannot wait for ${from}: ${walk.join(" → ")}`, {
      hint: "leave it out, or remove one of these first: rudder deps remove ID --blocked-by ID",
      details: { cycle: walk },
    });
  }
}

async function baseOf(
  step: HavenStep,
  of: { readonly kind: string; readonly parentId: string | undefined },
): Promise<{ readonly base: string; readonly prd: string | undefined }> {
  if (of.parentId === undefined) return { base: "artefacts/prds", prd: undefined };
  const parent = await step.artefact(of.parentId);
  const { prd } = parent.artefact;
  if (prd === undefined) {
    throw new RudderError("not_found", `${of.parentId} belongs to no PRD`, { hint: `repair ${parent.path}` });
  }
  return { base: of.kind === "epic" ? dirname(parent.path) : dirname(dirname(parent.path)), prd };
}
