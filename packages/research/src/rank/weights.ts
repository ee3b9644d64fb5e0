// How much each number of a row counts. Made by train/fit-locate.py from 419 questions and issues (SWE-QA-Bench,
// Apache-2.0; public issues and the files that their fixes changed); not to be edited by hand.

/** For the first file; the columns are those of leaders.ts. */
export const FIRST_WEIGHTS: readonly number[] = [
  0.5927, // best
  -0.29, // second
  0.3552, // third
  -0.0614, // file
  -0.0058, // coverage
  1.3528, // bestCoverage
  -1.5062, // scopeName
  0.5268, // fileNameShare
  0.4046, // fileName
  0.7345, // directory
  -0.1924, // defines
  0.02, // mentions
  -0.8948, // pairs
  2.5795, // named
  -0.4563, // test
  -0.0518, // testAsked
  -0.6911, // docs
  -0.5938, // data
  -0.261, // config
  0.7786, // size
  0.1448, // imported
  -0.7858, // glue
  -0.2627, // aside
  0.3542, // titleBest
  0.3142, // titleFile
  -0.0659, // titleCoverage
  0.1389, // fullName
  -0.515, // fullNames
  0.4655, // traced
  -1.2817, // tracedName
  -1.4993, // module
  0.4448, // private
  -0.8116, // depth
  0.768, // best, relative
  0.816, // third, relative
  0.6195, // file, relative
  -0.1377, // coverage, relative
  0.7098, // bestCoverage, relative
  0.7038, // scopeName, relative
  0.3847, // directory, relative
  -0.5308, // mentions, relative
  0.8333, // titleBest, relative
  0.8437, // titleFile, relative
  0.301, // fullName, relative
  0.8747, // size, relative
  0.4799, // imported, relative
  -1.8124, // best, by length
  -0.4641, // file, by length
  -0.8909, // coverage, by length
  0.419, // titleBest, by length
  0.5278, // titleFile, by length
  -1.4481, // test, by length
  -0.9888, // docs, by length
  -0.943, // data, by length
  0.098, // size, by length
  0.336, // imported, by length
  -0.3131, // fileName, by length
  0.7788, // directory, by length
  0.3898, // defines, by length
  0.0388, // mentions, by length
  -1.0322, // named, by length
  -0.2813, // aside, by length
  0.2746, // definesUsed
  0.6993, // usesDefined
  0.241, // nearest
  1.1708, // near
  -0.0305, // nearFirst
  -0.0269, // pairOfFirst
  0.5914, // pair
  -0.5634, // siblings
  -1.4425, // sameScope
  0.1102, // sameDirectory
  0.0502, // distance
  -0.7973, // window
  0.2697, // titleWindow
  -0.345, // wideWindow
  0.532, // phrases
  -0.6422, // titlePhrases
  -0.0065, // window, relative
  0.3562, // titleWindow, relative
  0.0439, // wideWindow, relative
  0.4756, // phrases, relative
  0.3613, // titlePhrases, relative
];

/** For the files after it. */
export const REST_WEIGHTS: readonly number[] = [
  0.7843, // best
  0.1022, // second
  0.4557, // third
  0.0161, // file
  0.3154, // coverage
  1.158, // bestCoverage
  2.0696, // scopeName
  0.6564, // fileNameShare
  0.4381, // fileName
  1.0643, // directory
  0.5661, // defines
  0.1557, // mentions
  -1.4027, // pairs
  3.0845, // named
  -0.4273, // test
  0.0292, // testAsked
  -0.6831, // docs
  -0.362, // data
  0.3417, // config
  0.3432, // size
  0.3545, // imported
  -0.951, // glue
  -0.1806, // aside
  0.3266, // titleBest
  0.2573, // titleFile
  0.3386, // titleCoverage
  0.5133, // fullName
  -1.5018, // fullNames
  2.4979, // traced
  5.0866, // tracedName
  -4.8446, // module
  0.6355, // private
  -0.9429, // depth
  0.6455, // best, relative
  1.3207, // third, relative
  0.8697, // file, relative
  0.2746, // coverage, relative
  0.5716, // bestCoverage, relative
  0.2367, // scopeName, relative
  0.4244, // directory, relative
  -0.9397, // mentions, relative
  0.5093, // titleBest, relative
  0.3929, // titleFile, relative
  0.3664, // fullName, relative
  0.4542, // size, relative
  0.8207, // imported, relative
  -4.715, // best, by length
  -1.0443, // file, by length
  -0.6549, // coverage, by length
  0.1566, // titleBest, by length
  0.4765, // titleFile, by length
  -1.7683, // test, by length
  -0.6104, // docs, by length
  -0.4652, // data, by length
  0.3113, // size, by length
  0.0565, // imported, by length
  0.0776, // fileName, by length
  0.9134, // directory, by length
  -0.3213, // defines, by length
  -0.0004, // mentions, by length
  -1.9771, // named, by length
  0.2875, // aside, by length
  0.5759, // definesUsed
  1.1411, // usesDefined
  0.3496, // nearest
  1.4465, // near
  -0.1445, // nearFirst
  0.464, // pairOfFirst
  0.9824, // pair
  -0.5282, // siblings
  -1.599, // sameScope
  0.1741, // sameDirectory
  0.0584, // distance
  -0.7629, // window
  0.4971, // titleWindow
  -0.181, // wideWindow
  0.059, // phrases
  -1.1934, // titlePhrases
  -0.6626, // window, relative
  0.5113, // titleWindow, relative
  0.1183, // wideWindow, relative
  0.6317, // phrases, relative
  0.5869, // titlePhrases, relative
];
