// How sure the first file is, as a calibrated chance: from its own signals and its lead over the second. The
// weights and the two limits are made by train/fit-confidence.mjs, with folds by repository.
import { CONFIDENCE_WEIGHTS, HIGH_FROM, LOW_BELOW } from "./confidence-weights.ts";
import type { RankedFile } from "./rank-files.ts";
import { SIGNALS } from "./signals.ts";

const OWN = [
  "best",
  "second",
  "bestCoverage",
  "coverage",
  "scopeName",
  "fileNameShare",
  "fileName",
  "mentions",
  "pairs",
  "test",
  "docs",
  "size",
] as const;
const LEADS = ["best", "bestCoverage", "file", "coverage", "scopeName", "fileName"] as const;

/** What the chance is made of, in order: a constant, the first file's signals, its leads, what is spelled out. */
export const CONFIDENCE_FEATURES = ["one", ...OWN, ...LEADS.map((name) => `${name} lead`), "exact", "alone"];

/** One number per CONFIDENCE_FEATURES, of files that are ranked already. */
export function confidenceFeatures([first, second]: readonly RankedFile[]): number[] {
  const of = (file: RankedFile | undefined, name: (typeof SIGNALS)[number]): number =>
    file?.signals[SIGNALS.indexOf(name)] ?? 0;
  return [
    1,
    ...OWN.map((name) => of(first, name)),
    ...LEADS.map((name) => of(first, name) - of(second, name)),
    (first?.exactLines.length ?? 0) > 0 ? 1 : 0,
    second === undefined ? 1 : 0,
  ];
}

/** The chance that the first file is right. */
export function chanceOf(ranked: readonly RankedFile[]): number {
  const features = confidenceFeatures(ranked);
  let sum = 0;
  for (let i = 0; i < features.length; i++) sum += (features[i] ?? 0) * (CONFIDENCE_WEIGHTS[i] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** That chance in the report's words. */
export function confidenceOf(ranked: readonly RankedFile[]): "low" | "med" | "high" {
  const chance = chanceOf(ranked);
  return chance >= HIGH_FROM ? "high" : chance < LOW_BELOW ? "low" : "med";
}
