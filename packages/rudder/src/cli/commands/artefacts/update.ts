// rudder prd|epic|task update: fields changed in place. A task's status goes through the rules, because someone may be
// working on it.
import { applyTaskCommand } from "../../../actions/task-command.ts";
import { editFront, type FrontEdit } from "../../../artefact/edit-front-matter.ts";
import { parseId } from "../../../ids.ts";
import { RudderError } from "../../../rudder-error.ts";
import { parseStatus, parseTaskStatus } from "../../../statuses.ts";
import type { Answer } from "../../answer.ts";
import type { Session } from "../../session.ts";
import { toJson } from "../../views.ts";

export interface UpdateRequest {
  readonly kind: "prd" | "epic" | "task";
  readonly id: string;
  readonly options: {
    readonly title?: string;
    readonly status?: string;
    readonly tag?: readonly string[];
    readonly untag?: readonly string[];
    readonly milestone?: string;
    readonly target?: Readonly<Record<string, string>>;
    readonly assignee?: string;
    readonly effort?: string;
    readonly priority?: string;
    readonly force?: boolean;
  };
}

export async function update(session: Session, request: UpdateRequest): Promise<Answer> {
  const { kind, options } = request;
  const id = parseId(request.id, { kinds: [kind], digits: session.store.digits });
  const edits = editsOf(options);
  const status = options.status === undefined ? undefined : parseStatus(kind, options.status);
  if (edits.length === 0 && status === undefined) {
    throw new RudderError("invalid_argument", "nothing to change", {
      hint: `rudder ${kind} update --help shows the fields`,
    });
  }
  if (status !== undefined && kind !== "task") edits.push({ kind: "set", field: "status", value: status });
  const after = await session.store.change(
    async (step) => {
      if (status !== undefined && kind === "task") {
        const force = options.force === true;
        const command = { kind: "set-status" as const, by: session.caller, status: parseTaskStatus(status), force };
        await applyTaskCommand(step, { taskId: id, command }, session);
      }
      const stored = await step.artefact(id);
      const text = editFront(stored.text, withoutDoubles(edits, stored.artefact.tags), stored.path);
      if (text !== stored.text) await step.writeArtefact(stored, text);
      return step.artefact(id);
    },
    { signal: session.signal },
  );
  const { artefact } = after;
  return { json: toJson(artefact), text: `${id}  ${artefact.status ?? "?"}  ${artefact.title}` };
}

function editsOf(options: UpdateRequest["options"]): FrontEdit[] {
  const edits: FrontEdit[] = [];
  for (const field of ["title", "milestone", "assignee", "effort", "priority"] as const) {
    const value = options[field];
    if (value !== undefined) edits.push({ kind: "set", field, value });
  }
  for (const item of options.tag ?? []) edits.push({ kind: "add", field: "tags", item });
  for (const tag of options.untag ?? []) edits.push({ kind: "remove", field: "tags", matches: (item) => item === tag });
  for (const [key, value] of Object.entries(options.target ?? {})) {
    edits.push({ kind: "put", field: "target_versions", key, value });
  }
  return edits;
}

function withoutDoubles(edits: readonly FrontEdit[], tags: readonly string[]): FrontEdit[] {
  return edits.filter((edit) => edit.kind !== "add" || !tags.includes(edit.item));
}
