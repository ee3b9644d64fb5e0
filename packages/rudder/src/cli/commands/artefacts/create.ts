// rudder prd|epic|task create: the next id, a file with every field, in the folder of its PRD (RU-04, RU-08).
import { dirname } from "node:path";
import { type NewArtefact, toArtefactText, toSlug } from "../../../artefact/new-artefact.ts";
import { FOLDER_OF } from "../../../haven/layout.ts";
import type { HavenStep } from "../../../haven/store.ts";
import { parseId } from "../../../ids.ts";
import { RudderError } from "../../../rudder-error.ts";
import type { Answer } from "../../answer.ts";
import type { Session } from "../../session.ts";

export interface CreateRequest {
  readonly kind: NewArtefact["kind"];
  readonly title: string;
  readonly parent?: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export async function create(session: Session, request: CreateRequest): Promise<Answer> {
  const { digits } = session.store;
  const parentId =
    request.parent === undefined
      ? undefined
      : parseId(request.parent, { kinds: [request.kind === "epic" ? "prd" : "epic"], digits });
  const kinds = [request.kind === "epic" ? "epic" : "task"] as const;
  const blockedBy = [...new Set(toWords(request.options.blockedBy).map((id) => parseId(id, { kinds, digits })))];
  const made = await session.store.change(
    async (step) => {
      for (const id of blockedBy) await step.artefact(id); // refuses one that does not exist
      const { base, prd } = await baseOf(step, { kind: request.kind, parentId });
      const id = await step.nextId(request.kind);
      const folder = request.kind === "prd" ? "" : `${base}/${FOLDER_OF[request.kind]}`;
      const name = `${id}-${toSlug(request.title)}`;
      const path = request.kind === "prd" ? `${base}/${name}/prd.md` : `${folder}/${name}.md`;
      const text = toArtefactText({ ...toNew(request), id, blockedBy, ...parentsOf(request.kind, { prd, parentId }) });
      await step.createArtefact({ id, path, text });
      return { id, path };
    },
    { signal: session.signal },
  );
  return {
    json: { ...made, kind: request.kind, title: request.title, parent: parentId ?? null, blocked_by: blockedBy },
    text: `${made.id}  ${made.path}`,
  };
}

function parentsOf(kind: string, ids: { readonly prd: string | undefined; readonly parentId: string | undefined }) {
  return {
    ...(ids.prd === undefined ? {} : { prd: ids.prd }),
    ...(kind === "task" && ids.parentId !== undefined ? { epic: ids.parentId } : {}),
  };
}

async function baseOf(
  step: HavenStep,
  of: { readonly kind: string; readonly parentId: string | undefined },
): Promise<{ readonly base: string; readonly prd: string | undefined }> {
  if (of.parentId === undefined) return { base: "artefacts/prds", prd: undefined };
  const parent = await step.artefact(of.parentId);
  const prd = parent.artefact.prd;
  if (prd === undefined) {
    throw new RudderError("not_found", `${of.parentId} belongs to no PRD`, { hint: `repair ${parent.path}` });
  }
  return { base: of.kind === "epic" ? dirname(parent.path) : dirname(dirname(parent.path)), prd };
}

function toNew(request: CreateRequest): Omit<NewArtefact, "id"> {
  const { options } = request;
  const word = (name: string) => (typeof options[name] === "string" ? { [name]: options[name] } : {});
  return {
    kind: request.kind,
    title: request.title,
    ...word("effort"),
    ...word("priority"),
    ...word("milestone"),
    ...word("description"),
    tags: toWords(options.tag),
    targets: Object.fromEntries(
      Object.entries(Object(options.target)).map(([name, version]) => [name, String(version)]),
    ),
  };
}

function toWords(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
