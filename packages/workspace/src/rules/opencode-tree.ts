// opencode's settings as trees. Each leaf has the file that it comes from, so that a refusal can name it.
import { isRecord } from "@jeeves/base";

/** A value that is no table, and the file or variable that it comes from. */
export interface Leaf {
  readonly value: unknown;
  readonly source: string;
}

/** A table of settings; the order of its keys counts, because opencode's last matching rule decides. */
export type Tree = ReadonlyMap<string, Tree | Leaf>;

/** Whether a node is a table. */
export function isTree(node: Tree | Leaf | undefined): node is Tree {
  return node instanceof Map;
}

/** As opencode merges: keys keep their place, tables are merged, every other value is replaced. */
export function mergeTrees(first: Tree = new Map(), second: Tree = new Map()): Tree {
  const merged = new Map(first);
  for (const [key, node] of second) {
    const before = merged.get(key);
    merged.set(key, isTree(before) && isTree(node) ? mergeTrees(before, node) : node);
  }
  return merged;
}

function toTree(value: Readonly<Record<string, unknown>>, source: string): Tree {
  const nodeOf = (each: unknown) => (isRecord(each) ? toTree(each, source) : { value: each, source });
  return new Map(Object.entries(value).map(([key, each]) => [key, nodeOf(each)]));
}

/** The tree of a `permission`. A value that is not a table holds for every tool. */
export function toPermission(value: unknown, source: string): Tree {
  if (value === undefined) return new Map();
  return isRecord(value) ? toTree(value, source) : new Map([["*", { value, source }]]);
}

/** The tree of `tools`, the older form: true allows a tool and false denies it. */
export function toTools(value: unknown, source: string): Tree {
  const actionOf = (enabled: unknown) => (enabled === true ? "allow" : enabled === false ? "deny" : enabled);
  const entries = Object.entries(isRecord(value) ? value : {});
  return toTree(Object.fromEntries(entries.map(([tool, enabled]) => [tool, actionOf(enabled)])), source);
}

/** The tree of an agent with what we need: whether it is disabled, and its permissions. */
export function toAgent(value: unknown, source: string): Tree {
  const agent = isRecord(value) ? value : {};
  // Not merged: where both name a tool, the permission replaces the older form.
  const permission = new Map([...toTools(agent.tools, source), ...toPermission(agent.permission, source)]);
  const isDisabled = agent.disable === undefined ? [] : [["disable", { value: agent.disable, source }] as const];
  return new Map<string, Tree | Leaf>([...isDisabled, ["permission", permission]]);
}
