// How much each signal counts. Made by bench/locate/fit-weights.mjs from 272 questions about 6 repositories
// (SWE-QA-Bench, Apache-2.0); not to be edited by hand.
import type { SIGNALS } from "./signals.ts";

/** Signals that also count as a share of the best file's. */
export const RELATIVE: readonly (typeof SIGNALS)[number][] = [
  "best",
  "third",
  "file",
  "coverage",
  "bestCoverage",
  "scopeName",
  "directory",
  "mentions",
];

/** For the first file: the signals, then the relative ones. */
export const FIT_WEIGHTS: readonly number[] = [
  0.887, // best
  -0.9103, // second
  0.3042, // third
  -1.1968, // file
  1.39, // coverage
  1.7374, // bestCoverage
  1.2995, // scopeName
  0.2464, // fileNameShare
  0.5044, // fileName
  2.3228, // directory
  -0.5153, // defines
  1.811, // mentions
  -0.1234, // pairs
  1.7839, // named
  -0.4815, // test
  -0.562, // testAsked
  -1.1782, // docs
  -0.9155, // data
  0.0759, // config
  2.2891, // size
  2.1471, // imported
  -0.5898, // glue
  -0.8823, // aside
  2.7541, // best, relative
  1.9139, // third, relative
  3.3419, // file, relative
  -1.108, // coverage, relative
  0.5066, // bestCoverage, relative
  0.3887, // scopeName, relative
  -0.3267, // directory, relative
  -2.2957, // mentions, relative
];

/** For the files after it: the same, then the relations, then the distance to the first. */
export const RELATED_WEIGHTS: readonly number[] = [
  2.5211, // best
  -0.3538, // second
  -1.64, // third
  -1.077, // file
  2.8555, // coverage
  -0.3966, // bestCoverage
  2.4081, // scopeName
  0.6554, // fileNameShare
  -0.4361, // fileName
  1.1908, // directory
  0.1643, // defines
  2.1635, // mentions
  -0.5458, // pairs
  3.1566, // named
  -0.9748, // test
  -0.1127, // testAsked
  -0.4288, // docs
  -0.4781, // data
  0.1665, // config
  -0.3762, // size
  0.9748, // imported
  -0.9263, // glue
  -0.7629, // aside
  -0.2131, // best, relative
  2.8189, // third, relative
  1.1606, // file, relative
  -1.2467, // coverage, relative
  1.2999, // bestCoverage, relative
  0.4613, // scopeName, relative
  0.4778, // directory, relative
  -2.1051, // mentions, relative
  1.0248, // definesUsed
  1.6748, // usesDefined
  0.6448, // nearest
  1.7635, // near
  -0.5728, // nearFirst
  -0.2386, // pairOfFirst
  1.6649, // pair
  -0.559, // siblings
  -3.2175, // sameScope
  0.1561, // sameDirectory
  0.1964, // distance to the first
];
