// Why a block went, in French by contract (X-37), and its marker (K-23). Both are one line whatever the text held.
import type { Block, BlockLabel } from "@jeeves/prune";

const WORDS: Readonly<Record<BlockLabel["what"], string>> = {
  function: "fonction",
  class: "classe",
  section: "section",
  imports: "imports",
  tests: "tests",
  repeats: "lignes répétées",
  lines: "lignes",
};
const MAX_NAME_CHARS = 60;

export function toReason({ what, name, like }: BlockLabel): string {
  const named = what === "repeats" && like !== undefined ? `comme la ligne ${like}` : toOneLine(name);
  return `hors focus: ${WORDS[what]}${named === "" ? "" : ` ${named}`}`;
}

export function toMarker(pruneId: string, block: Omit<Block, "label">, reason: string): string {
  const { startLine, endLine, lineCount } = block;
  return `⟦PRUNÉ: prune_id=${pruneId} lignes ${startLine}-${endLine} (${lineCount}) raison=${reason}⟧`;
}

/** A name comes from the text: whatever ends a line for anybody, or speaks to a terminal, is a space here. */
function toOneLine(name: string): string {
  if (name.length <= MAX_NAME_CHARS && !/[^\x20-\x7e]|^ | {2}| $/.test(name)) return name;
  const words = name
    .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const chars = [...words];
  return chars.length <= MAX_NAME_CHARS ? chars.join("") : `${chars.slice(0, MAX_NAME_CHARS).join("")}…`;
}
