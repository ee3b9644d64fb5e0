// Bodies as evidence: for each file a reference to the best place in it, and the lines that are shown, as they are in the
// file, each behind its number. "…" stands where lines were left out that tell something; the numbers say which.
import { lineAt } from "@jeeves/prune";
import { type ResearchRoot, toReference } from "../roots.ts";
import type { RankedBody } from "./choose-bodies.ts";
import { spend } from "./spend.ts";

/** Code of one file: `reference` is the best place in it, `text` has its number and a space before each line. */
export interface Evidence {
  readonly reference: string;
  readonly text: string;
}

const MAX_LINE_CHARS = 400;
const GAP = "…";
/** Lines that may go without a sign: the numbers around them show that they are missing. */
const SILENT = /^[\s{}()[\];,]*$/;

/** As much evidence as so many tokens buy, the file with the best body first. */
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
  const files = new Map<RankedBody["file"], { readonly first: RankedBody; readonly lines: number[] }>();
  for (const { body, lines } of spend(bodies, tokens)) {
    const known = files.get(body.file);
    if (known === undefined) files.set(body.file, { first: body, lines: [...lines] });
    else known.lines.push(...lines);
  }
  const evidence: Evidence[] = [];
  const taken = new Set<string>(printed);
  for (const [{ root, path, scored }, { first, lines }] of files) {
    const own = new Set(first.lines);
    const places = [...lines.filter((line) => own.has(line) && line >= first.headerStart), ...lines];
    const reference = places
      .map((line) => toReference({ root, path, line: line + 1 }, roots))
      .find((place) => !taken.has(place));
    if (reference === undefined) continue;
    taken.add(reference);
    const shown: string[] = [];
    let before: number | undefined;
    for (const line of lines.sort((a, b) => a - b)) {
      if (before !== undefined && !isSilent(scored.table, before + 1, line)) shown.push(GAP);
      before = line;
      const text = lineAt(scored.table, line).replace(/\r?\n$|\r$/, "");
      shown.push(`${line + 1} ${text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}${GAP}` : text}`);
    }
    evidence.push({ reference, text: shown.join("\n") });
  }
  return evidence;
}

/** Whether all lines from one up to another are blank or brackets alone. */
function isSilent(table: RankedBody["file"]["scored"]["table"], from: number, to: number): boolean {
  for (let line = from; line < to; line++) if (!SILENT.test(lineAt(table, line))) return false;
  return true;
}
