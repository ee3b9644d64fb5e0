// Places tasks in columns: each to the right of all that it waits for, at about the same height. The same tasks give
// the same picture. An edge that closes a cycle is drawn, but does not move its task.
import type { HavenTask } from "../../wire.ts";

/** The size of a node and the gaps between nodes, in pixels. */
export const NODE = { width: 196, height: 46, gapX: 56, gapY: 14 } as const;

interface PlacedTask {
  readonly task: HavenTask;
  readonly x: number;
  readonly y: number;
}

interface PlacedGraph {
  readonly nodes: readonly PlacedTask[];
  readonly edges: readonly { readonly from: PlacedTask; readonly to: PlacedTask; readonly isOpen: boolean }[];
  readonly width: number;
  readonly height: number;
}

/**
 * Positions in pixels, from the top left corner. Blockers that are not among `tasks` are ignored; an edge is open while its
 * task still waits for the blocker.
 */
export function layoutGraph(tasks: readonly HavenTask[]): PlacedGraph {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const layers = layersOf(tasks, byId);
  const rows = new Map<string, number>();
  const tallest = Math.max(1, ...layers.map(({ length }) => length));
  const nodes = new Map<string, PlacedTask>();
  layers.forEach((layer, column) => {
    // Sorted by the mean row of what they wait for, then by id.
    const middle = (task: HavenTask): number => {
      const at = task.blockedBy.flatMap((id) => rows.get(id) ?? []);
      return at.length === 0 ? Number.MAX_SAFE_INTEGER : at.reduce((sum, row) => sum + row, 0) / at.length;
    };
    const sorted = layer
      .map((task) => ({ task, middle: middle(task) }))
      .sort((a, b) => a.middle - b.middle || (a.task.id < b.task.id ? -1 : 1));
    // Layers are centred on one another, so that edges stay short.
    const shift = (tallest - layer.length) / 2;
    sorted.forEach(({ task }, i) => {
      const row = i + shift;
      rows.set(task.id, row);
      nodes.set(task.id, { task, x: column * (NODE.width + NODE.gapX), y: row * (NODE.height + NODE.gapY) });
    });
  });
  const edges = tasks.flatMap((task) =>
    task.blockedBy.flatMap((id) => {
      const [from, to] = [nodes.get(id), nodes.get(task.id)];
      return from === undefined || to === undefined ? [] : [{ from, to, isOpen: task.waitsFor.includes(id) }];
    }),
  );
  return {
    nodes: [...nodes.values()],
    edges,
    width: Math.max(1, layers.length) * (NODE.width + NODE.gapX) - NODE.gapX,
    height: tallest * (NODE.height + NODE.gapY) - NODE.gapY,
  };
}

/** A task's layer is the length of its longest chain of blockers. Iterative, because a chain may be thousands long. */
function layersOf(tasks: readonly HavenTask[], byId: ReadonlyMap<string, HavenTask>): HavenTask[][] {
  const depth = new Map<string, number>();
  const state = new Map<string, "open" | "done">();
  for (const start of tasks) {
    const stack = [start.id];
    while (stack.length > 0) {
      const id = stack.at(-1) ?? "";
      const waitsFor = (byId.get(id)?.blockedBy ?? []).filter((other) => byId.has(other));
      if (state.get(id) === undefined) {
        state.set(id, "open");
        stack.push(...waitsFor.filter((other) => state.get(other) === undefined));
        continue;
      }
      stack.pop();
      if (state.get(id) === "done") continue;
      const before = waitsFor.filter((other) => state.get(other) === "done").map((other) => depth.get(other) ?? 0);
      depth.set(id, before.length === 0 ? 0 : Math.max(...before) + 1);
      state.set(id, "done");
    }
  }
  const layers: HavenTask[][] = [];
  for (const task of tasks) {
    const at = depth.get(task.id) ?? 0;
    layers[at] = [...(layers[at] ?? []), task];
  }
  return Array.from(layers, (layer) => layer ?? []);
}
