// A syntax tree as flat arrays: the nodes of several lines, their children, and nothing below a line. One pass with a
// cursor, each step of which is a call into wasm; reading the arrays afterwards needs no such calls. The cursor calls the
// parser's own functions: web-tree-sitter's TreeCursor copies its state into the parser's memory before each call and back
// after it, which takes several times as long as the call itself.
import type { Tree } from "web-tree-sitter";
import type { LineTable } from "../text/lines.ts";

/** Nodes in the order in which they begin; node 0 is the root; -1 is none. Lines are 0-based and inclusive. */
export interface FlatTree {
  readonly type: Int32Array;
  /**
   * Id of the field that a node fills in its parent; 0 where it has none, or where the parent was not asked for fields.
   */
  readonly field: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Where it begins and ends in the text; a line end that it swallowed is not counted. */
  readonly startAt: Int32Array;
  readonly endAt: Int32Array;
  readonly firstChild: Int32Array;
  readonly next: Int32Array;
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

/** Room to begin with. */
const NODES_PER_LINE = 4;

/** The tree as arrays; `ask` has the bits of ASK by node type id. */
export function flattenTree(tree: Tree, openCursor: OpenCursor, table: LineTable, ask: Uint8Array): FlatTree {
  const { text, starts, count } = table;
  // Behind a last line that does not end there is no further one.
  const lastRow = text.endsWith("\n") ? count : Math.max(0, count - 1);
  let room = NODES_PER_LINE * count + 1;
  let nodes = 0;
  let type = new Int32Array(room);
  let field = new Int32Array(room);
  let start = new Int32Array(room);
  let end = new Int32Array(room);
  let startAt = new Int32Array(room);
  let endAt = new Int32Array(room);
  let firstChild = new Int32Array(room);
  let next = new Int32Array(room);
  const grow = (): void => {
    room *= 2;
    [type, field, start, end] = [grown(type), grown(field), grown(start), grown(end)];
    [startAt, endAt, firstChild, next] = [grown(startAt), grown(endAt), grown(firstChild), grown(next)];
  };
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
    const from = cursor.startIndex();
    const to = cursor.endIndex();
    row = rowOf(from, row);
    const lastAt = rowOf(to, row);
    const swallows = lastAt > row && starts[lastAt] === to;
    if (nodes === room) grow();
    type[nodes] = id;
    field[nodes] = fieldId;
    start[nodes] = row;
    startAt[nodes] = from;
    end[nodes] = swallows ? lastAt - 1 : lastAt;
    endAt[nodes] = swallows ? to - 1 : to;
    firstChild[nodes] = -1;
    next[nodes] = -1;
    return nodes++;
  };
  const cursor = openCursor(tree);
  const addChildren = (node: number, depth: number): void => {
    const asked = ask[type[node] ?? 0] ?? 0;
    const isLong = (end[node] ?? 0) > (start[node] ?? 0);
    const isEntered = node === 0 || isLong || (asked & ASK.inside) !== 0;
    if (depth > MAX_DEPTH || !isEntered || !cursor.gotoFirstChild()) return;
    let last = -1;
    do {
      const id = cursor.typeId();
      const own = ask[id] ?? (id === ERROR_TYPE ? ASK.named : 0);
      if ((own & (ASK.named | ASK.token)) === 0 && (asked & ASK.tokens) === 0) continue;
      const child = add(cursor, id, (asked & ASK.fields) !== 0 ? cursor.fieldId() : 0);
      if (last < 0) firstChild[node] = child;
      else next[last] = child;
      last = child;
      addChildren(child, depth + 1);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  };
  try {
    addChildren(add(cursor, cursor.typeId(), 0), 0);
  } finally {
    cursor.delete();
  }
  return { type, field, start, end, startAt, endAt, firstChild, next };
}

function grown(values: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * values.length);
  more.set(values);
  return more;
}

/** web-tree-sitter's names: the functions that its TreeCursor calls, in the version that package.json pins. */
const NAMES = {
  root: "_ts_tree_root_node_wasm",
  open: "_ts_tree_cursor_new_wasm",
  close: "_ts_tree_cursor_delete_wasm",
  firstChild: "_ts_tree_cursor_goto_first_child_wasm",
  nextSibling: "_ts_tree_cursor_goto_next_sibling_wasm",
  parent: "_ts_tree_cursor_goto_parent_wasm",
  typeId: "_ts_tree_cursor_current_node_type_id_wasm",
  fieldId: "_ts_tree_cursor_current_field_id_wasm",
  startIndex: "_ts_tree_cursor_start_index_wasm",
  endIndex: "_ts_tree_cursor_end_index_wasm",
} as const;

/**
 * A cursor, of which there is one at a time: its state is where all of these functions leave theirs. Until `delete`,
 * nothing else may be asked of the parser.
 */
interface TreeCursor {
  gotoFirstChild(): boolean;
  gotoNextSibling(): boolean;
  gotoParent(): void;
  typeId(): number;
  fieldId(): number;
  startIndex(): number;
  endIndex(): number;
  delete(): void;
}

/** Opens a cursor at the root of a tree. */
export type OpenCursor = (tree: Tree) => TreeCursor;

type Call = (tree: number) => number;

/** Makes cursors from the options that were given to `Parser.init`: it adds its functions to them. Throws without one. */
export function treeCursors(parser: object): OpenCursor {
  const call = (name: keyof typeof NAMES): Call => {
    const found: unknown = Reflect.get(parser, NAMES[name]);
    if (typeof found !== "function") throw new Error(`web-tree-sitter has no ${NAMES[name]}`);
    return found as Call;
  };
  const [root, open, close] = [call("root"), call("open"), call("close")];
  const [firstChild, nextSibling, parent] = [call("firstChild"), call("nextSibling"), call("parent")];
  const [typeId, fieldId] = [call("typeId"), call("fieldId")];
  const [startIndex, endIndex] = [call("startIndex"), call("endIndex")];
  return (tree) => {
    const at: unknown = Reflect.get(tree, 0);
    if (typeof at !== "number") throw new Error("web-tree-sitter's trees have no address");
    root(at); // where `open` looks for the node to begin at
    open(at);
    return {
      gotoFirstChild: () => firstChild(at) === 1,
      gotoNextSibling: () => nextSibling(at) === 1,
      gotoParent: () => void parent(at),
      typeId: () => typeId(at),
      fieldId: () => fieldId(at),
      startIndex: () => startIndex(at),
      endIndex: () => endIndex(at),
      delete: () => void close(at),
    };
  };
}
