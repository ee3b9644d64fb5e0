// The text of an artefact, by section and by box. A task's text is changed through the rules.
import { type Box, boxesOf, findBox, setBox } from "../../artefact/boxes.ts";
import { editBody, splitArtefact } from "../../artefact/front-matter.ts";
import { countSections, editSection, requireSection, type SectionEdit } from "../../artefact/sections.ts";
import type { StoredArtefact } from "../../haven/store.ts";
import { KINDS, kindOf, parseId } from "../../ids.ts";
import { RudderError } from "../../rudder-error.ts";
import { commandTask } from "../change-task.ts";
import { changeOptions, requireForce, type TaskSession } from "../session.ts";
import { readAnywhere } from "./read-anywhere.ts";

const MAX_CHARS = 262_144;

/** A file, or one section of it. */
export interface ShownText {
  readonly id: string;
  readonly path: string;
  readonly text: string;
  /** The section that was asked for, as it is called. */
  readonly section?: string;
  readonly boxes: readonly Box[];
}

/** The text of an artefact, or of one of its sections. */
export async function showText(
  session: TaskSession,
  request: { readonly id: string; readonly section?: string | undefined },
): Promise<ShownText> {
  const id = parseId(request.id, { kinds: KINDS, digits: session.store.digits });
  const stored = await readAnywhere(session.store, id);
  const body = stored.text.slice(splitArtefact(stored.text).bodyStart);
  if (request.section === undefined) return { id, path: stored.path, text: stored.text, boxes: boxesOf(body) };
  const section = requireSection(body, request.section, id);
  const text = body.slice(section.headingStart, section.outerEnd);
  return { id, path: stored.path, section: section.title, text, boxes: [] };
}

/** One edit of one section. */
export interface EditRequest {
  readonly id: string;
  readonly section: string;
  readonly append?: string;
  readonly prepend?: string;
  readonly replace?: string;
  readonly force?: boolean;
}

/** What became of an edit. */
interface EditedText {
  readonly id: string;
  readonly path: string;
  readonly isChanged: boolean;
  /** How many sections have the title that was named: the first of them was edited. */
  readonly sameTitle: number;
}

/** Changes one section; a missing one is made. */
export async function editText(session: TaskSession, request: EditRequest): Promise<EditedText> {
  const id = parseId(request.id, { kinds: KINDS, digits: session.store.digits });
  const edit = { ...parseEdit(request), section: request.section };
  if (request.section.trim() === "") {
    throw new RudderError("invalid_argument", "the section has no name", { hint: "--section Notes" });
  }
  const changed = await changeText(session, { id, force: request.force }, (stored) => {
    let sameTitle = 0;
    const text = editBody(stored.text, stored, (body, how) => {
      sameTitle = countSections(body, edit.section);
      if (sameTitle > 1 && edit.kind === "replace") throw whichSection(id, edit.section, sameTitle);
      return editSection(body, edit, how);
    });
    return { text, value: { path: stored.path, isChanged: text !== stored.text, sameTitle } };
  });
  return { id, ...changed };
}

function whichSection(id: string, section: string, count: number): RudderError {
  return new RudderError("invalid_argument", `${id} has ${count} sections called ${JSON.stringify(section)}`, {
    hint: `give all but one of them another title, or edit the file; --append and --prepend take the first one`,
    details: { section, count },
  });
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

/** One box, checked or not. */
export interface BoxRequest {
  readonly id: string;
  readonly item: string;
  readonly isChecked: boolean;
  readonly force?: boolean | undefined;
}

/** Checks or unchecks a box; its whole text comes back. */
export async function checkBox(
  session: TaskSession,
  request: BoxRequest,
): Promise<{ readonly id: string; readonly item: string; readonly isChecked: boolean }> {
  const id = parseId(request.id, { kinds: KINDS, digits: session.store.digits });
  const { item } = await changeText(session, { id, force: request.force }, (stored) => {
    let item = request.item;
    const text = editBody(stored.text, stored, (body) => {
      const found = findBox(body, request.item, id);
      item = found.text;
      return setBox(body, found, request.isChecked);
    });
    return { text, value: { item } };
  });
  return { id, item, isChecked: request.isChecked };
}

/** A change of a text: through the rules where it is a task's. */
async function changeText<V>(
  session: TaskSession,
  asked: { readonly id: string; readonly force: boolean | undefined },
  edit: (stored: StoredArtefact) => { readonly text: string; readonly value: V },
): Promise<V> {
  const { id } = asked;
  const by = session.caller;
  const force = requireForce(session, asked.force);
  if (kindOf(id) !== "task") {
    return session.store.change(async (step) => {
      const stored = await step.artefact(id);
      const { text, value } = edit(stored);
      if (text !== stored.text) await step.writeArtefact(stored, text);
      step.audit({ event: "edited", taskId: id, by: by.name });
      return value;
    }, changeOptions(session));
  }
  const { extra } = await commandTask<{ readonly value: V }>(session, {
    taskId: id,
    command: { kind: "write", what: "edit", by, force },
    event: "edited",
    extra(_text, { stored }) {
      const { text, value } = edit(stored);
      return { text, value: { value } };
    },
  });
  if (extra === undefined) throw new Error(`the edit of ${id} has no outcome`);
  return extra.value;
}
