// rudder deps tree: the same edges as deps show, all the way, drawn. What was drawn before is named, not drawn again.
import { oneLine } from "@jeeves/base";
import { buildGraph, type Graph, isClosed } from "../../../graph/graph.ts";
import { stateWords } from "../../../graph/ready.ts";
import { parseId } from "../../../ids.ts";
import type { Answer } from "../../answer.ts";
import type { Session } from "../../session.ts";

const MAX_LINES = 2_000;
const MAX_DEPTH = 100;

interface Node {
  readonly id: string;
  readonly status: string;
  readonly title: string;
  readonly children: Node[];
  /** It stands elsewhere in the tree, or further up (a cycle). */
  readonly repeated?: "above" | "cycle";
}

export interface TreeRequest {
  readonly id?: string | undefined;
  readonly dependents?: boolean;
  readonly depth?: number;
}

export async function tree(session: Session, request: TreeRequest): Promise<Answer> {
  const graph = buildGraph((await session.store.snapshot()).artefacts);
  const next = (id: string): readonly string[] =>
    request.dependents === true ? graph.dependentsOf(id) : (graph.byId.get(id)?.blockedBy ?? []);
  const roots =
    request.id === undefined
      ? rootsOf(graph, request.dependents === true)
      : [
          (await session.store.artefact(parseId(request.id, { kinds: ["task", "epic"], digits: session.store.digits })))
            .id,
        ];
  const drawn = new Set<string>();
  const nodes = roots.map((id) => grow(id, { graph, next, drawn, above: [], depth: request.depth ?? MAX_DEPTH }));
  const lines = nodes.flatMap((node) => draw(node, "", ""));
  const rest = lines.length - MAX_LINES;
  const text = lines.slice(0, MAX_LINES).join("\n") || "no open tasks";
  return { json: nodes, text: rest > 0 ? `${text}\n… ${rest} more lines: ask for one id, or --depth` : text };
}

function rootsOf(graph: Graph, dependents: boolean): string[] {
  const open = graph.tasks.filter((task) => !isClosed(task));
  const isOpen = new Set(open.map((task) => task.id));
  const edges = (id: string): readonly string[] =>
    dependents ? (graph.byId.get(id)?.blockedBy ?? []) : graph.dependentsOf(id);
  return open.filter((task) => !edges(task.id).some((id) => isOpen.has(id))).map((task) => task.id);
}

interface Growing {
  readonly graph: Graph;
  readonly next: (id: string) => readonly string[];
  readonly drawn: Set<string>;
  readonly above: readonly string[];
  readonly depth: number;
}

function grow(id: string, how: Growing): Node {
  const artefact = how.graph.byId.get(id);
  const node = { id, status: stateWords(artefact), title: oneLine(artefact?.title ?? "") };
  if (how.above.includes(id)) return { ...node, children: [], repeated: "cycle" };
  if (how.drawn.has(id))
    return { ...node, children: [], ...(how.next(id).length > 0 ? { repeated: "above" as const } : {}) };
  how.drawn.add(id);
  const below = how.depth <= 1 ? [] : how.next(id);
  const children = below.map((child) => grow(child, { ...how, above: [...how.above, id], depth: how.depth - 1 }));
  return { ...node, children };
}

function draw(node: Node, first: string, rest: string): string[] {
  const mark = node.repeated === undefined ? "" : node.repeated === "cycle" ? "  (a cycle)" : "  (see above)";
  const lines = [`${first}${node.id} [${node.status}] ${node.title}${mark}`.trimEnd()];
  node.children.forEach((child, index) => {
    const isLast = index === node.children.length - 1;
    lines.push(...draw(child, `${rest}${isLast ? "└─ " : "├─ "}`, `${rest}${isLast ? "   " : "│  "}`));
  });
  return lines;
}
