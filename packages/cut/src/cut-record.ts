// What is kept beside a stored text about its cut, for people and the viewer: which lines went, and why the others
// stayed. Compact, because it is written with every cut; nothing in it is needed to bring the text back.
import { isRecord } from "@jeeves/base";
import { type Pruned, WHY } from "@jeeves/prune";

/** 1-based, inclusive: [first line, last line, words about them]. */
export type LineRun = readonly [first: number, last: number, words: string];

export interface CutRecord {
  /** What was left out, and what it was. */
  readonly blocks: readonly LineRun[];
  /** Runs of kept lines with one reason. */
  readonly why: readonly LineRun[];
}

const MAX_LABEL_CHARS = 80;

/** The record of a cut. */
export function toCutRecord(pruned: Pick<Pruned, "blocks" | "kept">): CutRecord {
  return {
    blocks: pruned.blocks.map(({ startLine, endLine, label }) => {
      const name = label.name.slice(0, MAX_LABEL_CHARS);
      return [startLine, endLine, label.what === "lines" ? name : `${label.what} ${name}`.trim()] as const;
    }),
    why: whyRunsOf(pruned.kept),
  };
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

/** A record as it was stored, without what does not fit the text; undefined where there is none. */
export function parseCutRecord(stored: unknown, lineCount: number): CutRecord | undefined {
  if (!isRecord(stored) || !Array.isArray(stored.blocks)) return undefined;
  return { blocks: parseRuns(stored.blocks, lineCount), why: parseRuns(stored.why, lineCount) };
}

/** In order and within the text; another version, or another program, may have written them. */
function parseRuns(list: unknown, lineCount: number): LineRun[] {
  if (!Array.isArray(list)) return [];
  const runs: LineRun[] = [];
  let next = 1;
  for (const item of list) {
    const [from, to, words]: unknown[] = Array.isArray(item) ? item : [];
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) continue;
    const [first, last] = [Number(from), Number(to)];
    if (first < next || last < first || last > lineCount) continue;
    runs.push([first, last, typeof words === "string" ? words : ""]);
    next = last + 1;
  }
  return runs;
}
