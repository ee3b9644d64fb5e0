// rudder deps add|remove: one line of blocked_by. A cycle is refused, and named, before anything is written.
import { editFront, type FrontEdit } from "../../../artefact/edit-front-matter.ts";
import { buildGraph, walkBetween } from "../../../graph/graph.ts";
import { kindOf, normaliseId, parseId } from "../../../ids.ts";
import { RudderError } from "../../../rudder-error.ts";
import type { Answer } from "../../answer.ts";
import type { Session } from "../../session.ts";

export interface EditDepsRequest {
  readonly name: "add" | "remove";
  readonly id: string;
  readonly ids: readonly string[];
}

export async function editDeps(session: Session, request: EditDepsRequest): Promise<Answer> {
  const { store } = session;
  const { digits } = store;
  const id = parseId(request.id, { kinds: ["task", "epic"], digits });
  const kind = kindOf(id) === "epic" ? ("epic" as const) : ("task" as const);
  const ids = [...new Set(request.ids.map((one) => parseId(one, { kinds: [kind], digits })))];
  const blockedBy = await store.change(
    async (step) => {
      const stored = await step.artefact(id);
      const before = stored.artefact.blockedBy;
      const edits: FrontEdit[] = [];
      if (request.name === "add") {
        const graph = buildGraph((await step.snapshot()).artefacts);
        for (const blocker of ids) {
          await step.artefact(blocker);
          const walk = walkBetween(graph, blocker, id);
          if (walk !== undefined) throw cycleError(id, walk);
          if (!before.includes(blocker)) edits.push({ kind: "add", field: "blocked_by", item: blocker });
        }
      } else {
        for (const blocker of ids) {
          if (!before.includes(blocker)) throw notWaiting(id, blocker, before);
          const matches = (item: string): boolean => normaliseId(item, digits) === blocker;
          edits.push({ kind: "remove", field: "blocked_by", matches });
        }
      }
      const text = editFront(stored.text, edits, stored.path);
      if (text !== stored.text) await step.writeArtefact(stored, text);
      return (await step.artefact(id)).artefact.blockedBy;
    },
    { signal: session.signal },
  );
  const words = blockedBy.length === 0 ? "waits for nothing" : `waits for ${blockedBy.join(", ")}`;
  return { json: { id, blocked_by: blockedBy }, text: `${id}  ${words}` };
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
