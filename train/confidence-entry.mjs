// What fit-confidence.mjs needs of research, bundled as it ships.
export { createCorpusKeeper } from "../packages/research/src/corpus/corpus-keeper.ts";
export { CONFIDENCE_FEATURES, confidenceFeatures } from "../packages/research/src/rank/confidence.ts";
export { rankFiles } from "../packages/research/src/rank/rank-files.ts";
export { parseQuestion } from "../packages/research/src/words/question.ts";
