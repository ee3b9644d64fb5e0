// Who waits for whom, for programs and in words.
import { stateWords } from "../graph/open-blockers.ts";
import type { Ready } from "../graph/ready.ts";
import type { Finding } from "../graph/validate.ts";
import type { Critical, Deps, FoundReady } from "../tasks/deps/deps.ts";
import type { Validated } from "../tasks/deps/edit-deps.ts";
import type { TreeNode } from "../tasks/deps/tree.ts";
import type { Answer } from "./answer.ts";
import { type TableOptions, toTable } from "./table.ts";
import { brokenNotes, cycleNote, problemNotes, toJson } from "./views.ts";

const DEFAULT_READY = 20;
const SHOWN_CYCLES = 3;
const MAX_LINES = 2_000;

/** What the reader should know beside what is ready. */
export function readyNotes({ graph, broken, problems }: FoundReady): string[] {
  return [...graph.cycles.slice(0, SHOWN_CYCLES).map(cycleNote), ...brokenNotes(broken), ...problemNotes(problems)];
}

/** Tasks that can be taken now. */
export function readyAnswer(
  found: FoundReady,
  options: TableOptions & { readonly limit?: number | undefined },
): Answer {
  const shown = found.ready.first(options.limit ?? DEFAULT_READY);
  const rows = shown.map((one) => [
    one.artefact.id,
    String(one.impact),
    one.artefact.priority,
    one.artefact.effort,
    one.artefact.epic ?? "-",
    one.artefact.title,
  ]);
  const table = toTable(["ID", "UNBLOCKS", "PRIORITY", "EFFORT", "EPIC", "TITLE"], rows, options);
  const rest = found.ready.length - shown.length;
  const text =
    table === ""
      ? "nothing is ready: see rudder deps critical and rudder assign list"
      : rest > 0
        ? `${table}\n… ${rest} more: --limit ${found.ready.length}`
        : table;
  return { json: shown.map(readyToJson), text, notes: readyNotes(found) };
}

function readyToJson(one: Ready): Record<string, unknown> {
  return { ...toJson(one.artefact), impact: one.impact, chain_effort: one.chain };
}

/** The ready task that is worth most. */
export function nextAnswer(found: FoundReady): Answer {
  const [first] = found.ready.first(1);
  const notes = readyNotes(found);
  if (first === undefined) return { json: null, text: "nothing is ready: see rudder deps critical", notes };
  const { id, title } = first.artefact;
  return {
    json: readyToJson(first),
    text: `${id}  ${title}\nunblocks ${first.impact}, priority ${first.artefact.priority}, effort ${first.artefact.effort}\ntake it: rudder assign claim ${id}`,
    notes,
  };
}

/** What one waits for, and what waits for it. */
export function depsAnswer(deps: Deps, options: TableOptions): Answer {
  const { artefact, blockers, dependents, waitsFor, impact } = deps;
  const rows = [
    ...blockers.map((one) => ["waits for", one.id, one.status, one.title]),
    ...dependents.map((one) => ["blocks", one.id, one.status, one.title]),
  ];
  const state = waitsFor.length === 0 ? "waits for nothing" : `waits for ${waitsFor.map((one) => one.id).join(", ")}`;
  const table = toTable(["", "ID", "STATUS", "TITLE"], rows, options);
  return {
    json: { id: artefact.id, blockers, dependents, waits_for: waitsFor, impact },
    text: `${artefact.id} ${artefact.title}: ${state}; ${impact} wait for it${table === "" ? "" : `\n${table}`}`,
    notes: deps.cycles.slice(0, SHOWN_CYCLES).map(cycleNote),
  };
}

/** The longest chains. */
export function criticalAnswer({ graph, chains }: Critical, options: TableOptions): Answer {
  const texts = chains.map((chain) => {
    const rows = chain.ids.map((id) => {
      const task = graph.byId.get(id);
      return [id, task?.effort ?? "", stateWords(task), task?.title ?? ""];
    });
    return `effort ${chain.effort}, ${chain.ids.length} tasks\n${toTable(["ID", "EFFORT", "STATUS", "TITLE"], rows, options)}`;
  });
  return {
    json: chains.map((chain) => ({ effort: chain.effort, ids: chain.ids })),
    text: texts.join("\n\n") || "nothing is open",
    notes: graph.cycles.slice(0, SHOWN_CYCLES).map(cycleNote),
  };
}

/** Trees, drawn. */
export function treeAnswer(nodes: readonly TreeNode[]): Answer {
  const lines = nodes.flatMap((node) => draw(node, "", ""));
  const rest = lines.length - MAX_LINES;
  const text = lines.slice(0, MAX_LINES).join("\n") || "no open tasks";
  return { json: nodes, text: rest > 0 ? `${text}\n… ${rest} more lines: ask for one id, or --depth` : text };
}

function draw(node: TreeNode, first: string, rest: string): string[] {
  const mark = node.repeated === undefined ? "" : node.repeated === "cycle" ? "  (a cycle)" : "  (see above)";
  const lines = [`${first}${node.id} [${node.status}] ${node.title}${mark}`.trimEnd()];
  node.children.forEach((child, index) => {
    const isLast = index === node.children.length - 1;
    lines.push(...draw(child, `${rest}${isLast ? "└─ " : "├─ "}`, `${rest}${isLast ? "   " : "│  "}`));
  });
  return lines;
}

/** What one waits for after an edit. */
export function depsEditedAnswer(edited: { readonly id: string; readonly blockedBy: readonly string[] }): Answer {
  const { id, blockedBy } = edited;
  const words = blockedBy.length === 0 ? "waits for nothing" : `waits for ${blockedBy.join(", ")}`;
  return { json: { id, blocked_by: blockedBy }, text: `${id}  ${words}` };
}

/** Findings in a table. */
export function validatedAnswer({ findings, fixed, held }: Validated): Answer {
  const rows = findings.map((one) => [
    one.code,
    `${one.path}${one.line === undefined ? "" : `:${one.line}`}`,
    one.message,
  ]);
  const repaired = fixed.map((one) => `fixed: ${one.message}`).join("\n");
  const table = toTable(["FINDING", "FILE", "WHAT"], rows) || "everything is in order";
  return {
    json: { findings: findings.map(findingToJson), fixed: fixed.map(findingToJson) },
    text: repaired === "" ? table : `${repaired}\n${table}`,
    notes: held.map(({ id, holder }) => `${id} was left alone: ${holder} holds it`),
  };
}

function findingToJson(finding: Finding): Record<string, unknown> {
  const { code, id, path, line, message } = finding;
  return { code, id, path, line: line ?? null, message };
}
