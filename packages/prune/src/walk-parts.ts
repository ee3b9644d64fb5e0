// From a syntax tree to the parts of a text that may go (parts.ts): one cursor pass over nodes of several lines. What
// shares a line with anything else is not a part but glue of the part around it; what it holds may still be parts.
import type { Tree } from "web-tree-sitter";
import type { LineTable } from "./lines.ts";
import { CHILD, LIST, type PartRoles } from "./part-roles.ts";
import { finishParts, type PartNeed, type PartSpan, type Parts } from "./parts.ts";

/** Deeper than this is generated or hostile: it stays in one piece. */
const MAX_DEPTH = 150;
/** Lines of a longer comment or string may go one by one. */
const ATOMIC_LINES = 12;

/** Where a child of a list stands, and what belongs to it: separators, a comment behind it, attributes before it. */
interface Group {
  start: number;
  end: number;
  startAt: number;
  endAt: number;
  isComment: boolean;
}

export function findParts(tree: Tree, table: LineTable, roles: PartRoles): Parts {
  const { text, starts } = table;
  const spans: PartSpan[] = [{ start: 0, end: table.count - 1, parent: -1 }];
  const free: { start: number; end: number }[] = [];
  const needs: PartNeed[] = [];
  const cursor = tree.walk();
  // Of the node under the cursor, as of the last look().
  let id = 0;
  let start = 0;
  let end = 0;
  let startAt = 0;
  let endAt = 0;
  const look = (): void => {
    id = cursor.nodeTypeId;
    const from = cursor.startPosition;
    const to = cursor.endPosition;
    start = from.row;
    startAt = (starts[from.row] ?? text.length) + from.column;
    end = to.column === 0 && to.row > start ? to.row - 1 : to.row;
    endAt = end < to.row ? (starts[to.row] ?? text.length) - 1 : (starts[to.row] ?? text.length) + to.column;
  };
  const part = (from: number, to: number, parent: number): number => {
    spans.push({ start: from, end: to, parent });
    return spans.length - 1;
  };
  const before = (at: number): string => text.slice(text.lastIndexOf("\n", at - 1) + 1, at).trim();
  const isClear = (group: { start: number; end: number; startAt: number; endAt: number }): boolean =>
    isBlankSpan(text, starts[group.start] ?? 0, group.startAt) &&
    isBlankSpan(text, group.endAt, starts[group.end + 1] ?? text.length);

  /** The node under the cursor, of several lines, as part of `inside`. Branches of its own hang on `owner`. */
  const visit = (inside: number, owner: number, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    const list = roles.list[id] ?? 0;
    if (list !== LIST.none) visitList(list, inside, depth);
    else visitPlain(inside, owner, depth);
  };

  const visitPlain = (inside: number, owner: number, depth: number): void => {
    const isTry = roles.isTry[id] === 1;
    const isIf = roles.isIf[id] === 1;
    const members: number[] = [];
    const excepts: number[] = [];
    let mayLackAll = !isTry;
    let clauseAt = -1;
    if (!cursor.gotoFirstChild()) return;
    do {
      id = cursor.nodeTypeId;
      const kind = roles.child[id] ?? 0;
      // Where a token stands is asked only of those that matter: each question is a call into wasm.
      if (roles.isNamed[id] !== 1 && !(kind === CHILD.elseWord && isIf)) continue;
      look();
      if (kind === CHILD.elseWord) {
        clauseAt = startAt;
        continue;
      }
      if (kind === CHILD.clause || (clauseAt >= 0 && roles.isNamed[id] === 1 && kind !== CHILD.comment)) {
        const at = clauseAt >= 0 ? clauseAt : startAt;
        clauseAt = -1;
        const isExcept = roles.isExcept[id] === 1;
        const made = clausePart(at, inside, owner);
        if (made >= 0) (isExcept ? excepts : members).push(made);
        else mayLackAll = true;
        look();
        visitClause(made < 0 ? inside : made, made >= 0 && before(at) === "}" ? owner : made < 0 ? owner : made, depth);
      } else if (kind === CHILD.comment) {
        if (isClear({ start, end, startAt, endAt })) leaf(part(start, end, inside));
      } else if (end > start) {
        if (kind === CHILD.prose) prose();
        else visit(inside, inside, depth + 1);
      }
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
    const needed = excepts.length > 0 ? excepts : members;
    if (!mayLackAll && needed.length > 0) needs.push({ owner: inside, members: needed });
  };

  /** A clause's own clauses (`else if`) hang where it hangs: any link of the chain may go. */
  const visitClause = (inside: number, owner: number, depth: number): void => {
    if (end === start) return;
    if (roles.isIf[id] === 1 || roles.child[id] !== CHILD.clause || roles.list[id] !== LIST.none) {
      visit(inside, roles.isIf[id] === 1 ? owner : inside, depth + 1);
      return;
    }
    if (!cursor.gotoFirstChild()) return;
    do {
      look();
      if (roles.child[id] === CHILD.comment) {
        if (isClear({ start, end, startAt, endAt })) leaf(part(start, end, inside));
      } else if (end > start) visit(inside, roles.isIf[id] === 1 ? owner : inside, depth + 2);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  };

  /** The lines of a branch: its own, or `} else {` up to the line that closes it. -1: it cannot go alone. */
  const clausePart = (at: number, inside: number, owner: number): number => {
    const row = rowOf(at);
    const lead = before(at);
    if (lead === "") {
      return isBlankSpan(text, endAt, starts[end + 1] ?? text.length) ? part(row, end, inside) : -1;
    }
    const last = closingRow();
    const closes =
      last > row &&
      text
        .slice(starts[last] ?? 0, starts[last + 1])
        .trimStart()
        .startsWith("}");
    return lead === "}" && closes ? part(row, last - 1, owner) : -1;
  };
  const rowOf = (at: number): number => (at >= startAt ? start : rowBefore(at));
  const rowBefore = (at: number): number => {
    let row = start;
    while (row > 0 && (starts[row] ?? 0) > at) row--;
    return row;
  };
  /** Last line of the branch under the cursor, further branches aside. */
  const closingRow = (): number => {
    let last = end;
    let depth = 0;
    const descend = (): boolean => {
      if (!cursor.gotoFirstChild()) return false;
      depth++;
      return true;
    };
    if (roles.child[id] === CHILD.clause && descend()) {
      do {
        if (roles.isIf[cursor.nodeTypeId] === 1) break;
      } while (cursor.gotoNextSibling());
    }
    if (roles.isIf[cursor.nodeTypeId] === 1 && descend()) {
      do {
        if (cursor.currentFieldName === "consequence") {
          last = cursor.endPosition.row;
          break;
        }
      } while (cursor.gotoNextSibling());
    }
    for (; depth > 0; depth--) cursor.gotoParent();
    return last;
  };

  const visitList = (list: number, inside: number, depth: number): void => {
    if (!cursor.gotoFirstChild()) return;
    const groups: Group[] = [];
    const groupOf: number[] = [];
    const isLong: boolean[] = [];
    let open: Group | undefined;
    let joins = false;
    do {
      id = cursor.nodeTypeId;
      const kind = roles.child[id] ?? 0;
      const isTokens = list === LIST.tokens && kind !== CHILD.bracket;
      if (roles.isNamed[id] !== 1 && kind !== CHILD.separator && !isTokens) {
        groupOf.push(-1);
        isLong.push(false);
        continue;
      }
      look();
      isLong.push(end > start);
      let isMember = isTokens || roles.isNamed[id] === 1;
      if (kind === CHILD.label || kind === CHILD.prose) isMember = false;
      if (isMember && list === LIST.mixed) {
        const field = cursor.currentFieldName;
        isMember = field === null || field === undefined || field === "body" || field === "attribute";
      }
      if (kind === CHILD.separator && !isTokens) {
        if (open !== undefined) {
          open.end = Math.max(open.end, end);
          open.endAt = endAt;
        }
        groupOf.push(-1);
        continue;
      }
      if (!isMember) {
        groupOf.push(-1);
        continue;
      }
      const isComment = kind === CHILD.comment;
      if (open !== undefined && (joins || start <= open.end)) {
        open.end = Math.max(open.end, end);
        open.endAt = endAt;
        open.isComment &&= isComment;
      } else {
        open = { start, end, startAt, endAt, isComment };
        groups.push(open);
      }
      joins = kind === CHILD.lead || (joins && isComment);
      groupOf.push(groups.length - 1);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
    const lastOf = list === LIST.last ? groups.findLastIndex((g) => !g.isComment) : -1;
    const parts = groups.map((g, k) => (k !== lastOf && isClear(g) ? part(g.start, g.end, inside) : inside));
    if (list === LIST.one) {
      const members = parts.filter((_, k) => groups[k]?.isComment === false);
      if (members.length > 0 && !members.includes(inside)) needs.push({ owner: inside, members });
    }
    if (!isLong.includes(true) || !cursor.gotoFirstChild()) return;
    let k = -1;
    do {
      if (isLong[++k] !== true) continue;
      look();
      const own = parts[groupOf[k] ?? -1] ?? inside;
      if (roles.child[id] === CHILD.comment) leaf(own);
      else if (roles.child[id] === CHILD.prose) prose();
      else if (roles.child[id] === CHILD.clause) visitClause(own, own, depth);
      else visit(own, own, depth + 1);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  };

  /** A comment: of a long one the lines between the first and the last may go one by one. */
  const leaf = (own: number): void => {
    if (own > 0) prose();
  };
  const prose = (): void => {
    if (end - start >= ATOMIC_LINES) free.push({ start: start + 1, end: end - 1 });
  };

  try {
    look();
    visit(0, 0, 0);
  } finally {
    cursor.delete();
  }
  return finishParts(table, {
    spans,
    free,
    // An owner is found before what it holds: outer needs first.
    needs: needs.sort((a, b) => a.owner - b.owner),
    isBlank: (i) => isBlankSpan(text, starts[i] ?? 0, starts[i + 1] ?? text.length),
  });
}

function isBlankSpan(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const c = text.charCodeAt(at);
    if (c !== 32 && c !== 9 && c !== 10 && c !== 13) return false;
  }
  return true;
}
