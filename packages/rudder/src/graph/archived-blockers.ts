// Work that was done and archived keeps nothing waiting: the live artefacts do not show it, so it is looked up where a
// task waits for an id that they do not have.
import type { Artefact } from "../artefact/artefact.ts";
import type { HavenReader } from "../haven/store.ts";
import { kindOf } from "../ids.ts";
import { type Graph, isClosed } from "./graph.ts";
import type { Waiting } from "./open-blockers.ts";

/** Those of `ids` that are in the archive, with their fields. */
export async function findArchived(view: HavenReader, ids: readonly string[]): Promise<ReadonlyMap<string, Artefact>> {
  const found = new Map<string, Artefact>();
  for (const id of new Set(ids)) {
    const stored = kindOf(id) === undefined ? undefined : await view.archived(id);
    if (stored !== undefined) found.set(id, stored.artefact);
  }
  return found;
}

/** The fields of those that exist, live or archived. */
export async function findAnywhere(view: HavenReader, ids: readonly string[]): Promise<ReadonlyMap<string, Artefact>> {
  const live = await view.find(ids);
  const missing = ids.filter((id) => !live.has(id));
  return missing.length === 0 ? live : new Map([...live, ...(await findArchived(view, missing))]);
}

/** By the edges of a graph, which stay the same while no dependency changes. */
const danglingEdges = new WeakMap<Graph["blockers"], readonly { readonly from: string; readonly to: string }[]>();

/** Blockers of open work that the graph does not know, and that are done in the archive. */
export async function doneInArchive(view: HavenReader, graph: Graph): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  for (const { from, to } of danglingIn(graph)) {
    const artefact = graph.byId.get(from);
    if (artefact !== undefined && !isClosed(artefact)) missing.add(to);
  }
  if (missing.size === 0) return missing;
  const found = await findArchived(view, [...missing]);
  return new Set([...found.values()].filter(({ status }) => status === "Done").map(({ id }) => id));
}

function danglingIn(graph: Graph): readonly { readonly from: string; readonly to: string }[] {
  const known = danglingEdges.get(graph.blockers);
  if (known !== undefined) return known;
  const edges = graph.artefacts.flatMap(({ id, blockedBy }) =>
    blockedBy.filter((to) => graph.byId.get(to) === undefined).map((to) => ({ from: id, to })),
  );
  danglingEdges.set(graph.blockers, edges);
  return edges;
}

/** Those that still keep something waiting. */
export function withoutDone(waiting: readonly Waiting[], done: ReadonlySet<string>): readonly Waiting[] {
  return done.size === 0 ? waiting : waiting.filter(({ id }) => !done.has(id));
}
