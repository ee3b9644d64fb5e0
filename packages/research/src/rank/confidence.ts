// How sure the first file is, as a calibrated chance: from its lead over the others. Its own numbers say less about
// repositories that no weight has seen. The weights and the two limits are made by train/fit-confidence.mjs, with folds
// by repository.
import { CONFIDENCE_WEIGHTS, HIGH_FROM, LOW_BELOW } from "./confidence-weights.ts";
import type { RankedFile } from "./rank-files.ts";

/** What the chance is made of, in order: a constant, and the first file's lead. */
export const CONFIDENCE_FEATURES = ["one", "lead"];

/** A longer lead makes no surer. */
const LONG_LEAD = 6;

/** One number per CONFIDENCE_FEATURES, of files that are ranked already. */
export function confidenceFeatures([first]: readonly RankedFile[]): number[] {
  return [1, Math.max(0, Math.min(LONG_LEAD, first?.lead ?? 0))];
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
