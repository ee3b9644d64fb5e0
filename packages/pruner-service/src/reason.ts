// Why a block was dropped, in French by contract (X-37), and its marker (K-23). Both are one line whatever the text held.
import { oneLine } from "@jeeves/base";
import type { Block, BlockLabel } from "@jeeves/prune";

const WORDS: Readonly<Record<BlockLabel["what"], string>> = {
  function: "fonction",
  class: "classe",
  section: "section",
  imports: "imports",
  tests: "tests",
  repeats: "lignes répétées",
  seen: "lignes déjà montrées",
  lines: "lignes",
};
const MAX_NAME_CHARS = 60;

/** The `reason` of an annotation (K-19), in French. */
export function toReason({ what, name, like }: BlockLabel): string {
  const named = what === "repeats" && like !== undefined ? `comme la ligne ${like}` : oneLine(name, MAX_NAME_CHARS);
  return `hors focus: ${WORDS[what]}${named === "" ? "" : ` ${named}`}`;
}

/** The line that stands where a block was left out (K-23). */
export function toMarker(pruneId: string, block: Omit<Block, "label">, reason: string): string {
  const { startLine, endLine, lineCount } = block;
  return `⟦PRUNÉ: prune_id=${pruneId} lignes ${startLine}-${endLine} (${lineCount}) raison=${reason}⟧`;
}
