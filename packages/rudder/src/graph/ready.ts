// What can be worked on now, the most useful first. Pure.
import type { Artefact } from "../artefact/artefact.ts";
import type { Graph } from "./graph.ts";
import { readyOrder } from "./ready-order.ts";

/** A task that can be taken, and what its rank depends on. */
export interface Ready {
  readonly artefact: Artefact;
  /** How many open tasks wait for it, directly or not. */
  readonly impact: number;
  /** The effort of the longest chain that starts with it. */
  readonly chain: number;
}

/** `heldIds`: tasks that a caller works on; they are not free. `doneIds`: done, and not in the graph any more. */
export function readyTasks(
  graph: Graph,
  options: { readonly heldIds: ReadonlySet<string>; readonly doneIds?: ReadonlySet<string> },
): ReadyList {
  const ranked = readyOrder(graph, options.doneIds ?? new Set());
  let held = 0;
  for (const id of options.heldIds) if (ranked.byId.has(id)) held += 1;
  return {
    length: ranked.list.length - held,
    first(count) {
      const found: Ready[] = [];
      for (const one of ranked.list) {
        if (found.length >= count) break;
        const artefact = options.heldIds.has(one.id) ? undefined : graph.byId.get(one.id);
        if (artefact !== undefined) found.push({ artefact, impact: one.impact, chain: one.chain });
      }
      return found;
    },
  };
}

/** What is ready, best first. */
export interface ReadyList {
  readonly length: number;
  first(count: number): readonly Ready[];
}
