// Which lines may be left out so that the rest still parses: a text as parts inside parts, each a statement, a member, a list
// item or a branch that may be missing. It knows only lines; walk-parts.ts finds them in a tree.
import { indentOf, type LineTable, lineLength } from "../text/lines.ts";

/** Parts are numbered in the order in which they begin; a parent has a smaller number; part 0 is the whole text. */
export interface Parts {
  /** Innermost part of each line. */
  readonly partOf: Int32Array;
  /** Per line: 1 if its part needs it. Else (a line of prose in a long comment) it may be left out alone. */
  readonly isGlue: Uint8Array;
  readonly parent: Int32Array;
  /** The lists that may not be empty (a Python block): one of `members` stays whenever the part `owner` does. */
  readonly needs: readonly PartNeed[];
}

/** A list that may not be empty. */
export interface PartNeed {
  readonly owner: number;
  readonly members: readonly number[];
}

/** Adds to `kept`, with the code `why`, what the kept lines need around them to be read by a parser. */
export function completeParts({ partOf, isGlue, parent, needs }: Parts, kept: Uint8Array, why: number): void {
  const alive = new Uint8Array(parent.length);
  const revive = (part: number): void => {
    for (let p = part; p > 0 && alive[p] === 0; p = parent[p] ?? 0) alive[p] = 1;
  };
  alive[0] = 1;
  for (let i = 0; i < kept.length; i++) if (kept[i] !== 0) revive(partOf[i] ?? 0);
  for (const { owner, members } of needs) {
    if (alive[owner] === 0 || members.some((m) => alive[m] === 1)) continue;
    revive(members[0] ?? 0);
  }
  for (let i = 0; i < kept.length; i++) {
    const part = partOf[i] ?? 0;
    if (kept[i] === 0 && part > 0 && isGlue[i] === 1 && alive[part] === 1) kept[i] = why;
  }
}

const GAP_CHARS = 28;
const GIANT_LINES = 80;

/** The lines of a part, and the part around it. */
export interface PartSpan {
  readonly start: number;
  readonly end: number;
  readonly parent: number;
}

/**
 * Makes parts of spans. No part needs a blank line; a need's members are sorted by the characters that come with them, then
 * by line.
 */
export function finishParts(
  table: LineTable,
  found: {
    readonly spans: readonly PartSpan[];
    readonly free: readonly { readonly start: number; readonly end: number }[];
    readonly needs: readonly PartNeed[];
  },
): Parts {
  const { spans, needs } = found;
  const lineCount = table.count;
  const partOf = new Int32Array(lineCount);
  const isGlue = new Uint8Array(lineCount).fill(1);
  // Parents come first, so that the innermost paints last.
  spans.forEach(({ start, end }, part) => {
    partOf.fill(part, start, end + 1);
  });
  for (const { start, end } of found.free) isGlue.fill(0, start, end + 1);
  for (let i = 0; i < lineCount; i++) if (indentOf(table, i) < 0) isGlue[i] = 0;
  loosenGiants(spans, partOf, isGlue);
  const cost = new Int32Array(spans.length);
  for (let i = 0; i < lineCount; i++) {
    const part = partOf[i] ?? 0;
    if (isGlue[i] === 1) cost[part] = (cost[part] ?? 0) + lineLength(table, i);
  }
  // Inner needs come later: going backwards, each adds what its cheapest member costs.
  const sorted: PartNeed[] = [];
  for (let k = needs.length - 1; k >= 0; k--) {
    const need = needs[k];
    if (need === undefined) continue;
    // The first stands right below its head; any other leaves a gap before it, which costs a marker.
    const price = (m: number): number => (cost[m] ?? 0) + (m === need.members[0] ? 0 : GAP_CHARS);
    const members = [...need.members].sort((a, b) => price(a) - price(b) || a - b);
    cost[need.owner] = (cost[need.owner] ?? 0) + (cost[members[0] ?? 0] ?? 0);
    sorted.push({ owner: need.owner, members });
  }
  return { partOf, isGlue, parent: Int32Array.from(spans, (s) => s.parent), needs: sorted.reverse() };
}

/**
 * Lets lines of a statement of hundreds of lines go that may not otherwise: better torn, with its ends, than kept whole.
 */
function loosenGiants(spans: readonly PartSpan[], partOf: Int32Array, isGlue: Uint8Array): void {
  const glue = new Int32Array(spans.length);
  for (let i = 0; i < partOf.length; i++) {
    const part = partOf[i] ?? 0;
    glue[part] = (glue[part] ?? 0) + (isGlue[i] ?? 0);
  }
  for (let i = 0; i < partOf.length; i++) {
    const part = partOf[i] ?? 0;
    const { start, end } = spans[part] ?? { start: i, end: i };
    if ((glue[part] ?? 0) > GIANT_LINES && i !== start && i !== end) isGlue[i] = 0;
  }
}
