// How it is done elsewhere: two to six examples that differ, each a header and its telling line (C-25). Two examples
// differ when neither their scopes nor their lines, strings and numbers aside, are the same.
import { bestLines } from "../rank/best-lines.ts";
import { toQuote } from "../report/quote.ts";
import { type ResearchRoot, toReference } from "../roots.ts";
import type { RoleResult } from "../runtime/outcome.ts";
import type { Reader } from "../runtime/reader.ts";
import { toNote } from "./analyzer.ts";
import { type LocatedFile, linesOf } from "./locator.ts";

/** At most `maxExamples` examples are given. */
interface PatternOptions {
  readonly reader: Reader;
  readonly signal: AbortSignal;
  readonly roots: readonly ResearchRoot[];
  readonly maxExamples: number;
}

const MIN_EXAMPLES = 2;
const PER_FILE = 4;

/** Examples from code and tests, one of each file first. A single one is no pattern: then there are none. */
export async function findPatterns(files: readonly LocatedFile[], options: PatternOptions): Promise<RoleResult> {
  const examples: { readonly reference: string; readonly note: string; readonly round: number }[] = [];
  const seen = new Set<string>();
  for (const file of files) {
    if (file.part === "docs" || file.part === "config") continue;
    const source = await options.reader.read(file.root, file.path, options.signal);
    if (source === undefined) continue;
    const lines = bestLines(file.path, source.text, { ...linesOf(file.ranked), count: PER_FILE });
    for (const [round, line] of lines.entries()) {
      const shape = shapeOf(line.text);
      const name = `${file.part} ${line.scope}`;
      if (line.scope === "" || seen.has(shape) || seen.has(name)) continue;
      seen.add(shape).add(name);
      const reference = toReference({ root: file.root, path: file.path, line: line.line }, options.roots);
      const note = toNote({ reference, scope: line.scope, quote: toQuote(line.text), kind: "evidence" });
      examples.push({ reference, note, round });
    }
  }
  // One of each file before any file's second.
  const chosen = examples
    .map((example, at) => ({ ...example, at }))
    .sort((a, b) => a.round - b.round || a.at - b.at)
    .slice(0, options.maxExamples);
  const enough = chosen.length >= MIN_EXAMPLES;
  const found = enough ? chosen : [];
  return {
    summary: enough ? `${found.length} examples that differ.` : "Not found: fewer than two examples that differ.",
    references: found.map(({ reference }) => reference),
    key_findings: found.map(({ note }) => note),
    confidence: found.length >= 3 ? "med" : "low",
    notes: options.reader.refused > 0 ? "limits on files or bytes may have truncated the result" : null,
  };
}

/** A line with its strings and numbers blanked: `f(1)` and `f(2)` are the same example. */
function shapeOf(line: string): string {
  return line
    .trim()
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '""')
    .replace(/\d+/g, "0")
    .replace(/\s+/g, " ");
}
