// Fields changed in place. A task's go through the rules, because a caller may be working on it; what becomes of an epic
// and a PRD is in done-parents.ts.
import type { Artefact } from "../../artefact/artefact.ts";
import { editFront, type FrontEdit } from "../../artefact/edit-front-matter.ts";
import type { HavenReader, TaskAtHand } from "../../haven/store.ts";
import { parseId } from "../../ids.ts";
import { toIso } from "../../iso-time.ts";
import type { TaskCommand } from "../../lease/decide.ts";
import { RudderError } from "../../rudder-error.ts";
import { parseStatus, parseTaskStatus, type TaskStatus } from "../../statuses.ts";
import { commandTask, type TaskChange } from "../change-task.ts";
import { waitingOf } from "../leases/leases.ts";
import { bounded } from "../log.ts";
import { changeOptions, requireForce, type TaskSession } from "../session.ts";
import { reopenIn, requireDoneBelow } from "./done-parents.ts";

/** Which fields to change, and to what. */
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

/** An artefact after its fields were changed. */
export interface Updated {
  readonly artefact: Artefact;
  /** Parents that were Done, and are In Progress again. */
  readonly reopened: readonly string[];
}

/** Changes the fields; what comes back is the artefact after that. */
export async function update(session: TaskSession, request: UpdateRequest): Promise<Updated> {
  const { kind, options } = request;
  const { store } = session;
  const id = parseId(request.id, { kinds: [kind], digits: store.digits });
  const edits = editsOf(options);
  const status = options.status === undefined ? undefined : parseStatus(kind, options.status);
  const force = requireForce(session, options.force);
  if (edits.length === 0 && status === undefined) {
    throw new RudderError("invalid_argument", "nothing to change", {
      hint: `rudder ${kind} update --help shows the fields`,
    });
  }
  if (kind === "task") {
    const by = session.caller;
    const { reopened = [] } = await commandTask(session, {
      taskId: id,
      command:
        status === undefined
          ? { kind: "write", what: "edit", by, force }
          : toStatus(session, { status: parseTaskStatus(status), force }),
      event: "updated",
      extra: (text, { stored }) => ({
        value: undefined,
        text: editFront(text, withoutDoubles(edits, stored.artefact.tags), stored.path),
      }),
    });
    return { artefact: (await store.artefact(id)).artefact, reopened };
  }
  if (status !== undefined) edits.push({ kind: "set", field: "status", value: status });
  const reopened = await store.change(async (step) => {
    const stored = await step.artefact(id);
    const isForced = status === "Done" && (await requireDoneBelow(step, { kind, id, force }));
    const isReopened = status !== undefined && status !== "Done" && stored.artefact.status === "Done";
    const text = editFront(stored.text, withoutDoubles(edits, stored.artefact.tags), stored.path);
    if (text !== stored.text) await step.writeArtefact(stored, text);
    step.audit({ event: "updated", taskId: id, by: session.caller.name, ...(isForced ? { forced: true } : {}) });
    return isReopened && kind === "epic" ? reopenIn(step, [stored.artefact.prd]) : [];
  }, changeOptions(session));
  return { artefact: (await store.artefact(id)).artefact, reopened };
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

/** A task's new status, and why. */
export interface StatusRequest {
  readonly id: string;
  readonly status: TaskStatus;
  readonly force?: boolean | undefined;
  readonly reason: string;
}

/** Sets a status through the rules; a reason goes into the log in the same step. */
export async function setStatus(session: TaskSession, request: StatusRequest): Promise<TaskChange> {
  const id = parseId(request.id, { kinds: ["task"], digits: session.store.digits });
  const by = session.caller;
  const force = requireForce(session, request.force);
  return commandTask(session, {
    taskId: id,
    command: toStatus(session, { status: request.status, force }),
    extra(_text, { nowMs }) {
      if (request.reason.trim() === "") return { value: undefined };
      const who = by.kind === "name" ? { by: by.name } : {};
      const message = `Blocked: ${bounded(request.reason, "reason")}`;
      return { value: undefined, lines: [{ at: toIso(nowMs), level: "warn", message, ...who }] };
    },
  });
}

/** Who starts a task that waits for others is refused like one who claims it. */
function toStatus(session: TaskSession, to: { readonly status: TaskStatus; readonly force: boolean }) {
  return async ({ stored }: TaskAtHand, view: HavenReader): Promise<TaskCommand> => {
    const waiting = to.status === "In Progress" ? await waitingOf(view, stored.artefact) : [];
    return { kind: "set-status", by: session.caller, ...to, waitsFor: waiting.map((one) => one.id) };
  };
}
