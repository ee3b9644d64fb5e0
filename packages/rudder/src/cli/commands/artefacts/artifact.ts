// rudder artifact show|edit|check|uncheck: the text of an artefact, by section and by box.
import { boxesOf, findBox, setBox } from "../../../artefact/boxes.ts";
import { splitArtefact } from "../../../artefact/front-matter.ts";
import { editSection, requireSection, type SectionEdit } from "../../../artefact/sections.ts";
import { KINDS, parseId } from "../../../ids.ts";
import { RudderError } from "../../../rudder-error.ts";
import type { Answer } from "../../answer.ts";
import type { Session } from "../../session.ts";

const MAX_CHARS = 262_144;

export async function showArtifact(
  session: Session,
  request: { readonly id: string; readonly section?: string },
): Promise<Answer> {
  const id = parseId(request.id, { kinds: KINDS, digits: session.store.digits });
  const stored = await session.store.artefact(id);
  const body = stored.text.slice(splitArtefact(stored.text).bodyStart);
  if (request.section === undefined) {
    return {
      json: { id, path: stored.path, text: stored.text, boxes: boxesOf(body).map(boxToJson) },
      text: stored.text,
    };
  }
  const section = requireSection(body, request.section, id);
  const text = body.slice(section.headingStart, section.outerEnd);
  return { json: { id, path: stored.path, section: section.title, text }, text: text.trimEnd() };
}

export interface EditRequest {
  readonly id: string;
  readonly section: string;
  readonly append?: string;
  readonly prepend?: string;
  readonly replace?: string;
}

export async function editArtifact(session: Session, request: EditRequest): Promise<Answer> {
  const id = parseId(request.id, { kinds: KINDS, digits: session.store.digits });
  const edit = { ...parseEdit(request), section: request.section };
  if (request.section.trim() === "") {
    throw new RudderError("invalid_argument", "the section has no name", { hint: "--section Notes" });
  }
  const changed = await session.store.change(
    async (step) => {
      const stored = await step.artefact(id);
      const parts = splitArtefact(stored.text);
      const body = editSection(stored.text.slice(parts.bodyStart), edit, { eol: parts.eol });
      const text = stored.text.slice(0, parts.bodyStart) + body;
      if (text !== stored.text) await step.writeArtefact(stored, text);
      return { path: stored.path, isChanged: text !== stored.text };
    },
    { signal: session.signal },
  );
  return {
    json: { id, path: changed.path, section: request.section, changed: changed.isChanged },
    text: `${id}  ${changed.isChanged ? "edited" : "unchanged"}: ${request.section}`,
  };
}

function parseEdit(request: EditRequest): SectionEdit {
  const given = (["append", "prepend", "replace"] as const).filter((kind) => request[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    throw new RudderError("invalid_argument", "say what to do with the section, once", {
      hint: "one of --append, --prepend, --replace, each with a text",
    });
  }
  const text = request[kind] ?? "";
  if (text.length > MAX_CHARS) {
    throw new RudderError("invalid_argument", `${text.length} characters are too many`, {
      hint: `at most ${MAX_CHARS}`,
    });
  }
  return { kind, text };
}

export async function checkBox(
  session: Session,
  request: { readonly id: string; readonly item: string; readonly isChecked: boolean },
): Promise<Answer> {
  const id = parseId(request.id, { kinds: KINDS, digits: session.store.digits });
  const box = await session.store.change(
    async (step) => {
      const stored = await step.artefact(id);
      const { bodyStart } = splitArtefact(stored.text);
      const body = stored.text.slice(bodyStart);
      const found = findBox(body, request.item, id);
      const text = stored.text.slice(0, bodyStart) + setBox(body, found, request.isChecked);
      if (text !== stored.text) await step.writeArtefact(stored, text);
      return found;
    },
    { signal: session.signal },
  );
  return {
    json: { id, item: box.text, checked: request.isChecked },
    text: `${id}  [${request.isChecked ? "x" : " "}] ${box.text}`,
  };
}

function boxToJson(box: { readonly text: string; readonly isChecked: boolean }): Record<string, unknown> {
  return { text: box.text, checked: box.isChecked };
}
