// What is kept beside a stored text about its cut, for people and the viewer: which lines went, and why the others
// stayed. Compact, because it is written with every cut; nothing in it is needed to bring the text back.
import { type Pruned, WHY } from "@jeeves/prune";

export interface CutRecord {
  /** 1-based, inclusive: [first, last, what it was]. */
  readonly blocks: readonly (readonly [number, number, string])[];
  /** Runs of kept lines with one reason: [first, last, reason]. */
  readonly why: readonly (readonly [number, number, string])[];
}

const MAX_LABEL_CHARS = 80;

export function toCutRecord(pruned: Pruned): CutRecord {
  return {
    blocks: pruned.blocks.map(({ startLine, endLine, label }) => {
      const name = label.name.slice(0, MAX_LABEL_CHARS);
      return [startLine, endLine, label.what === "lines" ? name : `${label.what} ${name}`.trim()] as const;
    }),
    why: whyRunsOf(pruned.kept),
  };
}

function whyRunsOf(kept: Uint8Array): (readonly [number, number, string])[] {
  const runs: (readonly [number, number, string])[] = [];
  for (let from = 0; from < kept.length; ) {
    const code = kept[from] ?? 0;
    let to = from;
    while (to + 1 < kept.length && kept[to + 1] === code) to++;
    if (code !== 0) runs.push([from + 1, to + 1, WHY[code - 1] ?? ""]);
    from = to + 1;
  }
  return runs;
}
