// The tokens of lines and blocks, summed once per text, so that no shown text has to be counted again.
import { type Block, estimateTokens, type LineTable, tokensUpToLines } from "@jeeves/prune";

/** A text with its tokens by line. */
export interface Measured {
  readonly table: LineTable;
  /** Tokens of the first i lines. */
  readonly tokensUpTo: Float64Array;
}

/** Sums up the tokens of a text, line by line. */
export function measure(table: LineTable): Measured {
  return { table, tokensUpTo: tokensUpToLines(table) };
}

/** Estimated tokens of the whole text. */
export function rawTokensOf({ table, tokensUpTo }: Measured): number {
  return Math.ceil(tokensUpTo[table.count] ?? 0);
}

/** Estimated tokens of what is left without `blocks`, their markers included. */
export function keptTokensOf(
  { table, tokensUpTo }: Measured,
  blocks: readonly Block[],
  marker: (block: Block, index: number) => string | undefined,
): number {
  let tokens = tokensUpTo[table.count] ?? 0;
  const markers: string[] = [];
  blocks.forEach((block, index) => {
    const { chars } = block;
    if (chars === undefined) tokens -= (tokensUpTo[block.endLine] ?? 0) - (tokensUpTo[block.startLine - 1] ?? 0);
    else tokens -= estimateTokens(table.text.slice(chars.startChar - 1, chars.endChar));
    const words = marker(block, index);
    if (words !== undefined) markers.push(words);
  });
  // All at once: counted one by one, each would be rounded up.
  return Math.ceil(tokens + estimateTokens(markers.join("\n")));
}
