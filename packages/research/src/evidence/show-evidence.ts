// Bodies as evidence: a reference to where each begins and its lines as they are in the file, each with its number. "…"
// stands where lines were left out; what is left out is at its number in the file.
import { lineAt } from "@jeeves/prune";
import { type ResearchRoot, toReference } from "../roots.ts";
import type { RankedBody } from "./choose-bodies.ts";
import { spend } from "./spend.ts";

/** A piece of code: `reference` is its first line's, `text` has a line number before each line. */
export interface Evidence {
  readonly reference: string;
  readonly text: string;
}

const MAX_LINE_CHARS = 400;
const GAP = "…";

/** As much evidence as so many tokens buy, best first. */
export function showEvidence(
  bodies: readonly RankedBody[],
  {
    roots,
    tokens,
    printed = [],
  }: {
    readonly roots: readonly ResearchRoot[];
    readonly tokens: number;
    /** References that stand elsewhere in the answer: none is printed twice. */
    readonly printed?: readonly string[];
  },
): Evidence[] {
  const evidence: Evidence[] = [];
  const taken = new Set<string>(printed);
  for (const { body, lines } of spend(bodies, tokens)) {
    const { root, path, scored } = body.file;
    const places = [...lines.filter((line) => line >= body.headerStart), ...lines];
    const reference = places
      .map((line) => toReference({ root, path, line: line + 1 }, roots))
      .find((place) => !taken.has(place));
    if (reference === undefined) continue;
    taken.add(reference);
    const shown: string[] = [];
    let before: number | undefined;
    for (const line of lines) {
      if (before !== undefined && line > before + 1) shown.push(GAP);
      before = line;
      const text = lineAt(scored.table, line).replace(/\r?\n$|\r$/, "");
      shown.push(`${line + 1}:${text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}${GAP}` : text}`);
    }
    evidence.push({ reference, text: shown.join("\n") });
  }
  return evidence;
}
