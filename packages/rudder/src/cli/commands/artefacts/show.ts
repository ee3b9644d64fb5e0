// rudder prd|epic|task show: the fields, who holds it, what it waits for, and its text as it stands in the file.
import { parseFront, splitArtefact } from "../../../artefact/front-matter.ts";
import { buildGraph } from "../../../graph/graph.ts";
import { openBlockersOf, stateWords } from "../../../graph/ready.ts";
import { parseId } from "../../../ids.ts";
import type { Answer } from "../../answer.ts";
import type { Session } from "../../session.ts";
import { toTable } from "../../table.ts";
import { leaseToJson, leaseWords, problemWords, toJson } from "../../views.ts";

export async function show(session: Session, kind: "prd" | "epic" | "task", text: string): Promise<Answer> {
  const { store } = session;
  const id = parseId(text, { kinds: [kind], digits: store.digits });
  const stored = await store.artefact(id);
  const { artefact } = stored;
  const parts = splitArtefact(stored.text);
  const parsed = parseFront(parts);
  const body = stored.text.slice(parts.bodyStart);
  const now = session.clock();
  const lease = kind === "task" ? await store.lease(id) : undefined;
  const graph = buildGraph((await store.snapshot()).artefacts);
  const blockers = openBlockersOf(graph, artefact);
  const children = graph.tasks.filter((task) => kind === "epic" && task.epic === id);
  const rows: [string, string][] = [["status", artefact.status ?? "unknown"]];
  if (kind !== "prd")
    rows.push(["parent", [artefact.prd, kind === "task" ? artefact.epic : undefined].filter(Boolean).join("/")]);
  if (kind === "task") rows.push(["effort", artefact.effort], ["priority", artefact.priority]);
  if (artefact.assignee !== undefined) rows.push(["assignee", artefact.assignee]);
  if (lease !== undefined) rows.push(["held by", leaseWords(lease, now)]);
  if (artefact.blockedBy.length > 0) {
    rows.push([
      "blocked by",
      artefact.blockedBy.map((one) => `${one} (${stateWords(graph.byId.get(one))})`).join(", "),
    ]);
  }
  if (graph.dependentsOf(id).length > 0) rows.push(["blocks", graph.dependentsOf(id).join(", ")]);
  if (artefact.tags.length > 0) rows.push(["tags", artefact.tags.join(", ")]);
  const targets = Object.entries(artefact.targets).map(([name, version]) => `${name} ${version}`);
  if (targets.length > 0) rows.push(["targets", targets.join(", ")]);
  if (children.length > 0) {
    const done = children.filter((task) => task.status === "Done").length;
    rows.push(["tasks", `${done} of ${children.length} done`]);
  }
  rows.push(["file", artefact.path]);
  return {
    json: {
      ...toJson(artefact),
      fields: parsed.ok ? parsed.fields : {},
      lease: lease === undefined ? null : leaseToJson(lease, now),
      waits_for: blockers,
      blocks: graph.dependentsOf(id),
      body,
      problems: artefact.problems,
    },
    text: `${toTable([id, artefact.title], rows)}\n\n${body.trim()}`,
    notes: artefact.problems.map(problemWords),
  };
}
