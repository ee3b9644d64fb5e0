// The answer's text: kept lines byte for byte, one marker line per block. It ends in \n exactly when the text does
// . It decides nothing.
import type { Block, Pruned } from "./pruned.ts";
import { type LineTable, lineAt, linesOf, splitLines } from "./text/lines.ts";

export interface RenderHow {
  /** The line that stands for a block, without \n; undefined for none. */
  readonly marker: (block: Block, index: number) => string | undefined;
  /** Prefixes each kept line with its number: `12│ `. */
  readonly lineNumbers?: boolean;
  /** The number of the text's first line; default 1. */
  readonly firstLine?: number;
}

export function renderPruned(whole: string | LineTable, pruned: Pick<Pruned, "blocks">, how: RenderHow): string {
  const table = typeof whole === "string" ? splitLines(whole) : whole;
  const { text } = table;
  if (pruned.blocks.length === 0 && how.lineNumbers !== true) return text;
  const out: string[] = [];
  let next = 0;
  const keepUntil = (end: number): void => {
    if (next >= end) return;
    // Neighbours go together: a slice of the text costs the same however long it is.
    if (how.lineNumbers !== true) out.push(linesOf(table, next + 1, end));
    else for (let i = next; i < end; i++) out.push(`${i + (how.firstLine ?? 1)}│ ${lineAt(table, i)}`);
  };
  for (const [index, block] of pruned.blocks.entries()) {
    keepUntil(block.startLine - 1);
    const marker = how.marker(block, index);
    if (marker !== undefined) out.push(marker);
    next = block.endLine;
  }
  keepUntil(table.count);
  return out.join("\n") + (out.length > 0 && text.endsWith("\n") ? "\n" : "");
}

/** The length of the rendered text without line numbers, without rendering it. */
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
    keepUntil(block.startLine - 1);
    chars += marker(block).length + 1;
    next = block.endLine;
  }
  keepUntil(count);
  return text.endsWith("\n") ? chars : chars - 1;
}

/** X-20's short marker: `⟦… N lines a-b` in every form, of one line too, so that one pattern reads them all. */
export function shortMarker(block: Block): string {
  const { startLine, endLine, lineCount, label } = block;
  const like = label.what === "repeats" && label.like !== undefined ? ` like line ${label.like}` : "";
  const seen = label.what === "seen" ? " shown before" : "";
  return `⟦… ${lineCount} lines ${startLine}-${endLine}${like}${seen}⟧`;
}
