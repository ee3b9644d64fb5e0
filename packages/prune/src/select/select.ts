// From scores to kept lines: units in order of score, each with the frame it needs, until the amount is spent. Lines that
// must stay (errors, directives, headings) are kept first.
import { type Outline, ROLE } from "../outline/outline.ts";
import { completeParts } from "../outline/parts.ts";
import { type LineTable, lineLength } from "../text/lines.ts";
import { addSupport } from "./support.ts";
import { WHY, type Why } from "./why.ts";

/** Characters that a block costs in the answer: those of a usual marker line. */
export const MARKER_CHARS = 28;
const LONE_LINE_CHARS = 80;

/** The lines to choose from, with their scores and the lines that must stay. */
export interface Selection {
  readonly table: LineTable;
  readonly outline: Outline;
  readonly scores: Float64Array;
  /** Per line: 0, or the code of the reason it must stay. */
  readonly must: Uint8Array;
  readonly isBarrier: (line: number) => boolean;
  /** Called now and then; throws where the work is to end. */
  readonly poll?: () => void;
}

/** The code of a reason in `Pruned.kept`. */
export const codeOf = (why: Why): number => WHY.indexOf(why) + 1;
const SCORE_UNIT = 1024;
const EVIDENCE = codeOf("evidence");
const FILL = codeOf("fill");

/** By first line of a unit its best score, -1 for other lines. Blank lines are never asked for by themselves. */
export function scoreUnits({ table, outline, scores }: Selection): Float64Array {
  const best = new Float64Array(table.count).fill(-1);
  for (let i = 0; i < table.count; i++) {
    if (((outline.role[i] ?? 0) & ROLE.blank) !== 0 && outline.unitStart[i] === outline.unitEnd[i]) continue;
    const s = scores[i] ?? 0;
    const u = outline.unitStart[i] ?? i;
    if (s > (best[u] ?? 0)) best[u] = s;
  }
  return best;
}

/** First lines of the units that score at least so much, best first; ties by line number. */
export function rankUnits(best: Float64Array, minScore: number): Int32Array {
  // Scores are in 1/1024, so units are counted by score instead of compared.
  const scoreOf = (u: number): number => Math.round((best[u] ?? 0) * SCORE_UNIT);
  let top = 0;
  for (let u = 0; u < best.length; u++) top = Math.max(top, scoreOf(u));
  const next = new Int32Array(top + 2);
  for (let u = 0; u < best.length; u++) {
    const s = top - scoreOf(u) + 1;
    if ((best[u] ?? 0) >= minScore) next[s] = (next[s] ?? 0) + 1;
  }
  for (let s = 0; s <= top; s++) next[s + 1] = (next[s + 1] ?? 0) + (next[s] ?? 0);
  const order = new Int32Array(next[top + 1] ?? 0);
  for (let u = 0; u < best.length; u++) {
    if ((best[u] ?? 0) < minScore) continue;
    const s = top - scoreOf(u);
    const at = next[s] ?? 0;
    order[at] = u;
    next[s] = at + 1;
  }
  return order;
}

/** The lines kept when the first `count` units of `order` are: with their support, and gaps too small for a marker. */
export function assemble(selection: Selection, order: Int32Array, count: number): Uint8Array {
  const { outline, must, poll } = selection;
  poll?.();
  const kept = must.slice();
  for (let k = 0; k < count; k++) {
    const u = order[k] ?? 0;
    for (let i = u; i <= (outline.unitEnd[u] ?? u); i++) if (kept[i] === 0) kept[i] = EVIDENCE;
  }
  addSupport(outline, kept);
  settle(selection, kept);
  return kept;
}

/** Fills small gaps; what that brings in needs its own frame again. */
export function settle(selection: Selection, kept: Uint8Array): void {
  fillGaps(selection, kept);
  if (selection.outline.parts !== undefined) completeParts(selection.outline.parts, kept, FILL);
}

/** A gap that costs less than its marker is kept; so is a lone line, and one that would only hide blank lines. */
export function fillGaps({ table, outline, isBarrier }: Selection, kept: Uint8Array): void {
  let from = -1;
  let chars = 0;
  let blank = true;
  for (let i = 0; i <= table.count; i++) {
    if (i < table.count && kept[i] === 0) {
      if (from < 0 || isBarrier(i)) {
        if (from >= 0) closeGap(kept, from, i, chars <= gapWorth(i - from) || blank);
        from = i;
        chars = 0;
        blank = true;
      }
      chars += lineLength(table, i);
      if (((outline.role[i] ?? 0) & ROLE.blank) === 0) blank = false;
      continue;
    }
    if (from >= 0) closeGap(kept, from, i, chars <= gapWorth(i - from) || blank);
    from = -1;
  }
}

/** A marker in the place of a single line reads worse than the line, and a model pays about as much for it. */
function gapWorth(lines: number): number {
  return lines === 1 ? LONE_LINE_CHARS : MARKER_CHARS;
}

function closeGap(kept: Uint8Array, from: number, to: number, fill: boolean): void {
  if (fill) kept.fill(FILL, from, to);
}

/** Characters of the kept lines and of a marker for each block. */
export function keptChars(
  { table, isBarrier }: Selection,
  kept: Uint8Array,
  markerChars: number = MARKER_CHARS,
): number {
  let chars = 0;
  let gap = false;
  for (let i = 0; i < table.count; i++) {
    if (kept[i] !== 0) {
      chars += lineLength(table, i);
      gap = false;
    } else if (!gap || isBarrier(i)) {
      chars += markerChars;
      gap = true;
    }
  }
  return chars;
}

/** How many lines are kept. */
export function keptLines(kept: Uint8Array): number {
  let lines = 0;
  for (let i = 0; i < kept.length; i++) if (kept[i] !== 0) lines++;
  return lines;
}

/** The longest prefix whose measure is at most `limit`; what must stay is kept even where it passes the limit. */
export function cutAt(
  selection: Selection,
  order: Int32Array,
  { limit, measure }: { limit: number; measure: (kept: Uint8Array) => number },
): { kept: Uint8Array; count: number } {
  let low = 0;
  let high = order.length;
  // Nothing but what must stay, gaps unfilled: the one answer that is right even where the limit is too small.
  let kept: Uint8Array = selection.must.slice();
  addSupport(selection.outline, kept);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const tried = assemble(selection, order, middle);
    if (measure(tried) <= limit) {
      low = middle;
      kept = tried;
    } else high = middle - 1;
  }
  return { kept, count: low };
}
