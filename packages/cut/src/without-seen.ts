// A text without the lines that the session has been shown before and still has in its context.
import type { Block, LineTable, Pruned } from "@jeeves/prune";
import { WHY } from "@jeeves/prune";

/** Shorter runs are shown again: a marker costs as much, and the lines around them need them. */
const MIN_RUN_LINES = 4;
const FILL = WHY.indexOf("fill") + 1;

/** Leaves out runs of four and more seen lines; undefined where there are none, or nothing else would be left. */
export function withoutSeen(table: LineTable, pruned: Pruned, seen: Uint8Array): Pruned | undefined {
  const kept = new Uint8Array(table.count).fill(FILL);
  const blocks: Block[] = [];
  for (let from = 0; from < table.count; from++) {
    if (seen[from] !== 1) continue;
    let end = from;
    while (end < table.count && seen[end] === 1) end++;
    if (end - from >= MIN_RUN_LINES) {
      kept.fill(0, from, end);
      blocks.push({ startLine: from + 1, endLine: end, lineCount: end - from, label: { what: "seen", name: "" } });
    }
    from = end;
  }
  if (blocks.length === 0 || !kept.some((why) => why !== 0)) return undefined;
  const { kind, language, lineCount } = pruned;
  const about = { kind, lineCount, ...(language === undefined ? {} : { language }) };
  return { ...about, status: "pruned", match: "clear", kept, blocks };
}
