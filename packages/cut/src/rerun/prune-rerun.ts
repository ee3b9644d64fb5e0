// A rerun without the failures that the model has been shown: they are taken out of the text before it is cut, so that
// the others get their room, and are one block each, `shown before`.
import {
  type Block,
  type FailureReport,
  type LineTable,
  lineAt,
  lineLength,
  type Pruned,
  splitLines,
  WHY,
} from "@jeeves/prune";
import type { EngineFailure } from "../engine/engine.ts";
import { blocksOf } from "../show/fit-to-client.ts";

const FILL = WHY.indexOf("fill") + 1;

/** A rerun without the failures that the model has been shown, in two lengths. */
export interface RerunCut {
  /** The engine's choice of what is left. */
  readonly cut: Pruned;
  /** All that is left. */
  readonly rest: Pruned;
}

/**
 * Cuts a rerun without the failures in `hidden`.
 * @param pruned the cut without regard to the run before: what it shows beside those failures stays
 * @param maxChars room for the kept text
 */
export async function pruneRerun(
  table: LineTable,
  {
    pruned,
    hidden,
    maxChars,
  }: { readonly pruned: Pruned; readonly hidden: readonly FailureReport[]; readonly maxChars: number },
  prune: (part: LineTable) => Promise<Pruned | EngineFailure>,
): Promise<RerunCut | EngineFailure> {
  const isHidden = new Uint8Array(table.count);
  for (const { from, end } of hidden) isHidden.fill(1, from, end + 1);
  const rows = Array.from(isHidden.keys()).filter((line) => isHidden[line] === 0);
  const part = splitLines(rows.map((row) => `${lineAt(table, row)}\n`).join(""));
  const made = await prune(part);
  if ("failed" in made) return made;
  const own = new Uint8Array(table.count);
  for (const [index, row] of rows.entries()) own[row] = made.kept[index] ?? 0;
  const both = own.map((why, line) => (isHidden[line] === 1 ? 0 : why || (pruned.kept[line] ?? 0)));
  const toPruned = (kept: Uint8Array): Pruned => ({
    status: "pruned",
    kind: pruned.kind,
    lineCount: table.count,
    kept,
    blocks: blocksIn(kept, isHidden),
    match: pruned.match,
  });
  return {
    cut: toPruned(charsOf(table, both) <= maxChars ? both : own),
    rest: toPruned(isHidden.map((is) => (is === 1 ? 0 : FILL))),
  };
}

function charsOf(table: LineTable, kept: Uint8Array): number {
  let chars = 0;
  for (let line = 0; line < kept.length; line++) if (kept[line] !== 0) chars += lineLength(table, line);
  return chars;
}

/** The blocks of a cut; those of which every line was shown before are marked as seen. */
function blocksIn(kept: Uint8Array, isHidden: Uint8Array): Block[] {
  return blocksOf(kept, []).map((block) => {
    const isSeen = isHidden.subarray(block.startLine - 1, block.endLine).every((is) => is === 1);
    return isSeen ? { ...block, label: { what: "seen", name: "" } } : block;
  });
}
