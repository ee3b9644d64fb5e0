// Matches in lines of enormous length, in minified files mostly, where a search does not fit into what its client
// displays: one of them would push all others out. They are dropped like any line, and come back like any line.
import { RESERVED_CHARS } from "@jeeves/intercept";
import { type Block, lineLength, type Pruned, splitLines } from "@jeeves/prune";

const LONG_LINE_CHARS = 2_000;

/** Undefined where nothing is to be dropped: all of it fits, no line is that long, or all of them are. */
export function withoutLongMatches(
  text: string,
  options: { readonly maxChars: number | undefined },
): Pruned | undefined {
  if (options.maxChars === undefined || text.length <= options.maxChars - RESERVED_CHARS) return undefined;
  const table = splitLines(text);
  const kept = new Uint8Array(table.count).fill(1);
  const blocks: Block[] = [];
  for (let index = 0; index < table.count; index++) {
    if (lineLength(table, index) <= LONG_LINE_CHARS) continue;
    kept[index] = 0;
    const line = index + 1;
    const before = blocks.at(-1)?.endLine === index ? blocks.pop() : undefined;
    const startLine = before?.startLine ?? line;
    blocks.push({ startLine, endLine: line, lineCount: line - startLine + 1, label: { what: "lines", name: "" } });
  }
  if (blocks.length === 0 || !kept.includes(1)) return undefined;
  return { status: "pruned", kind: "matches", match: "clear", lineCount: table.count, kept, blocks };
}
