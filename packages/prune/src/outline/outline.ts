// The outline that every segmenter makes of a text, whatever its kind: nested scopes, and lines that stay together. It is
// independent of the focus.
import type { LineTable } from "../text/lines.ts";
import type { Parts } from "./parts.ts";

/** What a scope is; a "group" is the lines of one file in a match list. */
export type ScopeKind = "file" | "class" | "function" | "section" | "block" | "branch" | "group";

/** A scope of a text. Lines are 0-based and inclusive; a parent has a smaller index; scope 0 is the whole text. */
export interface Scope {
  readonly kind: ScopeKind;
  readonly name: string;
  /** First line of the comments and decorators that belong to it. */
  readonly lead: number;
  readonly start: number;
  /** Last line of the signature or heading; start - 1 when there is none. */
  readonly headerEnd: number;
  readonly end: number;
  /** First line that only closes the scope; end + 1 when there is none. */
  readonly closer: number;
  readonly parent: number;
}

/**
 * The bits of `Outline.role`. `header`: the signature or heading of a scope; `closer`: only closes one; `solid`: in a
 * unit that is kept or dropped as one; `signature`: of a function or type without a body.
 */
export const ROLE = { blank: 1, import: 2, comment: 4, header: 8, closer: 16, solid: 32, signature: 64 } as const;

/** The structure of a text: its scopes, and for each line (0-based) where it belongs and what it is. */
export interface Outline {
  readonly scopes: readonly Scope[];
  /** Index of the innermost scope of each line. */
  readonly scopeOf: Int32Array;
  /** First and last line of the statement that each line belongs to. */
  readonly unitStart: Int32Array;
  readonly unitEnd: Int32Array;
  /** Bits of ROLE for each line. A solid unit (fence, table) is kept or dropped as one. */
  readonly role: Uint8Array;
  /** The language whose grammar read the text; absent where none did. */
  readonly language?: string;
  /** What may be left out so that the rest still parses; absent where no grammar read the text. */
  readonly parts?: Parts;
}

/** An outline without scopes. */
export function flatOutline(table: LineTable): Outline {
  return finishOutline(table, [], []);
}

/** Lines that belong together, with bits of ROLE. */
export interface Unit {
  readonly start: number;
  readonly end: number;
  readonly role: number;
}

/** Sorts scopes by position, finds parents, and paints the per-line arrays. Later (inner) units win. */
export function finishOutline(
  table: LineTable,
  found: readonly Omit<Scope, "parent">[],
  units: readonly Unit[],
  language?: string,
): Outline {
  const n = table.count;
  const sorted = [...found].sort((a, b) => a.lead - b.lead || b.end - a.end || a.start - b.start);
  const scopes: Scope[] = [
    { kind: "file", name: "", lead: 0, start: 0, headerEnd: -1, end: n - 1, closer: n, parent: -1 },
  ];
  const scopeOf = new Int32Array(n);
  const role = new Uint8Array(n);
  const open = [0];
  for (const s of sorted) {
    while (open.length > 1 && (scopes[open.at(-1) ?? 0]?.end ?? 0) < s.lead) open.pop();
    // A scope that would cross its parent's end is cut there: a tree, whatever the segmenter claims.
    const parent = open.at(-1) ?? 0;
    const end = Math.min(s.end, scopes[parent]?.end ?? s.end);
    if (end < s.start) continue;
    const index = scopes.length;
    scopes.push({ ...s, end, headerEnd: Math.min(s.headerEnd, end), parent });
    open.push(index);
    scopeOf.fill(index, s.lead, end + 1);
    for (let i = s.start; i <= Math.min(s.headerEnd, end); i++) role[i] = (role[i] ?? 0) | ROLE.header;
    for (let i = s.closer; i <= end; i++) role[i] = (role[i] ?? 0) | ROLE.closer;
  }
  const unitStart = new Int32Array(n);
  const unitEnd = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    unitStart[i] = i;
    unitEnd[i] = i;
    if (isBlank(table, i)) role[i] = (role[i] ?? 0) | ROLE.blank;
  }
  for (const u of units) {
    for (let i = Math.max(0, u.start); i <= u.end && i < n; i++) {
      unitStart[i] = u.start;
      unitEnd[i] = Math.min(u.end, n - 1);
      role[i] = (role[i] ?? 0) | u.role;
    }
  }
  return { scopes, scopeOf, unitStart, unitEnd, role, ...(language === undefined ? {} : { language }) };
}

function isBlank(table: LineTable, i: number): boolean {
  const end = table.starts[i + 1] ?? 0;
  for (let at = table.starts[i] ?? 0; at < end; at++) {
    const c = table.text.charCodeAt(at);
    if (c !== 32 && c !== 9 && c !== 13 && c !== 10) return false;
  }
  return true;
}
