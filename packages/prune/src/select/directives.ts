// ⟦NO_PRUNE_BEGIN⟧ … ⟦NO_PRUNE_END⟧ (K-31): both directive lines and all between stay, in any kind of text, also nested
// pairs. A begin without an end protects the rest; an end without a begin means nothing.
import type { LineTable } from "../text/lines.ts";
import { WHY } from "./why.ts";

const DIRECTIVE = /⟦NO_PRUNE_(BEGIN|END)⟧/g;
const PROTECTED = WHY.indexOf("protected") + 1;

/** Marks the lines that directives protect. */
export function markDirectives({ text, starts, count }: LineTable, must: Uint8Array): void {
  let line = 0;
  let first = 0;
  let depth = 0;
  for (const { 1: word, index } of text.matchAll(DIRECTIVE)) {
    while (line + 1 < count && (starts[line + 1] ?? 0) <= index) line++;
    if (word === "BEGIN") {
      if (depth++ === 0) first = line;
    } else if (depth > 0 && --depth === 0) must.fill(PROTECTED, first, line + 1);
  }
  if (depth > 0) must.fill(PROTECTED, first);
}
