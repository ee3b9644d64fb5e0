// Which row shows what, when some blocks are folded and others are not: a list of segments with their first rows, searched
// in logarithmic time.
import type { CutBlock } from "../../wire.ts";

/** A row on the screen: a line of the text, or the bar of the block with this index. */
export type Row =
  /** 1-based line; `isDropped` where it was left out and is shown because its block is unfolded. */
  | { readonly kind: "line"; readonly line: number; readonly isDropped: boolean }
  | { readonly kind: "bar"; readonly block: number; readonly isOpen: boolean };

interface Segment {
  readonly startRow: number;
  readonly rows: number;
  readonly row: (offset: number) => Row;
}

interface FoldModel {
  readonly rowCount: number;
  rowAt(index: number): Row | undefined;
  /** The row of a block's bar. */
  rowOfBlock(block: number): number;
  /** The row that shows a line, or the bar that hides it. */
  rowOfLine(line: number): number;
}

/** Blocks must be sorted and not overlap; `open` has the indexes of the unfolded ones. Rows are 0-based, lines 1-based. */
export function createFoldModel(options: {
  readonly lineCount: number;
  readonly blocks: readonly CutBlock[];
  readonly open: ReadonlySet<number>;
}): FoldModel {
  const { lineCount, blocks, open } = options;
  const segments: Segment[] = [];
  const barRows: number[] = [];
  let rowCount = 0;
  const add = (rows: number, row: Segment["row"]): void => {
    if (rows <= 0) return;
    segments.push({ startRow: rowCount, rows, row });
    rowCount += rows;
  };
  let next = 1;
  blocks.forEach(({ from, to }, block) => {
    const first = next;
    add(from - next, (offset) => ({ kind: "line", line: first + offset, isDropped: false }));
    const isOpen = open.has(block);
    barRows.push(rowCount);
    add(1, () => ({ kind: "bar", block, isOpen }));
    if (isOpen) add(to - from + 1, (offset) => ({ kind: "line", line: from + offset, isDropped: true }));
    next = to + 1;
  });
  const first = next;
  add(lineCount - next + 1, (offset) => ({ kind: "line", line: first + offset, isDropped: false }));

  const segmentAt = (index: number): Segment | undefined => {
    let low = 0;
    let high = segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((segments[middle]?.startRow ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return segments[low];
  };

  return {
    rowCount,
    rowAt(index) {
      if (index < 0 || index >= rowCount) return undefined;
      const segment = segmentAt(index);
      return segment?.row(index - segment.startRow);
    },
    rowOfBlock: (block) => barRows[block] ?? 0,
    rowOfLine(line) {
      let rows = line - 1;
      for (const [block, { from, to }] of blocks.entries()) {
        if (from > line) break;
        rows += 1;
        if (open.has(block)) continue;
        if (line <= to) return barRows[block] ?? 0;
        rows -= to - from + 1;
      }
      return Math.min(rowCount - 1, rows);
    },
  };
}
