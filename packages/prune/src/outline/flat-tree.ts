// A syntax tree as flat arrays: the nodes of several lines, their children, and nothing below a line. One pass with a
// cursor, each step of which is a call into wasm; whoever reads the arrays afterwards pays nothing for it.
import type { Tree, TreeCursor } from "web-tree-sitter";
import type { LineTable } from "../text/lines.ts";

/** Nodes in the order in which they begin; node 0 is the root; -1 is none. Lines are 0-based and inclusive. */
export interface FlatTree {
  readonly type: readonly number[];
  /** Id of the field that a node fills in its parent; 0 where it has none or nobody asked. */
  readonly field: readonly number[];
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** Where it begins and ends in the text; a line end that it swallowed is not counted. */
  readonly startAt: readonly number[];
  readonly endAt: readonly number[];
  readonly firstChild: readonly number[];
  readonly next: readonly number[];
}

/** By node type id: what is asked of a node beyond its place. */
export const ASK = {
  /** A token that is told wherever it stands; other tokens are not. */
  token: 1,
  named: 2,
  /** All its tokens are told. */
  tokens: 4,
  /** The fields of its children are told. */
  fields: 8,
  /** Its children are told even where it has but one line. */
  inside: 16,
} as const;

export const ERROR_TYPE = 65535;
/** Deeper than this is generated or hostile: it stays in one piece. */
const MAX_DEPTH = 150;

export function flattenTree(tree: Tree, table: LineTable, ask: Uint8Array): FlatTree {
  const { text, starts } = table;
  const type: number[] = [];
  const field: number[] = [];
  const start: number[] = [];
  const end: number[] = [];
  const startAt: number[] = [];
  const endAt: number[] = [];
  const firstChild: number[] = [];
  const next: number[] = [];
  const add = (cursor: TreeCursor, id: number, fieldId: number): number => {
    const from = cursor.startPosition;
    const to = cursor.endPosition;
    const swallows = to.column === 0 && to.row > from.row;
    type.push(id);
    field.push(fieldId);
    start.push(from.row);
    startAt.push((starts[from.row] ?? text.length) + from.column);
    end.push(swallows ? to.row - 1 : to.row);
    endAt.push(swallows ? (starts[to.row] ?? text.length) - 1 : (starts[to.row] ?? text.length) + to.column);
    firstChild.push(-1);
    return next.push(-1) - 1;
  };
  const cursor = tree.walk();
  const addChildren = (node: number, depth: number): void => {
    const asked = ask[type[node] ?? 0] ?? 0;
    const isLong = (end[node] ?? 0) > (start[node] ?? 0);
    const isEntered = node === 0 || isLong || (asked & ASK.inside) !== 0;
    if (depth > MAX_DEPTH || !isEntered || !cursor.gotoFirstChild()) return;
    let last = -1;
    do {
      const id = cursor.nodeTypeId;
      const own = ask[id] ?? (id === ERROR_TYPE ? ASK.named : 0);
      if ((own & (ASK.named | ASK.token)) === 0 && (asked & ASK.tokens) === 0) continue;
      const child = add(cursor, id, (asked & ASK.fields) !== 0 ? cursor.currentFieldId : 0);
      if (last < 0) firstChild[node] = child;
      else next[last] = child;
      last = child;
      addChildren(child, depth + 1);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  };
  try {
    addChildren(add(cursor, cursor.nodeTypeId, 0), 0);
  } finally {
    cursor.delete();
  }
  return { type, field, start, end, startAt, endAt, firstChild, next };
}
