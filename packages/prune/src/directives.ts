// ⟦NO_PRUNE_BEGIN⟧ … ⟦NO_PRUNE_END⟧ (K-31): both directive lines and all between stay, in any kind of text. A begin
// without an end protects the rest; an end without a begin means nothing.
import type { LineTable } from "./lines.ts";
import { WHY } from "./why.ts";

const BEGIN = "⟦NO_PRUNE_BEGIN⟧";
const END = "⟦NO_PRUNE_END⟧";
const PROTECTED = WHY.indexOf("protected") + 1;

export function markDirectives(table: LineTable, must: Uint8Array): void {
  const { text, starts } = table;
  let line = 0;
  const lineOf = (at: number): number => {
    while (line + 1 < table.count && (starts[line + 1] ?? 0) <= at) line++;
    return line;
  };
  for (let at = text.indexOf(BEGIN); at >= 0; ) {
    const first = lineOf(at);
    const end = text.indexOf(END, at);
    const last = end < 0 ? table.count - 1 : lineOf(end);
    must.fill(PROTECTED, first, last + 1);
    at = end < 0 ? -1 : text.indexOf(BEGIN, end);
  }
}
