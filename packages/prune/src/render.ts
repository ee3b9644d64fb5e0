// Renders a cut: kept lines byte for byte, one marker line per block, and a marker in the place of each cut inside a line. The
// result ends in \n exactly when the text does.
import type { Block, Pruned } from "./pruned.ts";
import { type LineTable, lineAt, linesOf, splitLines } from "./text/lines.ts";

/** How kept lines and markers are written. */
export interface RenderHow {
  /** The line that stands for a block, without \n; undefined for none. `index` is that in `blocks`. */
  readonly marker: (block: Block, index: number) => string | undefined;
  /** Prefixes each kept line with its number: `12│ `. */
  readonly lineNumbers?: boolean;
  /** The number of the text's first line; default 1. */
  readonly firstLine?: number;
}

/**
 * The text of a cut: kept lines byte for byte, with a marker for each block. `whole` is the text that was pruned, or its
 * line table. Without blocks and line numbers it is the text itself.
 */
export function renderPruned(whole: string | LineTable, pruned: Pick<Pruned, "blocks">, how: RenderHow): string {
  const table = typeof whole === "string" ? splitLines(whole) : whole;
  const { text, starts } = table;
  if (pruned.blocks.length === 0 && how.lineNumbers !== true) return text;
  const out: string[] = [];
  let next = 0;
  // Of the line `next`: what is rendered of it so far, and where the rest begins.
  let begun = "";
  let from = -1;
  const keepUntil = (end: number): void => {
    if (next >= end) return;
    if (how.lineNumbers === true) {
      for (let i = next; i < end; i++) {
        const line = i === next && from >= 0 ? begun + text.slice(from, endOfLine(table, i)) : lineAt(table, i);
        out.push(`${i + (how.firstLine ?? 1)}│ ${line}`);
      }
    } else {
      // Neighbours are taken together: a slice of the text costs the same however long it is.
      out.push(from < 0 ? linesOf(table, next + 1, end) : begun + text.slice(from, endOfLine(table, end - 1)));
    }
    begun = "";
    from = -1;
  };
  for (const [index, block] of pruned.blocks.entries()) {
    keepUntil(block.startLine - 1);
    const marker = how.marker(block, index);
    const { chars } = block;
    if (chars === undefined) {
      if (marker !== undefined) out.push(marker);
      next = block.endLine;
      continue;
    }
    next = block.startLine - 1;
    begun += text.slice(from < 0 ? (starts[next] ?? 0) : from, chars.startChar - 1) + (marker ?? "");
    from = chars.endChar;
  }
  keepUntil(table.count);
  return out.join("\n") + (out.length > 0 && text.endsWith("\n") ? "\n" : "");
}

/** The end of a line's content. */
function endOfLine({ text, starts }: LineTable, i: number): number {
  const end = starts[i + 1] ?? text.length;
  return end > (starts[i] ?? 0) && text.charCodeAt(end - 1) === 10 ? end - 1 : end;
}

/** The length of the rendered text in characters, without line numbers; it is computed without rendering. */
export function renderedLength(
  table: LineTable,
  { blocks }: Pick<Pruned, "blocks">,
  marker: (block: Block) => string,
): number {
  const { text, starts, count } = table;
  if (blocks.length === 0) return text.length;
  let chars = 0;
  let next = 0;
  // Each kept run and each marker is followed by a line end, the last one only where the text ends in one.
  const keepUntil = (end: number): void => {
    if (next >= end) return;
    const last = starts[end] ?? text.length;
    chars += last - (starts[next] ?? 0) + (text.charCodeAt(last - 1) === 10 ? 0 : 1);
  };
  for (const block of blocks) {
    if (block.chars !== undefined) {
      chars += marker(block).length - (block.chars.endChar - block.chars.startChar + 1);
      continue;
    }
    keepUntil(block.startLine - 1);
    chars += marker(block).length + 1;
    next = block.endLine;
  }
  keepUntil(count);
  return text.endsWith("\n") ? chars : chars - 1;
}

/**
 * The short marker of a block: `⟦… N lines a-b⟧`, also for one line, and `⟦… N chars a-b⟧` inside a line, with a few
 * words about what it stands for. One pattern reads them all.
 */
export function shortMarker(block: Block): string {
  const { startLine, endLine, lineCount, label, chars } = block;
  const like = label.what === "repeats" && label.like !== undefined ? ` like line ${label.like}` : "";
  const seen = label.what === "seen" ? " shown before" : "";
  const holds = label.holds === undefined ? "" : `: ${label.holds}`;
  const size =
    chars === undefined
      ? `${lineCount} lines ${startLine}-${endLine}`
      : `${grouped(chars.endChar - chars.startChar + 1)} chars ${chars.startChar}-${chars.endChar}`;
  return `⟦… ${size}${like}${seen}${holds}⟧`;
}

/** 41200 as 41,200: the size is for people, the range behind it for programs. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
