// Fits a text that is longer than its client displays: its ends, and what failed in between. A client would cut out
// the middle without a word.
import { type Block, type LineTable, lineAt, lineLength, type Pruned, shortMarker, WHY } from "@jeeves/prune";
import type { Room } from "../cut-request.ts";
import { lengthWithin } from "../line-ranges.ts";
import { renderParts, type Shown } from "./shown.ts";

/** Room for the words around the text: `[stderr]`, the exit code, the last line. */
export const RESERVED_CHARS = 200;
const MARKER_CHARS = 32;
/** The marker of a cut inside a line, with the largest numbers. */
const INSIDE_CHARS = 64;

/** The room, and what must be shown in it. */
export interface FitOptions extends Room {
  /** Lines (0-based) at which a new part of the text starts. */
  readonly barriers?: readonly number[] | undefined;
  /** Per line, whether something failed there; of a cut text its own marks count, too. */
  readonly failures?: Uint8Array | undefined;
}

/** What is shown of a text that was made to fit, and the blocks that are left out of it. */
export interface Fitted extends Shown {
  readonly blocks: readonly Block[];
}

/** Share of the room for failures between the ends. */
export const FAILURE_SHARE = 0.5;
const TELLING: ReadonlySet<number> = new Set(
  (["error", "mention", "outcome", "end"] as const).map((why) => WHY.indexOf(why) + 1),
);
/** Characters that are compared: lines that differ only in numbers, or further behind, are of one shape. */
const SHAPE_CHARS = 200;

/** The ends of a text, and the failures in between; undefined where all of `shown` fits. */
export function fitToClient(
  table: LineTable,
  { pruned, shown }: { readonly pruned: Pruned | undefined; readonly shown: readonly string[] },
  options: FitOptions,
): Fitted | undefined {
  if (options.maxChars === undefined) return undefined;
  const room = Math.max(1, options.maxChars - RESERVED_CHARS);
  if (shown.reduce((sum, part) => sum + part.length, 0) <= room) return undefined;

  const { barriers = [] } = options;
  const kept = pruned?.kept.slice() ?? new Uint8Array(table.count).fill(1);
  const inside = insideOf(pruned?.blocks ?? []);
  const charsOf = (index: number) => lineLength(table, index) + 1 + (inside.get(index)?.chars ?? 0);
  let left = room - MARKER_CHARS * (1 + barriers.length);
  const isFailure = (index: number) =>
    (options.failures?.[index] ?? 0) !== 0 || (pruned !== undefined && tellsOutcome(kept[index]));
  const failures = Array.from(kept, (_, index) => index).filter(isFailure);
  const failed = failuresWithin(Math.max(0, left) * FAILURE_SHARE, failures, table);
  left -= failed.chars;
  const costOf = (index: number) => {
    if (failed.lines.has(index)) return 0;
    if (kept[index] !== 0) return charsOf(index);
    return index === 0 || kept[index - 1] !== 0 ? MARKER_CHARS : 0;
  };
  const forTail = options.keepsTail === true ? (Math.max(0, left) * 2) / 3 : 0;
  let head = 0;
  while (head < kept.length && left - costOf(head) >= forTail) left -= costOf(head++);
  let tail = kept.length;
  while (options.keepsTail === true && tail > head && left - costOf(tail - 1) >= 0) left -= costOf(--tail);
  const isNothingLeft = head === 0 && tail === kept.length && failed.lines.size === 0;
  if (isNothingLeft) return beginningOf(table, room, barriers);
  for (let index = head; index < tail; index++) if (!failed.lines.has(index)) kept[index] = 0;
  const blocks = blocksOf(kept, barriers, inside);
  return { parts: renderParts(table, { kept, blocks }, { barriers }), isShown: (index) => kept[index] !== 0, blocks };
}

/** Whether the reason for a kept line is a failure, a possible one, or the outcome of a run. */
export function tellsOutcome(why: number | undefined): boolean {
  return why !== undefined && TELLING.has(why);
}

/** Failures that fit, each with the marker before it: one of each shape first, then the others in their order. */
function failuresWithin(
  maxChars: number,
  failures: readonly number[],
  table: LineTable,
): { readonly lines: ReadonlySet<number>; readonly chars: number } {
  const lines = new Set<number>();
  let chars = 0;
  const take = (index: number) => {
    const cost = lineLength(table, index) + 1 + (lines.has(index - 1) ? 0 : MARKER_CHARS);
    if (chars + cost > maxChars) return;
    lines.add(index);
    chars += cost;
  };
  const shapes = new Set<string>();
  const isNew = (index: number) => {
    const shape = lineAt(table, index).slice(0, SHAPE_CHARS).replace(/\d+/g, "0");
    const isKnown = shapes.has(shape);
    shapes.add(shape);
    return !isKnown;
  };
  for (const index of failures) if (isNew(index)) take(index);
  for (const index of failures) if (!lines.has(index)) take(index);
  return { lines, chars };
}

/** The beginning of a line that is too long for all of the room, and a block for the rest of it. */
function beginningOf(table: LineTable, room: number, barriers: readonly number[]): Fitted {
  const kept = new Uint8Array(table.count);
  const end =
    (table.starts[1] ?? table.text.length) - (table.text.charCodeAt((table.starts[1] ?? 0) - 1) === 10 ? 1 : 0);
  const shown = lengthWithin(table.text, room - INSIDE_CHARS - MARKER_CHARS * (1 + barriers.length));
  if (shown <= 0 || shown >= end) {
    return { parts: [table.text.slice(0, lengthWithin(table.text, room))], isShown: () => false, blocks: [] };
  }
  kept[0] = 1;
  const chars = { startChar: shown + 1, endChar: end };
  const first: Block = { startLine: 1, endLine: 1, lineCount: 0, label: { what: "lines", name: "" }, chars };
  const blocks = [first, ...blocksOf(kept, barriers)];
  return { parts: renderParts(table, { kept, blocks }, { barriers }), isShown: (index) => index === 0, blocks };
}

interface InsideLine {
  readonly blocks: readonly Block[];
  /** What they add to the length of the line: markers less what they stand for. */
  readonly chars: number;
}

/** The cuts inside of lines, by line (0-based). */
function insideOf(blocks: readonly Block[]): ReadonlyMap<number, InsideLine> {
  const found = new Map<number, InsideLine>();
  for (const block of blocks) {
    if (block.chars === undefined) continue;
    const before = found.get(block.startLine - 1);
    const { startChar, endChar } = block.chars;
    found.set(block.startLine - 1, {
      blocks: [...(before?.blocks ?? []), block],
      chars: (before?.chars ?? 0) + shortMarker(block).length - (endChar - startChar + 1),
    });
  }
  return found;
}

/** The stretches that are left out, and the cuts inside of lines that are shown; none reaches over a barrier. */
export function blocksOf(
  kept: Uint8Array,
  barriers: readonly number[],
  inside: ReadonlyMap<number, InsideLine> = new Map(),
): Block[] {
  const blocks: Block[] = [];
  let start = -1;
  const close = (end: number) => {
    if (start < 0) return;
    blocks.push({ startLine: start + 1, endLine: end, lineCount: end - start, label: { what: "lines", name: "" } });
    start = -1;
  };
  for (let index = 0; index < kept.length; index++) {
    if (barriers.includes(index)) close(index);
    if (kept[index] !== 0) {
      close(index);
      blocks.push(...(inside.get(index)?.blocks ?? []));
    } else if (start < 0) start = index;
  }
  close(kept.length);
  return blocks;
}
