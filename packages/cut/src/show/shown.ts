// Renders a cut text: kept lines with one marker per block, in the parts that the text has.
import { type Block, type LineTable, type Pruned, renderPruned, shortMarker, WHY } from "@jeeves/prune";

/** A rendered text, and which lines it shows. */
export interface Shown {
  /** One string per part of the text (bash: stdout and stderr; else one), markers included. */
  readonly parts: readonly string[];
  /** Per line of the text (0-based), whether it is shown. */
  readonly isShown: (line: number) => boolean;
}

interface RenderOptions {
  readonly barriers?: readonly number[] | undefined;
  readonly marker?: ((block: Block, index: number) => string | undefined) | undefined;
  readonly lineNumbers?: boolean | undefined;
  /** The number of the text's first line; default 1. */
  readonly firstLine?: number;
}

/** Renders once and splits at the barriers: every kept line and every block is one line of the rendered text. */
export function renderParts(
  table: LineTable,
  { kept, blocks }: Pick<Pruned, "kept" | "blocks">,
  { barriers = [], marker = shortMarker, lineNumbers = false, firstLine = 1 }: RenderOptions,
): string[] {
  const rendered = renderPruned(table, { blocks }, { marker, lineNumbers, firstLine });
  const parts: string[] = [];
  let from = 0;
  let line = 0;
  for (const barrier of barriers) {
    let outputLines = 0;
    for (let first = line; line < barrier; line++) {
      if (kept[line] !== 0 || line === first || kept[line - 1] !== 0) outputLines++;
    }
    let to = from;
    for (; outputLines > 0; outputLines--) to = rendered.indexOf("\n", to) + 1;
    parts.push(rendered.slice(from, to));
    from = to;
  }
  parts.push(rendered.slice(from));
  return parts;
}

/** The same cut with its first line kept. */
export function keepFirstLine(pruned: Pruned): Pruned {
  const [first, ...later] = pruned.blocks;
  if (pruned.status !== "pruned" || first === undefined || first.startLine > 1 || first.chars) return pruned;
  const kept = pruned.kept.slice();
  kept[0] = WHY.indexOf("fill") + 1;
  const rest = first.lineCount === 1 ? [] : [{ ...first, startLine: 2, lineCount: first.lineCount - 1 }];
  const blocks = [...rest, ...later];
  return { ...pruned, kept, blocks, status: blocks.length === 0 ? "whole" : "pruned" };
}

/** `text` with `line` below it, on a line of its own. */
export function withLastLine(text: string, line: string | undefined): string {
  if (line === undefined || line === "") return text;
  return text === "" || text.endsWith("\n") ? `${text}${line}` : `${text}\n${line}`;
}
