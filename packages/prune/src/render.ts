// The answer's text: kept lines byte for byte, one marker line per block. It ends in \n exactly when the text does
// . It decides nothing.
import { lineAt, splitLines } from "./lines.ts";
import type { Block, Pruned } from "./pruned.ts";

export interface RenderHow {
  /** The line that stands for a block, without \n; undefined for none. */
  readonly marker: (block: Block) => string | undefined;
  /** Prefixes each kept line with its number: `12│ `. */
  readonly lineNumbers?: boolean;
}

export function renderPruned(text: string, pruned: Pruned, how: RenderHow): string {
  if (pruned.blocks.length === 0 && how.lineNumbers !== true) return text;
  const table = splitLines(text);
  const out: string[] = [];
  let next = 0;
  const keepUntil = (end: number): void => {
    for (; next < end; next++)
      out.push(how.lineNumbers === true ? `${next + 1}│ ${lineAt(table, next)}` : lineAt(table, next));
  };
  for (const block of pruned.blocks) {
    keepUntil(block.startLine - 1);
    const marker = how.marker(block);
    if (marker !== undefined) out.push(marker);
    next = block.endLine;
  }
  keepUntil(table.count);
  return out.join("\n") + (out.length > 0 && text.endsWith("\n") ? "\n" : "");
}

/** X-20's short marker: `⟦… N lines a-b` in every form, of one line too, so that one pattern reads them all. */
export function shortMarker(block: Block): string {
  const { startLine, endLine, lineCount, label } = block;
  const like = label.what === "repeats" && label.like !== undefined ? ` like line ${label.like}` : "";
  return `⟦… ${lineCount} lines ${startLine}-${endLine}${like}⟧`;
}
