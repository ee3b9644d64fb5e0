// One line of blocked_by. A cycle is refused, and named, before anything is written.
import type { Artefact } from "../../artefact/artefact.ts";
import { editFront, type FrontEdit } from "../../artefact/edit-front-matter.ts";
import { walkThroughEpics } from "../../graph/epic-cycles.ts";
import { buildGraph, walkBetween } from "../../graph/graph.ts";
import { type Finding, validate } from "../../graph/validate.ts";
import type { HavenReader, StoredArtefact } from "../../haven/store.ts";
import { type Digits, kindOf, normaliseId, parseId } from "../../ids.ts";
import { decide } from "../../lease/decide.ts";
import { RudderError } from "../../rudder-error.ts";
import { commandTask } from "../change-task.ts";
import { changeOptions, requireForce, type TaskSession } from "../session.ts";

/** Who waits, or waits no longer, for whom. */
export interface EditDepsRequest {
  readonly name: "add" | "remove";
  readonly id: string;
  readonly ids: readonly string[];
  readonly force?: boolean | undefined;
}

/** Changes what one waits for; what it waits for then comes back. */
export async function editDeps(
  session: TaskSession,
  request: EditDepsRequest,
): Promise<{ readonly id: string; readonly blockedBy: readonly string[] }> {
  const { store } = session;
  const { digits } = store;
  const id = parseId(request.id, { kinds: ["task", "epic"], digits });
  const kind = kindOf(id) === "epic" ? ("epic" as const) : ("task" as const);
  const ids = [...new Set(request.ids.map((one) => parseId(one, { kinds: [kind], digits })))];
  const force = requireForce(session, request.force);
  const by = session.caller;
  const textOf = async (stored: StoredArtefact, view: HavenReader): Promise<string> =>
    editFront(stored.text, await editsOf(view, { stored, name: request.name, ids, digits }), stored.path);
  if (kind === "task") {
    await commandTask(session, {
      taskId: id,
      command: { kind: "write", what: "edit", by, force },
      event: "edited",
      extra: async (_text, { stored }, view) => ({ value: undefined, text: await textOf(stored, view) }),
    });
  } else {
    await store.change(async (step) => {
      const stored = await step.artefact(id);
      const text = await textOf(stored, step);
      if (text !== stored.text) await step.writeArtefact(stored, text);
      step.audit({ event: "edited", taskId: id, by: by.name });
      return null;
    }, changeOptions(session));
  }
  return { id, blockedBy: (await store.artefact(id)).artefact.blockedBy };
}

async function editsOf(
  view: HavenReader,
  edit: {
    readonly stored: StoredArtefact;
    readonly name: "add" | "remove";
    readonly ids: readonly string[];
    readonly digits: Digits;
  },
): Promise<FrontEdit[]> {
  const { stored, ids, digits } = edit;
  const before = stored.artefact.blockedBy;
  const edits: FrontEdit[] = [];
  if (edit.name === "add") {
    const { artefacts } = await view.snapshot();
    const graph = buildGraph(artefacts);
    for (const blocker of ids) {
      await view.artefact(blocker);
      const walk = walkBetween(graph, blocker, stored.id) ?? walkBack(artefacts, { stored, blocker });
      if (walk !== undefined) throw cycleError(stored.id, walk);
      if (!before.includes(blocker)) edits.push({ kind: "add", field: "blocked_by", item: blocker });
    }
    return edits;
  }
  for (const blocker of ids) {
    if (!before.includes(blocker)) throw notWaiting(stored.id, blocker, before);
    edits.push({ kind: "remove", field: "blocked_by", matches: (item) => normaliseId(item, digits) === blocker });
  }
  return edits;
}

/** By way of epics: from the blocker back to the one that is to wait, or to a task of it, which would wait as well. */
function walkBack(
  artefacts: readonly Artefact[],
  { stored, blocker }: { readonly stored: StoredArtefact; readonly blocker: string },
): string[] | undefined {
  const { id } = stored;
  const to = (one: Artefact): boolean => one.id === id || (one.kind === "task" && one.epic === id);
  const walk = walkThroughEpics(artefacts, { from: blocker, to });
  return walk === undefined || walk.at(-1) === id ? walk : [...walk, id];
}

function cycleError(id: string, walk: readonly string[]): RudderError {
  const cycle = [id, ...walk].join(" → ");
  return new RudderError("cycle", `that would be a cycle: ${cycle}`, {
    hint: "remove one of these first: rudder deps remove ID --blocked-by ID",
    details: { cycle: [id, ...walk] },
  });
}

function notWaiting(id: string, blocker: string, before: readonly string[]): RudderError {
  return new RudderError("not_found", `${id} does not wait for ${blocker}`, {
    hint: before.length === 0 ? `${id} waits for nothing` : `it waits for: ${before.join(", ")}`,
  });
}

/** What is wrong, what was repaired, and what could not be repaired because another caller holds the task. */
export interface Validated {
  readonly findings: readonly Finding[];
  readonly fixed: readonly Finding[];
  readonly held: readonly { readonly id: string; readonly holder: string }[];
}

/** Everything that is wrong with ids, parents, statuses and dependencies; `fix` removes what cannot mean anything. */
export async function validateHaven(
  session: TaskSession,
  options: { readonly fix?: boolean | undefined },
): Promise<Validated> {
  const { store } = session;
  const repaired = options.fix === true ? await fixAll(session) : { fixed: [], held: [] };
  return { findings: validate(await store.snapshot(), new Set(await store.archivedIds())), ...repaired };
}

function fixAll(session: TaskSession): Promise<Omit<Validated, "findings">> {
  const { store, caller: by } = session;
  return store.change(async (step) => {
    const fixed: Finding[] = [];
    const held: { id: string; holder: string }[] = [];
    for (const finding of validate(await step.snapshot(), new Set(await step.archivedIds()))) {
      const { id, removable: blocker } = finding;
      if (blocker === undefined) continue;
      if (kindOf(id) === "task") {
        const { state, nowMs } = await step.task(id);
        const decision = decide(state, { kind: "write", what: "edit", by }, nowMs);
        if (decision.kind === "refused") {
          if (held.at(-1)?.id !== id) held.push({ id, holder: state.lease?.holder.name ?? "" });
          continue;
        }
      }
      const stored = await step.artefact(id);
      const matches = (item: string): boolean => normaliseId(item, store.digits) === blocker;
      await step.writeArtefact(
        stored,
        editFront(stored.text, [{ kind: "remove", field: "blocked_by", matches }], stored.path),
      );
      fixed.push(finding);
    }
    step.audit({ event: "repaired", taskId: "", by: by.name });
    return { fixed, held };
  }, changeOptions(session));
}
