// Made by train/fit-confidence.mjs from 358 questions about 74 repositories (SWE-QA-Bench,
// Apache-2.0; SWE-QA-Pro, MIT); not to be edited by hand.

/** One per CONFIDENCE_FEATURES. */
export const CONFIDENCE_WEIGHTS: readonly number[] = [
  0.4194, // one
  0.3566, // lead
];
/** From this chance on the confidence is "high". */
export const HIGH_FROM = 0.8689;
/** Below this chance the confidence is "low". */
export const LOW_BELOW = -1;
