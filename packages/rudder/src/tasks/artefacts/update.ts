// Fields changed in place. A task's go through the rules, because a caller may be working on it; an epic is Done only
// when its tasks are.
import type { Artefact } from "../../artefact/artefact.ts";
import { editFront, type FrontEdit } from "../../artefact/edit-front-matter.ts";
import { isClosed } from "../../graph/graph.ts";
import type { HavenStep } from "../../haven/store.ts";
import { parseId } from "../../ids.ts";
import { toIso } from "../../iso-time.ts";
import { RudderError } from "../../rudder-error.ts";
import { parseStatus, parseTaskStatus, type TaskStatus } from "../../statuses.ts";
import { commandTask, type TaskChange } from "../change-task.ts";
import { changeOptions, requireForce, type TaskSession } from "../session.ts";

const SHOWN_TASKS = 10;

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

/** Changes the fields; what comes back is the artefact after that. */
export async function update(session: TaskSession, request: UpdateRequest): Promise<Artefact> {
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
    await commandTask(session, {
      taskId: id,
      command:
        status === undefined
          ? { kind: "write", what: "edit", by, force }
          : { kind: "set-status", by, status: parseTaskStatus(status), force },
      event: "updated",
      extra: (text, { stored }) => ({
        value: undefined,
        text: editFront(text, withoutDoubles(edits, stored.artefact.tags), stored.path),
      }),
    });
    return (await store.artefact(id)).artefact;
  }
  if (status !== undefined) edits.push({ kind: "set", field: "status", value: status });
  await store.change(async (step) => {
    const stored = await step.artefact(id);
    const open = kind === "epic" && status === "Done" ? await openTasksOf(step, id) : [];
    if (open.length > 0 && !force) throw tasksAreOpen(id, open);
    const text = editFront(stored.text, withoutDoubles(edits, stored.artefact.tags), stored.path);
    if (text !== stored.text) await step.writeArtefact(stored, text);
    step.audit({ event: "updated", taskId: id, by: session.caller.name, ...(open.length > 0 ? { forced: true } : {}) });
    return null;
  }, changeOptions(session));
  return (await store.artefact(id)).artefact;
}

async function openTasksOf(step: HavenStep, epicId: string): Promise<readonly Artefact[]> {
  return (await step.tasksOf(epicId)).filter((task) => !isClosed(task));
}

function tasksAreOpen(epicId: string, open: readonly Artefact[]): RudderError {
  const named = open.slice(0, SHOWN_TASKS).map((task) => `${task.id} (${task.status ?? "unknown"})`);
  const rest = open.length - named.length;
  return new RudderError(
    "open_tasks",
    `${epicId} has ${open.length} open ${open.length === 1 ? "task" : "tasks"}: ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`,
    {
      hint: "finish or cancel them first; a person may set it to Done all the same with --force",
      details: { open: open.map((task) => task.id) },
    },
  );
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
    command: { kind: "set-status", by, status: request.status, force },
    extra(_text, { nowMs }) {
      if (request.reason.trim() === "") return { value: undefined };
      const who = by.kind === "name" ? { by: by.name } : {};
      const message = `Blocked: ${request.reason}`;
      return { value: undefined, lines: [{ at: toIso(nowMs), level: "warn", message, ...who }] };
    },
  });
}
