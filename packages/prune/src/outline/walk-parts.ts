// From a syntax tree to the parts of a text that may be left out (parts.ts). A node that shares a line with anything else is
// not a part but belongs to the part around it; nodes inside it may still be parts.
import type { LineTable } from "../text/lines.ts";
import type { FlatTree } from "./flat-tree.ts";
import { CHILD, LIST, type PartRoles } from "./part-roles.ts";
import { finishParts, type PartNeed, type PartSpan, type Parts } from "./parts.ts";

/** Lines of a longer comment or string may be left out one by one. */
const ATOMIC_LINES = 12;
const BYTE_ORDER_MARK = 0xfeff;

/** Where children of a list stand that belong together: a separator, a comment behind it, attributes before it. */
interface Group {
  readonly start: number;
  readonly startAt: number;
  end: number;
  endAt: number;
  isComment: boolean;
  readonly nodes: number[];
}

interface Walk {
  readonly tree: FlatTree;
  readonly table: LineTable;
  readonly roles: PartRoles;
  readonly spans: PartSpan[];
  readonly free: { start: number; end: number }[];
  readonly needs: PartNeed[];
}

/** The parts of a text. */
export function findParts(tree: FlatTree, table: LineTable, roles: PartRoles): Parts {
  const spans = [{ start: 0, end: table.count - 1, parent: -1 }];
  const walk: Walk = { tree, table, roles, spans, free: [], needs: [] };
  visit(walk, 0, { inside: 0, owner: 0 });
  return finishParts(table, {
    spans,
    free: walk.free,
    // An owner is found before what it holds: outer needs first.
    needs: walk.needs.sort((a, b) => a.owner - b.owner),
  });
}

/** The part that a node belongs to, and the one on which the branches of its own hang. */
interface Place {
  readonly inside: number;
  readonly owner: number;
}

function visit(walk: Walk, node: number, place: Place): void {
  const { tree, roles } = walk;
  const id = tree.type[node] ?? 0;
  if ((tree.end[node] ?? 0) === (tree.start[node] ?? 0)) return;
  const list = roles.list[id] ?? 0;
  if (roles.child[id] === CHILD.prose || roles.child[id] === CHILD.comment) freeLines(walk, node);
  else if (list === LIST.none) visitPlain(walk, node, place);
  else visitList(walk, node, place.inside);
}

function visitPlain(walk: Walk, node: number, { inside, owner }: Place): void {
  const { tree, roles } = walk;
  const id = tree.type[node] ?? 0;
  const isClause = roles.child[id] === CHILD.clause;
  const members: number[] = [];
  const excepts: number[] = [];
  let mayLackAll = roles.isTry[id] !== 1;
  let elseWord = -1;
  for (let child = tree.firstChild[node] ?? -1; child >= 0; child = tree.next[child] ?? -1) {
    const type = tree.type[child] ?? 0;
    const kind = roles.child[type] ?? 0;
    if (kind === CHILD.elseWord) {
      if (roles.isIf[id] === 1) elseWord = child;
    } else if (kind === CHILD.comment) {
      visit(walk, child, { inside: partOfComment(walk, child, inside), owner });
    } else if (kind === CHILD.clause || (elseWord >= 0 && roles.isNamed[type] === 1)) {
      const branch = branchPart(walk, child, { head: elseWord < 0 ? child : elseWord, inside, owner });
      elseWord = -1;
      if (branch.part < 0) mayLackAll = true;
      else (roles.isExcept[type] === 1 ? excepts : members).push(branch.part);
      visit(walk, child, branch.part < 0 ? { inside, owner } : { inside: branch.part, owner: branch.owner });
    } else {
      // The `if` of an `else if` hangs its branches where the chain hangs: any link of it may go.
      visit(walk, child, { inside, owner: isClause && roles.isIf[type] === 1 ? owner : inside });
    }
  }
  const needed = excepts.length > 0 ? excepts : members;
  if (!mayLackAll && needed.length > 0) walk.needs.push({ owner: inside, members: needed });
}

function visitList(walk: Walk, node: number, inside: number): void {
  const { roles, tree } = walk;
  const list = roles.list[tree.type[node] ?? 0] ?? 0;
  const { groups, others } = groupsOf(walk, node, list);
  const last = list === LIST.last ? groups.findLast((g) => !g.isComment) : undefined;
  const members: number[] = [];
  let mayLackAll = list !== LIST.one;
  for (const group of groups) {
    // At the top there is no part around it.
    const isPart = inside === 0 || (group !== last && isClear(walk.table, group));
    const part = isPart ? addPart(walk, group.start, group.end, inside) : inside;
    if (isPart && !group.isComment) members.push(part);
    if (!isPart && !group.isComment) mayLackAll = true;
    for (const child of group.nodes) visit(walk, child, { inside: part, owner: part });
  }
  for (const child of others) visit(walk, child, { inside, owner: inside });
  if (!mayLackAll && members.length > 0) walk.needs.push({ owner: inside, members });
}

function groupsOf({ tree, roles }: Walk, node: number, list: number): { groups: Group[]; others: number[] } {
  const groups: Group[] = [];
  const others: number[] = [];
  let open: Group | undefined;
  let joins = false;
  for (let child = tree.firstChild[node] ?? -1; child >= 0; child = tree.next[child] ?? -1) {
    const id = tree.type[child] ?? 0;
    const kind = roles.child[id] ?? 0;
    const start = tree.start[child] ?? 0;
    const [end, endAt] = [tree.end[child] ?? start, tree.endAt[child] ?? 0];
    const isToken = list === LIST.tokens && kind !== CHILD.bracket;
    if (kind === CHILD.separator && !isToken) {
      if (open !== undefined) Object.assign(open, { end: Math.max(open.end, end), endAt });
      continue;
    }
    const isHead = list === LIST.mixed && roles.isHeadField[tree.field[child] ?? 0] === 1;
    if (!(isToken || roles.isNamed[id] === 1) || kind === CHILD.label || kind === CHILD.prose || isHead) {
      others.push(child);
      continue;
    }
    const isComment = kind === CHILD.comment;
    if (open !== undefined && (joins || start <= open.end)) {
      Object.assign(open, { end: Math.max(open.end, end), endAt, isComment: open.isComment && isComment });
      open.nodes.push(child);
    } else {
      open = { start, startAt: tree.startAt[child] ?? 0, end, endAt, isComment, nodes: [child] };
      groups.push(open);
    }
    joins = kind === CHILD.lead || (joins && isComment);
  }
  return { groups, others };
}

/**
 * The part of a branch: its own lines, or `} else {` up to the line that closes it. -1: it cannot be left out alone.
 */
function branchPart(
  walk: Walk,
  node: number,
  { head, inside, owner }: Place & { readonly head: number },
): { part: number; owner: number } {
  const { tree, table } = walk;
  const { text, starts } = table;
  const row = tree.start[head] ?? 0;
  const lead = text.slice(starts[row] ?? 0, tree.startAt[head] ?? 0).trim();
  const end = tree.end[node] ?? row;
  if (lead === "" && isBlankSpan(text, tree.endAt[node] ?? 0, starts[end + 1] ?? text.length)) {
    const part = addPart(walk, row, end, inside);
    return { part, owner: part };
  }
  const last = closingLine(walk, node);
  const closes = last > row && /^\s*\}/.test(text.slice(starts[last] ?? 0, starts[last + 1]));
  return { part: lead === "}" && closes ? addPart(walk, row, last - 1, owner) : -1, owner };
}

/** Last line of a branch, further branches aside. */
function closingLine({ tree, roles }: Walk, branch: number): number {
  const childOf = (node: number, fits: (child: number) => boolean): number => {
    let child = tree.firstChild[node] ?? -1;
    while (child >= 0 && !fits(child)) child = tree.next[child] ?? -1;
    return child;
  };
  const isIf = (node: number): boolean => roles.isIf[tree.type[node] ?? 0] === 1;
  const inner = isIf(branch) ? branch : childOf(branch, isIf);
  const body = inner < 0 ? branch : childOf(inner, (child) => tree.field[child] === roles.consequence);
  return tree.end[body < 0 ? branch : body] ?? 0;
}

function partOfComment(walk: Walk, node: number, inside: number): number {
  const { tree, table } = walk;
  const [start, end] = [tree.start[node] ?? 0, tree.end[node] ?? 0];
  const span = { start, end, startAt: tree.startAt[node] ?? 0, endAt: tree.endAt[node] ?? 0 };
  return isClear(table, span) ? addPart(walk, start, end, inside) : inside;
}

/** The lines between the first and the last of a long comment or string may be left out one by one. */
function freeLines({ tree, free }: Walk, node: number): void {
  const [start, end] = [tree.start[node] ?? 0, tree.end[node] ?? 0];
  if (end - start >= ATOMIC_LINES) free.push({ start: start + 1, end: end - 1 });
}

function addPart({ spans }: Walk, start: number, end: number, parent: number): number {
  return spans.push({ start, end, parent }) - 1;
}

function isClear({ text, starts }: LineTable, span: Pick<Group, "start" | "end" | "startAt" | "endAt">): boolean {
  return (
    isBlankSpan(text, starts[span.start] ?? 0, span.startAt) &&
    isBlankSpan(text, span.endAt, starts[span.end + 1] ?? text.length)
  );
}

function isBlankSpan(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const c = text.charCodeAt(at);
    if (c !== 32 && c !== 9 && c !== 10 && c !== 13 && c !== BYTE_ORDER_MARK) return false;
  }
  return true;
}
