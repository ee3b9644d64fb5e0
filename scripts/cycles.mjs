// Groups of nodes that lead to each other, directly or through others (Tarjan's algorithm).

/**
 * @param {ReadonlyMap<string, readonly string[]>} edges each node and its targets; a target that is no node is ignored
 * @returns {string[][]}
 */
export function findCycles(edges) {
  const seen = new Map();
  const open = [];
  const found = [];
  const visit = (node) => {
    const state = { index: seen.size, low: seen.size };
    seen.set(node, state);
    open.push(node);
    for (const to of edges.get(node) ?? []) {
      if (!edges.has(to)) continue;
      const known = seen.get(to);
      if (known === undefined) state.low = Math.min(state.low, visit(to).low);
      else if (open.includes(to)) state.low = Math.min(state.low, known.index);
    }
    if (state.low === state.index) {
      const group = open.splice(open.indexOf(node));
      if (group.length > 1) found.push(group.sort());
    }
    return state;
  };
  for (const node of edges.keys()) if (!seen.has(node)) visit(node);
  return found;
}
