// What is wrong with a project's artefacts and dependencies (RU-16's findings), each with the thing to do. Pure;
// findings with one obvious repair carry it.
import type { Artefact } from "../artefact/artefact.ts";
import type { Snapshot } from "../haven/store.ts";
import { fewOf, kindOf } from "../ids.ts";
import { cyclesThroughEpics } from "./epic-cycles.ts";
import { type ArtefactLookup, buildGraph, isClosed } from "./graph.ts";

/** Something wrong. `path` is relative to the haven; `line` counts from 1. */
export interface Finding {
  readonly code: string;
  readonly id: string;
  readonly path: string;
  readonly line?: number;
  readonly message: string;
  /** An entry of blocked_by that can go without losing meaning. */
  readonly removable?: string;
}

/** All findings of a snapshot. `archived`: ids that live artefacts may still name. */
export function validate(snapshot: Snapshot, archived: ReadonlySet<string> = new Set()): Finding[] {
  const graph = buildGraph(snapshot.artefacts);
  const findings: Finding[] = snapshot.problems.map((problem) => ({
    code: problem.code,
    id: snapshot.artefacts.find((artefact) => artefact.path === problem.path)?.id ?? "",
    path: problem.path,
    ...(problem.line === undefined ? {} : { line: problem.line }),
    message: problem.message,
  }));
  for (const artefact of snapshot.artefacts) {
    findings.push(...blockerFindings(artefact, graph.byId, archived));
  }
  findings.push(...doneAboveOpen(snapshot.artefacts));
  for (const cycle of graph.cycles.length > 0 ? graph.cycles : cyclesThroughEpics(snapshot.artefacts)) {
    const [first = ""] = cycle;
    const path = graph.byId.get(first)?.path ?? "";
    findings.push({ code: "cycle", id: first, path, message: `a cycle: ${[...cycle, first].join(" → ")}` });
  }
  return findings;
}

/** Epics and PRDs that were closed by hand, or with `--force`, before what is below them. */
function doneAboveOpen(artefacts: readonly Artefact[]): Finding[] {
  const openBelow = new Map<string, string[]>();
  for (const one of artefacts) {
    const parent = one.kind === "task" ? one.epic : one.kind === "epic" ? one.prd : undefined;
    if (parent === undefined || isClosed(one)) continue;
    const open = openBelow.get(parent);
    if (open === undefined) openBelow.set(parent, [one.id]);
    else open.push(one.id);
  }
  return artefacts.flatMap(({ id, path, kind, status }) => {
    const open = status === "Done" ? (openBelow.get(id) ?? []) : [];
    if (open.length === 0) return [];
    const cure = `finish what is open, or set it back: rudder ${kind} update ${id} --status wip`;
    return [
      {
        code: "done_above_open",
        id,
        path,
        message: `${id} is Done, but ${fewOf(open)} ${open.length === 1 ? "is" : "are"} open; ${cure}`,
      },
    ];
  });
}

function blockerFindings(artefact: Artefact, byId: ArtefactLookup, archived: ReadonlySet<string>): Finding[] {
  const found: Finding[] = [];
  const report = (code: string, message: string, removable?: string): void => {
    const more = removable === undefined ? {} : { removable };
    found.push({ code, id: artefact.id, path: artefact.path, message, ...more });
  };
  const seen = new Set<string>();
  for (const id of artefact.blockedBy) {
    if (kindOf(id) === undefined) continue; // reported where it was read, as format
    const blocker = byId.get(id);
    if (seen.has(id)) report("duplicate", `${artefact.id} names ${id} twice`);
    else if (id === artefact.id) report("self_ref", `${artefact.id} waits for itself`, id);
    else if (blocker === undefined && archived.has(id)) continue;
    else if (blocker === undefined) report("missing_ref", `${artefact.id} waits for ${id}, which does not exist`, id);
    else if (blocker.status === "Cancelled") {
      report("cancelled_blocker", `${artefact.id} waits for ${id}, which was cancelled`, id);
    }
    seen.add(id);
  }
  return found;
}
