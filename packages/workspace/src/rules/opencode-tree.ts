// opencode's settings as trees whose leaves know the file that they come from, so that a refusal can name it.
import { isRecord } from "@jeeves/base";

export interface Leaf {
  readonly value: unknown;
  readonly source: string;
}

export type Tree = ReadonlyMap<string, Tree | Leaf>;

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

/** A `permission`; one word, or what is no table, stands for every tool. */
export function toPermission(value: unknown, source: string): Tree {
  if (value === undefined) return new Map();
  return isRecord(value) ? toTree(value, source) : new Map([["*", { value, source }]]);
}

/** `tools`, the older form: true allows a tool and false denies it. */
export function toTools(value: unknown, source: string): Tree {
  const actionOf = (enabled: unknown) => (enabled === true ? "allow" : enabled === false ? "deny" : enabled);
  const entries = Object.entries(isRecord(value) ? value : {});
  return toTree(Object.fromEntries(entries.map(([tool, enabled]) => [tool, actionOf(enabled)])), source);
}

/** What we need of an agent: whether it is disabled, and its permissions. */
export function toAgent(value: unknown, source: string): Tree {
  const agent = isRecord(value) ? value : {};
  // Not merged: where both name a tool, the permission replaces the older form.
  const permission = new Map([...toTools(agent.tools, source), ...toPermission(agent.permission, source)]);
  const isDisabled = agent.disable === undefined ? [] : [["disable", { value: agent.disable, source }] as const];
  return new Map<string, Tree | Leaf>([...isDisabled, ["permission", permission]]);
}
