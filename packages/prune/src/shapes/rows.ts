// Collects the rows of a text while it is read: where each begins, and the scope that it is in. Rows are folded where a small
// element turns out to fit in one.
import { type Outline, ROLE, type Scope } from "../outline/outline.ts";
import type { LineTable } from "../text/lines.ts";

/** About the most rows of a text of any size, so that the work stays bounded. */
const MOST_ROWS = 250_000;
/** Scopes further in are read as one. */
export const MOST_DEPTH = 48;

/** The least characters of a row inside a line, so that a large text does not get too many. */
export function leastRow(text: string): number {
  return Math.ceil(text.length / MOST_ROWS);
}

interface OpenScope {
  name: string;
  readonly kind: Scope["kind"];
  readonly start: number;
  /** Last row of what opens it. */
  headerEnd: number;
  end: number;
  closer: number;
  readonly parent: number;
}

/** Collects rows and scopes in the order of the text. */
export class Rows {
  readonly text: string;
  readonly scopes: OpenScope[] = [
    {
      name: "",
      kind: "file",
      start: 0,
      headerEnd: -1,
      end: Number.MAX_SAFE_INTEGER,
      closer: Number.MAX_SAFE_INTEGER,
      parent: -1,
    },
  ];
  count = 0;
  #starts = new Uint32Array(1024);
  #scopeOf = new Int32Array(1024);

  constructor(text: string) {
    this.text = text;
  }

  /** Begins a row; at the same place it is the row that is there. */
  begin(at: number, scope: number): void {
    if (this.count > 0 && (this.#starts[this.count - 1] ?? 0) >= at) {
      this.#scopeOf[this.count - 1] = scope;
      return;
    }
    if (this.count === this.#starts.length) {
      const starts = new Uint32Array(2 * this.count);
      starts.set(this.#starts);
      this.#starts = starts;
      const scopeOf = new Int32Array(2 * this.count);
      scopeOf.set(this.#scopeOf);
      this.#scopeOf = scopeOf;
    }
    this.#starts[this.count] = at;
    this.#scopeOf[this.count++] = scope;
  }

  /** The row that is being read. */
  get row(): number {
    return this.count - 1;
  }

  startOf(row: number): number {
    return this.#starts[row] ?? 0;
  }

  scopeAt(row: number): number {
    return this.#scopeOf[row] ?? 0;
  }

  /** Puts the current row into a scope. */
  putInto(scope: number): void {
    if (this.count > 0) this.#scopeOf[this.count - 1] = scope;
  }

  /** Opens a scope whose first row is the current one; returns its index. */
  open(name: string, kind: Scope["kind"], parent: number): number {
    const index = this.scopes.length;
    this.scopes.push({ name, kind, start: this.row, headerEnd: this.row, end: -1, closer: -1, parent });
    this.putInto(index);
    return index;
  }

  /** Ends a scope with the current row; as its closer, the row is kept with any other row of the scope. */
  close(scope: number, isCloser: boolean): void {
    const open = this.scopes[scope];
    if (open === undefined) return;
    open.end = this.row;
    if (isCloser) open.closer = this.row;
  }

  /** Ends the scopes that the row closed before it: it is the first row of another one. */
  release(row: number): void {
    for (let s = this.scopes.length - 1; s > 0; s--) {
      const scope = this.scopes[s];
      if (scope === undefined || scope.closer !== row || scope.start >= row) break;
      scope.end = row - 1;
      scope.closer = -1;
    }
  }

  /** Folds all rows behind `row` and all scopes from `scope` on into one row of `parent`. */
  foldInto(row: number, scope: number, parent: number): void {
    this.count = row + 1;
    this.scopes.length = scope;
    this.#scopeOf[row] = parent;
  }

  table(): LineTable {
    const starts = this.#starts.slice(0, this.count + 1);
    if (starts.length <= this.count) return { text: this.text, count: this.count, starts: withEnd(starts, this.text) };
    starts[this.count] = this.text.length;
    return { text: this.text, count: this.count, starts };
  }

  /** The outline of the rows; `units` are [first, last] rows that stay together. */
  outline(units: readonly (readonly [number, number])[] = []): Outline {
    const n = this.count;
    const scopeOf = this.#scopeOf.slice(0, n);
    const role = new Uint8Array(n);
    const unitStart = Int32Array.from({ length: n }, (_, i) => i);
    const unitEnd = unitStart.slice();
    const scopes: Scope[] = [];
    for (const { name, kind, start, headerEnd, end, closer, parent } of this.scopes) {
      if (parent < 0) {
        scopes.push({ kind, name, lead: 0, start: 0, headerEnd: -1, end: n - 1, closer: n, parent });
        continue;
      }
      // Nothing ends behind what it stands in; what never ended ends with it.
      const most = scopes[parent]?.end ?? n - 1;
      const last = Math.max(start, Math.min(end < 0 ? most : end, most));
      const first = closer < 0 || closer > last ? last + 1 : closer;
      scopes.push({
        kind,
        name,
        lead: start,
        start,
        headerEnd: Math.min(headerEnd, last),
        end: last,
        closer: first,
        parent,
      });
    }
    for (const { start, headerEnd, closer, end, parent } of scopes) {
      if (parent < 0) continue;
      for (let i = start; i <= headerEnd; i++) role[i] = (role[i] ?? 0) | ROLE.header;
      for (let i = closer; i <= end; i++) role[i] = (role[i] ?? 0) | ROLE.closer;
    }
    for (let i = 0; i < n; i++) if (this.#isBlank(i)) role[i] = (role[i] ?? 0) | ROLE.blank;
    for (const [first, last] of units) {
      for (let i = first; i <= last; i++) {
        unitStart[i] = first;
        unitEnd[i] = last;
      }
    }
    return { scopes, scopeOf, unitStart, unitEnd, role };
  }

  #isBlank(row: number): boolean {
    const end = row + 1 < this.count ? this.startOf(row + 1) : this.text.length;
    for (let at = this.startOf(row); at < end; at++) {
      const c = this.text.charCodeAt(at);
      if (c !== 32 && c !== 9 && c !== 13 && c !== 10) return false;
    }
    return true;
  }
}

function withEnd(starts: Uint32Array, text: string): Uint32Array {
  const grown = new Uint32Array(starts.length + 1);
  grown.set(starts);
  grown[starts.length] = text.length;
  return grown;
}

/** The next place that is neither in the middle of a surrogate pair nor between \r and \n. */
export function safeBreak(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff) return at + 1;
  return before === 13 && after === 10 ? at + 1 : at;
}
