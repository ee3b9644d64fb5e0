// The edges of deps show all the way down. What stands in the tree already is named, not grown again.
import { oneLine } from "@jeeves/base";
import { buildGraph, type Graph, isClosed } from "../../graph/graph.ts";
import { stateWords } from "../../graph/open-blockers.ts";
import { parseId } from "../../ids.ts";
import type { TaskSession } from "../session.ts";

const MAX_DEPTH = 100;

/** One artefact in the tree. */
export interface TreeNode {
  readonly id: string;
  readonly status: string;
  readonly title: string;
  readonly children: TreeNode[];
  /** It stands elsewhere in the tree, or further up (a cycle). */
  readonly repeated?: "above" | "cycle";
}

/** Where the tree starts, in which direction it grows, and how far. */
export interface TreeRequest {
  readonly id?: string | undefined;
  readonly dependents?: boolean | undefined;
  readonly depth?: number | undefined;
}

/** The trees below one id, or below every open task that no open one waits for. */
export async function growTree({ store }: TaskSession, request: TreeRequest): Promise<readonly TreeNode[]> {
  const graph = buildGraph((await store.snapshot()).artefacts);
  const next = (id: string): readonly string[] =>
    request.dependents === true ? graph.dependentsOf(id) : (graph.byId.get(id)?.blockedBy ?? []);
  const roots =
    request.id === undefined
      ? rootsOf(graph, request.dependents === true)
      : [(await store.artefact(parseId(request.id, { kinds: ["task", "epic"], digits: store.digits }))).id];
  const drawn = new Set<string>();
  return roots.map((id) => grow(id, { graph, next, drawn, above: [], depth: request.depth ?? MAX_DEPTH }));
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

function grow(id: string, how: Growing): TreeNode {
  const artefact = how.graph.byId.get(id);
  const node = { id, status: stateWords(artefact), title: oneLine(artefact?.title ?? "") };
  if (how.above.includes(id)) return { ...node, children: [], repeated: "cycle" };
  if (how.drawn.has(id))
    return { ...node, children: [], ...(how.next(id).length > 0 ? { repeated: "above" as const } : {}) };
  // Where the depth ends nothing below it is drawn: it may come again with room for that.
  if (how.depth > 1) how.drawn.add(id);
  const below = how.depth <= 1 ? [] : how.next(id);
  const children = below.map((child) => grow(child, { ...how, above: [...how.above, id], depth: how.depth - 1 }));
  return { ...node, children };
}
