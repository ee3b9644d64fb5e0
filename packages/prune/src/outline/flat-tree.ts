// A syntax tree as flat arrays: the nodes of several lines, their children, and nothing below a line. One pass with a
// cursor, each step of which is a call into wasm; reading the arrays afterwards needs no such calls.
import type { Tree, TreeCursor } from "web-tree-sitter";
import type { LineTable } from "../text/lines.ts";

/** Nodes in the order in which they begin; node 0 is the root; -1 is none. Lines are 0-based and inclusive. */
export interface FlatTree {
  readonly type: readonly number[];
  /**
   * Id of the field that a node fills in its parent; 0 where it has none, or where the parent was not asked for fields.
   */
  readonly field: readonly number[];
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** Where it begins and ends in the text; a line end that it swallowed is not counted. */
  readonly startAt: readonly number[];
  readonly endAt: readonly number[];
  readonly firstChild: readonly number[];
  readonly next: readonly number[];
}

/** Bits, by node type id: what is recorded of a node beyond its place. */
export const ASK = {
  /** A token that is recorded wherever it stands; other tokens are not. */
  token: 1,
  named: 2,
  /** All its tokens are recorded. */
  tokens: 4,
  /** The fields of its children are recorded. */
  fields: 8,
  /** Its children are recorded even if it has only one line. */
  inside: 16,
} as const;

/** tree-sitter's type id of an error node. */
export const ERROR_TYPE = 65535;
/** Deeper nodes are generated or hostile code: they stay in one piece. */
const MAX_DEPTH = 150;

/** The tree as arrays; `ask` has the bits of ASK by node type id. */
export function flattenTree(tree: Tree, table: LineTable, ask: Uint8Array): FlatTree {
  const { text, starts, count } = table;
  // Behind a last line that does not end there is no further one.
  const lastRow = text.endsWith("\n") ? count : Math.max(0, count - 1);
  const type: number[] = [];
  const field: number[] = [];
  const start: number[] = [];
  const end: number[] = [];
  const startAt: number[] = [];
  const endAt: number[] = [];
  const firstChild: number[] = [];
  const next: number[] = [];
  let row = 0;
  /** The row of a place at or behind row `from`; most nodes end where they begin. */
  const rowOf = (at: number, from: number): number => {
    let low = (starts[from] ?? 0) <= at ? from : 0;
    let step = 1;
    for (; low + step <= lastRow && (starts[low + step] ?? 0) <= at; step *= 2) low += step;
    let high = Math.min(lastRow, low + step - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  // Places in the text rather than positions: a position is read back from wasm in two further steps.
  const add = (cursor: TreeCursor, id: number, fieldId: number): number => {
    const from = cursor.startIndex;
    const to = cursor.endIndex;
    row = rowOf(from, row);
    const lastAt = rowOf(to, row);
    const swallows = lastAt > row && starts[lastAt] === to;
    type.push(id);
    field.push(fieldId);
    start.push(row);
    startAt.push(from);
    end.push(swallows ? lastAt - 1 : lastAt);
    endAt.push(swallows ? to - 1 : to);
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
