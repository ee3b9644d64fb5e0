// Artefacts by id, the tasks of each epic, and who waits for whom, kept up to date one artefact at a time.
import type { Artefact, ArtefactPlace } from "../../artefact/artefact.ts";
import { readId } from "../../ids.ts";

/** What is known of all artefacts. */
interface Relations {
  /** Puts an artefact in the place of what its file said before; undefined where the file is gone. */
  replace(place: ArtefactPlace, artefact: Artefact | undefined): { readonly isReordered: boolean };
  get(id: string): Artefact | undefined;
  all(): Artefact[];
  /** The order of a list that was made; `placeOf` answers by it. */
  order(artefacts: readonly Artefact[]): void;
  placeOf(id: string): number | undefined;
  tasksOf(epicId: string): readonly Artefact[];
  dependentsOf(id: string): readonly string[];
  /** undefined where no file or several have the id. */
  onlyPath(id: string): string | undefined;
  /** Ids that several files have, with their paths in order. */
  doubles(): readonly (readonly [string, readonly string[]])[];
}

/** Relations without any artefact. */
export function createRelations(): Relations {
  /** Every file of an id, by path: the first one in order counts. */
  const files = new Map<string, Map<string, Artefact>>();
  const byId = new Map<string, Artefact>();
  const tasks = new Map<string, Set<string>>();
  const dependents = new Map<string, Set<string>>();
  const double = new Set<string>();
  let places = new Map<string, number>();

  const link = (sets: Map<string, Set<string>>, from: string, to: string): void => {
    const set = sets.get(from);
    if (set === undefined) sets.set(from, new Set([to]));
    else set.add(to);
  };
  const unrelate = (artefact: Artefact): void => {
    if (artefact.kind === "task" && artefact.epic !== undefined) tasks.get(artefact.epic)?.delete(artefact.id);
    for (const blocker of artefact.blockedBy) dependents.get(blocker)?.delete(artefact.id);
  };
  const relate = (artefact: Artefact): void => {
    if (artefact.kind === "task" && artefact.epic !== undefined) link(tasks, artefact.epic, artefact.id);
    for (const blocker of artefact.blockedBy) {
      // One that waits for itself is a finding of its own (self_ref), not an edge.
      if (blocker !== artefact.id) link(dependents, blocker, artefact.id);
    }
  };
  const inOrder = (ids: Iterable<string>): string[] =>
    [...ids].sort((a, b) => (readId(a)?.number ?? 0) - (readId(b)?.number ?? 0));

  return {
    replace(place, artefact) {
      const { id, path } = place;
      const own = files.get(id) ?? new Map<string, Artefact>();
      const before = byId.get(id);
      if (artefact === undefined) own.delete(path);
      else own.set(path, artefact);
      if (own.size === 0) files.delete(id);
      else files.set(id, own);
      const isDouble = own.size > 1;
      const wasDouble = double.has(id);
      if (isDouble) double.add(id);
      else double.delete(id);
      const [first] = [...own].sort(([a], [b]) => (a < b ? -1 : 1));
      const after = first?.[1];
      if (before !== undefined) unrelate(before);
      if (after === undefined) byId.delete(id);
      else {
        byId.set(id, after);
        relate(after);
      }
      const isMoved = before?.epic !== after?.epic || before?.prd !== after?.prd;
      return { isReordered: (before === undefined) !== (after === undefined) || isDouble || wasDouble || isMoved };
    },
    get: (id) => byId.get(id),
    all: () => [...byId.values()],
    order(artefacts) {
      places = new Map(artefacts.map((artefact, at) => [artefact.id, at]));
    },
    placeOf: (id) => places.get(id),
    tasksOf: (epicId) => inOrder(tasks.get(epicId) ?? []).flatMap((id) => byId.get(id) ?? []),
    dependentsOf: (id) => inOrder(dependents.get(id) ?? []),
    onlyPath(id) {
      const own = files.get(id);
      return own?.size === 1 ? [...own.keys()][0] : undefined;
    },
    doubles: () => [...double].map((id) => [id, [...(files.get(id)?.keys() ?? [])].sort()] as const),
  };
}
