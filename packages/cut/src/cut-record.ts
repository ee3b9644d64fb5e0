// The record of a cut, stored beside its text for people and the viewer: which lines were left out, and why the others were
// kept. Compact, because it is written with every cut; it is not needed to bring the text back.
import { isRecord } from "@jeeves/base";
import { type Block, type LineTable, lineAt, type Pruned, shortMarker, WHY } from "@jeeves/prune";

/** Lines, 1-based and inclusive: [first line, last line, words about them]. */
export type LineRun = readonly [first: number, last: number, words: string];

/** Characters of the whole text as markers name them, 1-based and inclusive: [first, last, words about them]. */
export type CharRun = readonly [first: number, last: number, words: string];

/** Which lines a cut left out, and why the others were kept. */
export interface CutRecord {
  /** The lines that were left out, with what they were. */
  readonly blocks: readonly LineRun[];
  /** What was cut out of lines that are shown around it; absent where nothing was. */
  readonly inside?: readonly CharRun[];
  /** Runs of kept lines with one reason. */
  readonly why: readonly LineRun[];
}

const MAX_LABEL_CHARS = 80;

/** The record of a cut; its words have at most 80 characters each. */
export function toCutRecord(pruned: Pick<Pruned, "blocks" | "kept">): CutRecord {
  const inside = pruned.blocks.flatMap(({ chars, label }) =>
    chars === undefined ? [] : [[chars.startChar, chars.endChar, wordsOf(label)] as const],
  );
  return {
    blocks: pruned.blocks.flatMap(({ startLine, endLine, label, chars }) =>
      chars === undefined ? [[startLine, endLine, wordsOf(label)] as const] : [],
    ),
    ...(inside.length === 0 ? {} : { inside }),
    why: whyRunsOf(pruned.kept),
  };
}

function wordsOf({ what, name, holds }: Block["label"]): string {
  if (holds !== undefined) return holds.slice(0, MAX_LABEL_CHARS);
  const words = name.slice(0, MAX_LABEL_CHARS);
  return what === "lines" ? words : `${what} ${words}`.trim();
}

function whyRunsOf(kept: Uint8Array): LineRun[] {
  const runs: LineRun[] = [];
  for (let from = 0; from < kept.length; ) {
    const code = kept[from] ?? 0;
    let to = from;
    while (to + 1 < kept.length && kept[to + 1] === code) to++;
    if (code !== 0) runs.push([from + 1, to + 1, WHY[code - 1] ?? ""]);
    from = to + 1;
  }
  return runs;
}

/** A stored record, without runs that do not fit the text; undefined where it is not a record. */
export function parseCutRecord(
  stored: unknown,
  lineCount: number,
  charCount = Number.MAX_SAFE_INTEGER,
): CutRecord | undefined {
  if (!isRecord(stored) || !Array.isArray(stored.blocks)) return undefined;
  const inside = parseRuns(stored.inside, charCount);
  return {
    blocks: parseRuns(stored.blocks, lineCount),
    ...(inside.length === 0 ? {} : { inside }),
    why: parseRuns(stored.why, lineCount),
  };
}

/** Only well-formed runs, in order and within the text: another version or program may have written them. */
function parseRuns(list: unknown, most: number): LineRun[] {
  if (!Array.isArray(list)) return [];
  const runs: LineRun[] = [];
  let next = 1;
  for (const item of list) {
    const [from, to, words]: unknown[] = Array.isArray(item) ? item : [];
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) continue;
    const [first, last] = [Number(from), Number(to)];
    if (first < next || last < first || last > most) continue;
    runs.push([first, last, typeof words === "string" ? words : ""]);
    next = last + 1;
  }
  return runs;
}

/** A line (0-based) as the cut showed it: with a marker for each part of it that was cut out. */
export function lineAsShown(table: LineTable, line: number, { inside = [] }: Partial<CutRecord>): string {
  const text = lineAt(table, line);
  const start = table.starts[line] ?? 0;
  let shown = "";
  let next = 0;
  for (const [first, last, words] of inside) {
    const from = first - 1 - start;
    if (from < next || last - start > text.length) continue;
    const label = { what: "lines", name: "", ...(words === "" ? {} : { holds: words }) } as const;
    const chars = { startChar: first, endChar: last };
    shown +=
      text.slice(next, from) + shortMarker({ startLine: line + 1, endLine: line + 1, lineCount: 0, label, chars });
    next = last - start;
  }
  return shown + text.slice(next);
}
