// What the model is shown of one text: all of it, or the kept lines with their markers, and never more than its client
// displays, because a client cuts the middle out of an answer that is too long, and tells nobody.
import {
  type Block,
  type LineTable,
  lineAt,
  lineLength,
  type Pruned,
  renderPruned,
  shortMarker,
  splitLines,
  WHY,
} from "@jeeves/prune";

/** Room for the words around the text: `[stderr]`, the exit code, the last line. */
export const RESERVED_CHARS = 200;
const MARKER_CHARS = 32;

export interface Shown {
  /** One string per part of the text (bash: stdout and stderr; else one), markers included. */
  readonly parts: readonly string[];
  /** Per line of the text, whether it is shown. */
  readonly isShown: (lineIndex: number) => boolean;
}

export interface TextToShow {
  readonly text: string;
  readonly parts: readonly string[];
  readonly barriers?: readonly number[];
}

export function showWhole(what: TextToShow): Shown {
  return { parts: what.parts, isShown: () => true };
}

export function showPruned(what: TextToShow, pruned: Pruned): Shown {
  return { parts: renderParts(what, pruned), isShown: (index) => pruned.kept[index] !== 0 };
}

export interface ClientLimit {
  readonly maxChars: number | undefined;
  /** A command tells how it ended in its last lines, a file or a search in none. */
  readonly keepsTail: boolean;
  /** Lines that were shown before, and so take their room whatever happens. */
  readonly headLines?: number;
  /** Per line, whether something failed there; of a cut text its own marks count, too. */
  readonly failures?: Uint8Array | undefined;
}

/** Of the room, for failures that stand between the ends. */
export const FAILURE_SHARE = 0.5;
const ERROR = WHY.indexOf("error") + 1;
/** Lines that differ in numbers alone, or far behind, are of one shape. */
const SHAPE_CHARS = 200;

/** The ends of a text that its client could not display whole, and what failed in between; undefined where it fits. */
export function fitToClient(what: TextToShow, pruned: Pruned | undefined, limit: ClientLimit): Shown | undefined {
  if (limit.maxChars === undefined) return undefined;
  const room = Math.max(1, limit.maxChars - RESERVED_CHARS);
  const shown = pruned === undefined ? what.parts : renderParts(what, pruned);
  if (shown.reduce((sum, part) => sum + part.length, 0) <= room) return undefined;

  const table = splitLines(what.text);
  const kept = pruned?.kept.slice() ?? new Uint8Array(table.count).fill(1);
  const charsOf = (index: number) => lineLength(table, index) + 1;
  let left = room - MARKER_CHARS * (1 + (what.barriers?.length ?? 0));
  let head = Math.min(limit.headLines ?? 0, kept.length);
  for (let index = 0; index < head; index++) left -= kept[index] === 0 ? 0 : charsOf(index);
  const isFailure = (index: number) =>
    (limit.failures?.[index] ?? 0) !== 0 || (pruned !== undefined && kept[index] === ERROR);
  const between = Array.from({ length: kept.length - head }, (_, offset) => head + offset).filter(isFailure);
  const failed = failuresWithin(Math.max(0, left) * FAILURE_SHARE, between, table);
  left -= failed.chars;
  const costOf = (index: number) => {
    if (failed.lines.has(index)) return 0;
    if (kept[index] !== 0) return charsOf(index);
    return index === 0 || kept[index - 1] !== 0 ? MARKER_CHARS : 0;
  };
  const forTail = limit.keepsTail ? (Math.max(0, left) * 2) / 3 : 0;
  while (head < kept.length && left - costOf(head) >= forTail) left -= costOf(head++);
  let tail = kept.length;
  while (limit.keepsTail && tail > head && left - costOf(tail - 1) >= 0) left -= costOf(--tail);
  const isNothingLeft = head === 0 && tail === kept.length && failed.lines.size === 0;
  if (isNothingLeft) return { parts: [cutInsideLine(what.text, room)], isShown: () => false };
  for (let index = head; index < tail; index++) if (!failed.lines.has(index)) kept[index] = 0;
  const cut: Pruned = {
    ...(pruned ?? { kind: "logs", match: "clear" }),
    status: "pruned",
    lineCount: kept.length,
    kept,
    blocks: blocksOf(kept, what.barriers ?? []),
  };
  return { parts: renderParts(what, cut), isShown: (index) => kept[index] !== 0 };
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

/** The same cut with its first lines kept: they were shown before anybody knew that there would be a cut. */
export function keepHead(pruned: Pruned, headLines: number): Pruned {
  if (headLines === 0 || pruned.status !== "pruned") return pruned;
  const kept = pruned.kept.slice();
  const why = WHY.indexOf("fill") + 1;
  for (let index = 0; index < Math.min(headLines, kept.length); index++) if (kept[index] === 0) kept[index] = why;
  const blocks = pruned.blocks.flatMap((block) => {
    if (block.startLine > headLines) return [block];
    if (block.endLine <= headLines) return [];
    const startLine = headLines + 1;
    return [{ ...block, startLine, lineCount: block.endLine - headLines }];
  });
  return { ...pruned, kept, blocks, status: blocks.length === 0 ? "whole" : "pruned" };
}

function cutInsideLine(text: string, room: number): string {
  const code = text.charCodeAt(room - 1);
  const splitsPair = code >= 0xd800 && code <= 0xdbff;
  return text.slice(0, splitsPair ? room - 1 : room);
}

function blocksOf(kept: Uint8Array, barriers: readonly number[]): Block[] {
  const blocks: Block[] = [];
  let start = -1;
  const close = (end: number) => {
    if (start < 0) return;
    blocks.push({ startLine: start + 1, endLine: end, lineCount: end - start, label: { what: "lines", name: "" } });
    start = -1;
  };
  for (let index = 0; index < kept.length; index++) {
    if (barriers.includes(index)) close(index);
    if (kept[index] !== 0) close(index);
    else if (start < 0) start = index;
  }
  close(kept.length);
  return blocks;
}

/** Renders once and splits at the barriers: every kept line and every block is one line of the rendered text. */
function renderParts(what: TextToShow, pruned: Pruned): string[] {
  const rendered = renderPruned(what.text, pruned, { marker: shortMarker });
  const parts: string[] = [];
  let from = 0;
  let line = 0;
  for (const barrier of what.barriers ?? []) {
    let outputLines = 0;
    for (let first = line; line < barrier; line++) {
      if (pruned.kept[line] !== 0 || line === first || pruned.kept[line - 1] !== 0) outputLines++;
    }
    let to = from;
    for (; outputLines > 0; outputLines--) to = rendered.indexOf("\n", to) + 1;
    parts.push(rendered.slice(from, to));
    from = to;
  }
  parts.push(rendered.slice(from));
  return parts;
}
