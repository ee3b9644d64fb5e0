// How much each number of a row counts. Made by train/fit-locate.py from 414 questions and issues about 19
// repositories (SWE-QA-Bench, Apache-2.0; public issues and the files that their fixes changed); not to be edited by hand.

/** For the first file; the columns are those of leaders.ts. */
export const FIRST_WEIGHTS: readonly number[] = [
  0.5812, // best
  -0.1183, // second
  0.359, // third
  -0.1129, // file
  -0.1264, // coverage
  1.218, // bestCoverage
  -1.4402, // scopeName
  0.663, // fileNameShare
  0.1618, // fileName
  0.785, // directory
  -0.1623, // defines
  0.0487, // mentions
  -0.7963, // pairs
  2.279, // named
  -0.4014, // test
  -0.0184, // testAsked
  -0.6764, // docs
  -0.6846, // data
  -0.3444, // config
  0.7638, // size
  0.122, // imported
  -0.803, // glue
  -0.3693, // aside
  0.2443, // titleBest
  0.2567, // titleFile
  -0.0163, // titleCoverage
  -0.0054, // fullName
  -0.6967, // fullNames
  -0.6737, // traced
  -1.0083, // tracedName
  -1.1258, // module
  0.4117, // private
  -0.5741, // depth
  0.618, // best, relative
  0.8375, // third, relative
  0.629, // file, relative
  -0.1041, // coverage, relative
  0.8091, // bestCoverage, relative
  0.8018, // scopeName, relative
  0.4543, // directory, relative
  -0.6109, // mentions, relative
  0.7346, // titleBest, relative
  0.9652, // titleFile, relative
  0.5014, // fullName, relative
  0.9268, // size, relative
  0.491, // imported, relative
  -1.5834, // best, by length
  -0.3625, // file, by length
  -0.7431, // coverage, by length
  0.2459, // titleBest, by length
  0.4065, // titleFile, by length
  -1.5228, // test, by length
  -1.0823, // docs, by length
  -1.1143, // data, by length
  0.1303, // size, by length
  0.0586, // imported, by length
  -0.0125, // fileName, by length
  0.5731, // directory, by length
  0.2376, // defines, by length
  0.0888, // mentions, by length
  -0.4402, // named, by length
  -0.1819, // aside, by length
  0.1112, // definesUsed
  0.5128, // usesDefined
  0.2633, // nearest
  1.188, // near
  0.0266, // nearFirst
  -0.0627, // pairOfFirst
  0.6221, // pair
  -0.5043, // siblings
  -1.2442, // sameScope
  0.0414, // sameDirectory
  0.0495, // distance
  -0.8117, // window
  0.4346, // titleWindow
  -0.4488, // wideWindow
  0.2468, // phrases
  -0.3, // titlePhrases
  0.1387, // window, relative
  0.3634, // titleWindow, relative
  0.1519, // wideWindow, relative
  0.4902, // phrases, relative
  0.2704, // titlePhrases, relative
];

/** For the files after it. */
export const REST_WEIGHTS: readonly number[] = [
  0.6593, // best
  0.1645, // second
  0.5237, // third
  -0.0225, // file
  0.1006, // coverage
  1.1029, // bestCoverage
  2.8532, // scopeName
  0.9133, // fileNameShare
  0.0225, // fileName
  1.3691, // directory
  0.6205, // defines
  0.05, // mentions
  -1.4376, // pairs
  3.2312, // named
  -0.3744, // test
  0.0547, // testAsked
  -0.5653, // docs
  -0.305, // data
  0.3494, // config
  0.1874, // size
  0.4093, // imported
  -1.0378, // glue
  -0.4384, // aside
  0.2585, // titleBest
  0.1293, // titleFile
  0.4603, // titleCoverage
  0.0651, // fullName
  -1.3758, // fullNames
  2.6725, // traced
  -0.0494, // tracedName
  -3.3014, // module
  0.5997, // private
  -0.7909, // depth
  0.6311, // best, relative
  1.3943, // third, relative
  0.9287, // file, relative
  0.352, // coverage, relative
  0.9652, // bestCoverage, relative
  0.3818, // scopeName, relative
  0.4523, // directory, relative
  -1.0104, // mentions, relative
  0.2623, // titleBest, relative
  0.2889, // titleFile, relative
  0.6321, // fullName, relative
  0.46, // size, relative
  0.7687, // imported, relative
  -3.4098, // best, by length
  -0.5784, // file, by length
  -0.6123, // coverage, by length
  0.0845, // titleBest, by length
  0.1855, // titleFile, by length
  -1.7207, // test, by length
  -0.4981, // docs, by length
  -0.8309, // data, by length
  0.3148, // size, by length
  0.0061, // imported, by length
  0.2029, // fileName, by length
  0.5412, // directory, by length
  -0.5426, // defines, by length
  -0.0641, // mentions, by length
  -4.202, // named, by length
  0.2679, // aside, by length
  0.3793, // definesUsed
  0.9692, // usesDefined
  0.3918, // nearest
  1.4599, // near
  -0.0126, // nearFirst
  0.0256, // pairOfFirst
  1.3033, // pair
  -0.5661, // siblings
  -1.418, // sameScope
  0.1037, // sameDirectory
  0.0559, // distance
  -1.0912, // window
  0.7297, // titleWindow
  -0.3736, // wideWindow
  -0.1361, // phrases
  -0.9119, // titlePhrases
  -0.4537, // window, relative
  0.2847, // titleWindow, relative
  0.2416, // wideWindow, relative
  0.6503, // phrases, relative
  0.4912, // titlePhrases, relative
];
