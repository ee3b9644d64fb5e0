export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][];
