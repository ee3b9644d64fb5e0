// What each of BODY_SIGNALS weighs: a softmax over the bodies of the best files, fitted on 126 questions about six Python
// projects whose lines are known (SWE-QA-Bench, Apache-2.0), tests and type declarations aside.
/** One weight for each of BODY_SIGNALS. */
export const BODY_WEIGHTS: readonly number[] = [
  0.33, -1.572, -1.958, 1.111, -0.102, 2.428, 3.583, 1.224, 2.854, 2.16, 1.326, 8.647, -0.769, 0.725, 0, 0, -0.262,
  0.296, 0.695, 0.405, 0.009, -2.385, 0.778, -0.873, 6.586, 1.33,
];

/** A body that one of the best bodies calls gains so much of what that body has over it. */
export const CALLED = 0.35;
