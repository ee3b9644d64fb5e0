// Why lines were kept: one mark per reason, one byte per line.
import type { WhyRun } from "../../wire.ts";

interface WhyKind {
  readonly name: string;
  readonly sign: string;
  readonly about: string;
}

/** By weight: where several share a pixel, the first of them is shown. */
export const WHYS: readonly WhyKind[] = [
  { name: "error", sign: "!", about: "an error, or what leads to it" },
  { name: "evidence", sign: "●", about: "it answers the question" },
  { name: "mention", sign: "?", about: "it names trouble, and does not say that there was any" },
  { name: "outcome", sign: "✓", about: "it says how a run ended" },
  { name: "end", sign: "▪", about: "what was printed ends there" },
  { name: "support", sign: "○", about: "the evidence needs it" },
  { name: "header", sign: "§", about: "it says where the evidence is" },
  { name: "protected", sign: "◆", about: "never left out" },
  { name: "fill", sign: "·", about: "a marker in its place would save nothing" },
];

/** Per line (1-based): 0 unknown, else the index into WHYS plus one. */
export function whyCodes(why: readonly WhyRun[], lineCount: number): Uint8Array {
  const codes = new Uint8Array(lineCount + 1);
  for (const { from, to, why: name } of why) {
    const code = WHYS.findIndex((kind) => kind.name === name) + 1;
    codes.fill(code, from, to + 1);
  }
  return codes;
}

/** The reasons that occur, by weight, with their number of lines. */
export function whyCounts(why: readonly WhyRun[]): readonly (WhyKind & { readonly lines: number })[] {
  return WHYS.map((kind) => ({
    ...kind,
    lines: why.reduce((sum, run) => sum + (run.why === kind.name ? run.to - run.from + 1 : 0), 0),
  })).filter(({ lines }) => lines > 0);
}
