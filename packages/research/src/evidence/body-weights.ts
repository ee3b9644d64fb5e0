// What each of BODY_SIGNALS weighs: half way between two fits of a softmax over the bodies of the best files, one on 126
// questions about six Python projects whose lines are known (SWE-QA-Bench, Apache-2.0), one on 60 about thirteen projects in
// seven languages (bench/answers, without the questions that judge); tests and type declarations aside.
/** One weight for each of BODY_SIGNALS. */
export const BODY_WEIGHTS: readonly number[] = [
  0.445, -1.656, -1.791, 0.556, 0.069, 1.214, 3.552, 1.451, 2.326, 2.201, 1.097, 7.95, -0.786, 0.683, 0, -0.195, -0.87,
  0.446, 0.489, 0.499, -0.104, -2.344, 0.979, -1.063, 3.293, 1.472,
];

/** A body that one of the best bodies calls gains so much of what that body has over it. */
export const CALLED = 0.35;
