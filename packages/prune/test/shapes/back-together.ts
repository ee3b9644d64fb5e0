// Puts a cut text back together from what was shown and what its markers name, as a reader would who asks for all of it.
import { linesOf, type Pruned, renderPruned, splitLines } from "../../src/index.ts";

/** The whole text again; throws where a marker is missing from the shown text. */
export function backTogether(text: string, pruned: Pick<Pruned, "blocks">): string {
  const table = splitLines(text);
  // A mark that the text does not hold.
  let sign = "\uE000";
  while (text.includes(sign)) sign += "\uE001";
  const shown = renderPruned(text, pruned, { marker: (_block, index) => `${sign}${index}${sign}` });
  const parts = shown.split(sign);
  let whole = "";
  for (const [nth, part] of parts.entries()) {
    if (nth % 2 === 0) {
      whole += part;
      continue;
    }
    const block = pruned.blocks[Number(part)];
    if (block === undefined) throw new Error(`no block ${part}`);
    const { chars, startLine, endLine } = block;
    whole += chars === undefined ? linesOf(table, startLine, endLine) : text.slice(chars.startChar - 1, chars.endChar);
  }
  return whole;
}
