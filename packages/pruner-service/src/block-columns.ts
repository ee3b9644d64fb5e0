// The blocks of a cut on their way between two threads, as columns: a message of many small objects costs five times
// what one of a few arrays does, and somebody is waiting for it.
import type { Block, BlockLabel } from "@jeeves/prune";

export interface BlockColumns {
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly what: readonly BlockLabel["what"][];
  readonly name: readonly string[];
  /** 0: like none. */
  readonly like: Int32Array;
}

export function toColumns(blocks: readonly Block[]): BlockColumns {
  return {
    start: Int32Array.from(blocks, ({ startLine }) => startLine),
    end: Int32Array.from(blocks, ({ endLine }) => endLine),
    what: blocks.map(({ label }) => label.what),
    name: blocks.map(({ label }) => label.name),
    like: Int32Array.from(blocks, ({ label }) => label.like ?? 0),
  };
}

export function toBlocks(columns: BlockColumns): readonly Block[] {
  return columns.what.map((what, index) => {
    const startLine = columns.start[index] ?? 0;
    const endLine = columns.end[index] ?? 0;
    const name = columns.name[index] ?? "";
    const like = columns.like[index] ?? 0;
    const label = like === 0 ? { what, name } : { what, name, like };
    return { startLine, endLine, lineCount: endLine - startLine + 1, label };
  });
}
