// Made by train/fit-confidence.mjs from 272 questions about 6 repositories (SWE-QA-Bench, Apache-2.0); not to be
// edited by hand.

/** One per CONFIDENCE_FEATURES. */
export const CONFIDENCE_WEIGHTS: readonly number[] = [
  0.5169, // one
  0.7157, // best
  -0.7286, // second
  1.9826, // bestCoverage
  0.7556, // coverage
  2.3183, // scopeName
  0.7305, // fileNameShare
  0.4583, // fileName
  0.4272, // mentions
  -0.3143, // pairs
  -1.0961, // test
  1.7934, // docs
  -1.368, // size
  0.5318, // best lead
  0.1686, // bestCoverage lead
  -0.562, // file lead
  0.4417, // coverage lead
  -0.526, // scopeName lead
  -0.267, // fileName lead
  1.5549, // exact
  0, // alone
];
/** From this chance on the confidence is "high". */
export const HIGH_FROM = 0.7897;
/** Below this chance the confidence is "low". */
export const LOW_BELOW = -1;
