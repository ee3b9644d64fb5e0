// Converts a cut of rows into a cut of lines: a dropped run of rows becomes whole lines, and cuts inside the lines at its two
// ends. Blocks stay in order, and no cut inside a line holds a line end.
import type { Block, Pruned } from "./pruned.ts";
import { WHY } from "./select/why.ts";
import type { LineTable } from "./text/lines.ts";

/** A cut inside a line that is shorter costs more than it saves. */
const LEAST_CHARS = 48;
const WEAK: ReadonlySet<number> = new Set([WHY.indexOf("fill") + 1, WHY.indexOf("support") + 1]);

/** The same cut in lines of `table`; the rows of `pruned` begin wherever a line does. */
export function toLines(pruned: Pruned, rows: LineTable, table: LineTable): Pruned {
  if (rows === table) return pruned;
  const kept = new Uint8Array(table.count);
  let line = 0;
  for (let row = 0; row < rows.count; row++) {
    const why = pruned.kept[row] ?? 0;
    line = lineFrom(table, line, rows.starts[row] ?? 0);
    // The best reason that any part of it has.
    if (why !== 0 && (kept[line] === 0 || (WEAK.has(kept[line] ?? 0) && !WEAK.has(why)))) kept[line] = why;
  }
  const blocks: Block[] = [];
  line = 0;
  for (const block of pruned.blocks) {
    const from = rows.starts[block.startLine - 1] ?? 0;
    const end = rows.starts[block.endLine] ?? table.text.length;
    line = lineFrom(table, line, from);
    blocks.push(...linesAndParts(table, { from, end, line }, block.label));
  }
  for (const { chars, startLine, endLine } of blocks) if (chars === undefined) kept.fill(0, startLine - 1, endLine);
  const status = blocks.length === 0 ? "whole" : pruned.status;
  return { ...pruned, lineCount: table.count, kept: filled(kept, blocks), blocks, status };
}

/** The line (0-based) that holds a place, looked for from `line` on. */
function lineFrom({ starts, count }: LineTable, line: number, at: number): number {
  let found = line;
  while (found + 1 < count && (starts[found + 1] ?? 0) <= at) found++;
  return found;
}

function linesAndParts(
  table: LineTable,
  { from, end, line }: { readonly from: number; readonly end: number; readonly line: number },
  label: Block["label"],
): Block[] {
  const { starts } = table;
  const found: Block[] = [];
  let first = line;
  if (from > (starts[line] ?? 0)) {
    found.push(partOf(line, from, Math.min(end, endOfContent(table, line))));
    first = line + 1;
  }
  const last = lineFrom(table, first, end);
  const isWhole = end >= table.text.length || (starts[last] ?? 0) === end;
  const endLine = end >= table.text.length ? table.count : last;
  if (endLine > first) {
    found.push({ startLine: first + 1, endLine, lineCount: endLine - first, label: PLAIN });
  }
  if (!isWhole && last >= first) found.push(partOf(last, starts[last] ?? 0, end));
  const worth = found.filter(({ chars }) => chars === undefined || chars.endChar - chars.startChar + 1 >= LEAST_CHARS);
  // Only the largest part gets the label.
  const main = worth.reduce<Block | undefined>(
    (a, b) => (a === undefined || sizeOf(table, b) > sizeOf(table, a) ? b : a),
    undefined,
  );
  return worth.map((block) => (block === main ? { ...block, label } : block));
}

const PLAIN: Block["label"] = { what: "lines", name: "" };

function partOf(line: number, from: number, end: number): Block {
  const chars = { startChar: from + 1, endChar: end };
  return { startLine: line + 1, endLine: line + 1, lineCount: 0, label: PLAIN, chars };
}

function sizeOf({ starts }: LineTable, { startLine, endLine, chars }: Block): number {
  if (chars !== undefined) return chars.endChar - chars.startChar + 1;
  return (starts[endLine] ?? 0) - (starts[startLine - 1] ?? 0);
}

/** Without the \n, or \r\n, that ends it. */
function endOfContent({ text, starts }: LineTable, line: number): number {
  let end = starts[line + 1] ?? text.length;
  if (text.charCodeAt(end - 1) === 10) end--;
  if (text.charCodeAt(end - 1) === 13) end--;
  return end;
}

/** Marks all lines outside of blocks as kept: a part may have been too small to be cut out. */
function filled(kept: Uint8Array, blocks: readonly Block[]): Uint8Array {
  const fill = WHY.indexOf("fill") + 1;
  let next = 0;
  const fillUntil = (end: number): void => {
    for (let i = next; i < end; i++) if (kept[i] === 0) kept[i] = fill;
  };
  for (const { startLine, endLine, chars } of blocks) {
    if (chars !== undefined) continue;
    fillUntil(startLine - 1);
    next = endLine;
  }
  fillUntil(kept.length);
  return kept;
}

/** The same cut for a text with a prefix before each line: the places of cuts inside lines are moved. */
export function movedBy(pruned: Pruned, bare: LineTable, whole: LineTable): Pruned {
  const moved = (blocks: readonly Block[]): Block[] =>
    blocks.map((block) => {
      if (block.chars === undefined) return block;
      // What is before the line, and what it begins with: its end is the same.
      const line = block.startLine - 1;
      const by = (whole.starts[line + 1] ?? whole.text.length) - (bare.starts[line + 1] ?? bare.text.length);
      const { startChar, endChar } = block.chars;
      return { ...block, chars: { startChar: startChar + by, endChar: endChar + by } };
    });
  const { asOutline } = pruned;
  return {
    ...pruned,
    blocks: moved(pruned.blocks),
    ...(asOutline === undefined ? {} : { asOutline: { ...asOutline, blocks: moved(asOutline.blocks) } }),
  };
}

/** The rows that begin where these lines do. */
export function rowsAt(rows: LineTable, { starts }: LineTable, lines: readonly number[] = []): number[] {
  const found: number[] = [];
  const wanted = new Set(lines.map((line) => starts[line] ?? -1));
  if (wanted.size > 0)
    for (let row = 0; row < rows.count; row++) if (wanted.has(rows.starts[row] ?? -1)) found.push(row);
  return found;
}
