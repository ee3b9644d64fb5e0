// Outlines by indentation and a few words, for languages without a grammar and for texts that a parser should not see.
// A line with deeper lines below it opens a scope; a signature may go on over several lines, a chain over its branches.
import { indentOf, type LineTable, lineHead } from "../text/lines.ts";
import { IDLE, idleLines } from "./idle-lines.ts";
import { declarationOf, goesOn, isBranch, isCloser, isControl, opensBody, type Shape, shapeOf } from "./line-shapes.ts";
import { finishOutline, type Outline, ROLE, type Scope, type Unit } from "./outline.ts";

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|#\s*(?:include|import)\b|@import\b|(?:use|alias)\s+[\w:{]|using\s+[\w.]+;|require(?:_relative)?\b|(?:const|let|var|local)\s.*=\s*require\b|package\s+[\w.]+;?\s*$)/;
const DECORATOR = /^\s*(?:@[\w(]|#!?\[|\[\w+[\](,])/;
/** A longer signature is not looked through. */
const SIGNATURE_LINES = 24;
/** Lines of what counts as one statement, as in walk-tree.ts. */
const ATOMIC_LINES = 12;
const LEAD_LINES = 60;

interface Walk {
  readonly table: LineTable;
  readonly idle: Uint8Array;
  readonly indent: Int32Array;
  /** Last line below that is deeper; the line itself when there is none. */
  readonly deepEnd: Int32Array;
  /** Next line below that has a shape; the number of lines when there is none. */
  readonly next: Int32Array;
  /** Lines up to each that open a body. */
  readonly bodies: Int32Array;
  /** 1: a line that was read as a part of what begins above it. */
  readonly taken: Uint8Array;
  readonly scopes: Omit<Scope, "parent">[];
  readonly units: Unit[];
}

/** The outline of code by its indentation. */
export function segmentByIndent(table: LineTable): Outline {
  const walk = measure(table);
  const { idle, indent, taken, units } = walk;
  for (let i = 0; i < table.count; i++) {
    if ((indent[i] ?? -1) < 0 && idle[i] === IDLE.none) continue;
    if (idle[i] === IDLE.comment) {
      i = addComment(walk, i);
      continue;
    }
    const line = lineHead(table, i);
    if (IMPORT.test(line)) units.push({ start: i, end: i, role: ROLE.import });
    if (idle[i] === IDLE.none && taken[i] === 0 && !isCloser(line)) addScope(walk, i, line);
  }
  return finishOutline(table, walk.scopes, units);
}

function measure(table: LineTable): Walk {
  const n = table.count;
  const idle = idleLines(table);
  const indent = new Int32Array(n);
  const deepEnd = new Int32Array(n);
  const next = new Int32Array(n + 1).fill(n);
  const bodies = new Int32Array(n + 1);
  const open: number[] = [];
  let last = -1;
  const close = (width: number): void => {
    while (open.length > 0 && (indent[open.at(-1) ?? 0] ?? 0) >= width) deepEnd[open.pop() ?? 0] = last;
  };
  for (let i = 0; i < n; i++) {
    const width = indentOf(table, i);
    indent[i] = width;
    deepEnd[i] = i;
    bodies[i + 1] = bodies[i] ?? 0;
    if (width < 0 || idle[i] !== IDLE.none) {
      // A string's last lines belong to the statement that holds it.
      if (idle[i] === IDLE.string) last = i;
      continue;
    }
    close(width);
    open.push(i);
    last = i;
    if (opensBody(lineHead(table, i))) bodies[i + 1] = (bodies[i] ?? 0) + 1;
  }
  close(-1);
  for (let i = n - 1; i >= 0; i--) next[i] = isShaped(i + 1) ? i + 1 : (next[i + 1] ?? n);
  function isShaped(i: number): boolean {
    return i < n && (indent[i] ?? -1) >= 0 && idle[i] === IDLE.none;
  }
  return { table, idle, indent, deepEnd, next, bodies, taken: new Uint8Array(n), scopes: [], units: [] };
}

/** Adds a comment, one of a few lines as one unit; returns its last line. */
function addComment({ table, idle, units }: Walk, i: number): number {
  let end = i;
  const isBlock = /^\s*(?:\/\*|--\[|\{-|\(\*|<!--|=begin|@\w*doc|"""|''')/.test(lineHead(table, i));
  while (isBlock && end + 1 < table.count && idle[end + 1] === IDLE.comment) {
    if (/\*\/\s*$/.test(lineHead(table, end)) || /^\s*\/\*/.test(lineHead(table, end + 1))) break;
    end++;
  }
  if (end - i < ATOMIC_LINES) units.push({ start: i, end, role: ROLE.comment });
  else for (let k = i; k <= end; k++) units.push({ start: k, end: k, role: ROLE.comment });
  return end;
}

function addScope(walk: Walk, i: number, line: string): void {
  const { indent, deepEnd, next, bodies, taken, table } = walk;
  const width = indent[i] ?? 0;
  const headEnd = clausesEnd(walk, i, signatureEnd(walk, i, line));
  const brace = next[headEnd] ?? table.count;
  const isApart = isBraceAt(walk, brace, width) && (deepEnd[i] === i || (deepEnd[i] ?? i) < brace);
  const hasBody = (deepEnd[i] ?? i) > i || headEnd > i || isApart;
  if (!hasBody) {
    const shape = declarationOf(line);
    if (shape !== undefined)
      walk.scopes.push({ ...shape, lead: leadOf(walk, i), start: i, headerEnd: i, end: i, closer: i + 1 });
    return;
  }
  const { end, closer, headerEnd, branches } = extentOf(walk, i, { headEnd, isApart });
  const opens = isApart || opensBody(lineHead(table, headerEnd));
  const shape = shapeOf(line, { atTop: width === 0 });
  const isWorthAName = shape.kind === "function" || shape.kind === "class";
  if (DECORATOR.test(line) && !isWorthAName) {
    walk.units.push({ start: i, end, role: 0 });
    taken.fill(1, i, end + 1);
    return;
  }
  const isPlain = !opens && !(isWorthAName && declarationOf(line) !== undefined) && !isControl(line);
  if (isPlain && shape.kind !== "branch" && (bodies[end + 1] ?? 0) === (bodies[i] ?? 0) && end - i < ATOMIC_LINES) {
    walk.units.push({ start: i, end, role: 0 });
    taken.fill(1, i, end + 1);
    return;
  }
  const kept: Shape = isPlain && shape.kind === "function" ? { kind: "block", name: "" } : shape;
  walk.scopes.push({ ...kept, lead: leadOf(walk, i), start: i, headerEnd, end, closer });
  walk.scopes.push(...branches);
}

/** Where the parentheses of a first line are closed again, if a body is opened there; else the line itself. */
function signatureEnd({ table, idle, indent }: Walk, i: number, line: string): number {
  let depth = balance(line);
  if (depth <= 0) return i;
  for (let k = i + 1; k < Math.min(table.count, i + SIGNATURE_LINES); k++) {
    if ((indent[k] ?? -1) < 0 || idle[k] !== IDLE.none) continue;
    const text = lineHead(table, k);
    depth += balance(text);
    if (depth > 0) continue;
    const isOpen = opensBody(text) || /=\s*$/.test(text) || declarationOf(line) !== undefined;
    return isOpen ? k : i;
  }
  return i;
}

/** A signature's guards and constraints, on deeper lines of their own. */
function clausesEnd({ table, indent, next }: Walk, i: number, from: number): number {
  let end = from;
  if (declarationOf(lineHead(table, i)) === undefined) return end;
  while (!opensBody(lineHead(table, end))) {
    const at = next[end] ?? table.count;
    const isDeeper = at < table.count && at - i < SIGNATURE_LINES && (indent[at] ?? 0) > (indent[i] ?? 0);
    if (!isDeeper || !goesOn(lineHead(table, at))) return end;
    end = at;
  }
  return end;
}

/** Opening less closing parentheses, those in strings aside. */
function balance(line: string): number {
  let depth = 0;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const c = line.charAt(at);
    if (quote !== "") {
      if (c === "\\") at++;
      else if (c === quote) quote = "";
    } else if (c === '"' || c === "`") quote = c;
    else if (c === "(") depth++;
    else if (c === ")") depth--;
    else if (c === "/" && line.charAt(at + 1) === "/") break;
  }
  return depth;
}

function isBraceAt({ table, indent }: Walk, i: number, width: number): boolean {
  return i < table.count && indent[i] === width && /^\s*\{\s*$/.test(lineHead(table, i));
}

interface Extent {
  readonly end: number;
  readonly closer: number;
  readonly headerEnd: number;
  readonly branches: readonly Omit<Scope, "parent">[];
}

/** How far a scope goes: its deeper lines, its branches, the line that closes it. */
function extentOf(walk: Walk, i: number, { headEnd, isApart }: { headEnd: number; isApart: boolean }): Extent {
  const { table, indent, deepEnd, next, taken } = walk;
  const width = indent[i] ?? 0;
  const headerEnd = isApart ? (next[headEnd] ?? headEnd) : headEnd;
  const from = indent[headerEnd] === width ? headerEnd : i;
  let end = Math.max(headerEnd, deepEnd[from] ?? from);
  taken.fill(1, i, headerEnd + 1);
  const branches: Omit<Scope, "parent">[] = [];
  const mayBranch = !isBranch(lineHead(table, i));
  for (;;) {
    const at = next[end] ?? table.count;
    if (at >= table.count || indent[at] !== width) return { end, closer: end + 1, headerEnd, branches };
    const line = lineHead(table, at);
    if (isCloser(line)) {
      taken[at] = 1;
      // `}` and then `else {`: the chain goes on.
      const after = next[at] ?? table.count;
      const goesOn = mayBranch && after < table.count && indent[after] === width && isBranch(lineHead(table, after));
      if (!goesOn || !/^\s*\}/.test(line)) return { end: at, closer: at, headerEnd, branches };
      end = at;
    } else if (mayBranch && isBranch(line) && isOf(lineHead(table, i), line)) {
      taken[at] = 1;
      const apart = next[at] ?? table.count;
      const head = isBraceAt(walk, apart, width) ? apart : at;
      taken[head] = 1;
      end = Math.max(head, deepEnd[head] ?? head);
      branches.push({ kind: "branch", name: "", lead: at, start: at, headerEnd: head, end, closer: end + 1 });
    } else if (/^\s*[)\]}]/.test(line)) {
      // `}, { error in` and `}.resume()`
      taken[at] = 1;
      end = Math.max(at, deepEnd[at] ?? at);
      if (end === at) return { end, closer: at, headerEnd, branches };
    } else return { end, closer: end + 1, headerEnd, branches };
  }
}

const CASE = /^\s*(?:case|when|default)\b/;
const FORK = /^\s*(?:switch|match|case|select|when)\b/;

/** A case belongs to a switch, an `else` to anything that is not one. */
function isOf(head: string, branch: string): boolean {
  return !CASE.test(branch) || FORK.test(head);
}

/** First line of the comments and decorators right above, those over several lines too. */
function leadOf({ table, idle, indent }: Walk, i: number): number {
  const width = indent[i] ?? 0;
  let lead = i;
  // What is deeper may be the rest of a decorator above it; until that is found, nothing is taken.
  let isDeeper = false;
  for (let k = i - 1; k >= 0 && i - k < LEAD_LINES; k--) {
    if (idle[k] === IDLE.comment) {
      if (!isDeeper && (indent[k] ?? -1) >= 0) lead = k;
      continue;
    }
    if ((indent[k] ?? -1) < width || idle[k] !== IDLE.none) break;
    const line = lineHead(table, k);
    if (indent[k] !== width || isCloser(line)) isDeeper = true;
    else if (DECORATOR.test(line) && !IMPORT.test(line)) {
      lead = k;
      isDeeper = false;
    } else break;
  }
  return lead;
}
