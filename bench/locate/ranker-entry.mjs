// What training and the baselines need of the ranker; bundled by load-ranker.mjs.
export { createCorpusKeeper } from "../../packages/research/src/corpus/corpus-keeper.ts";
export { rankFiles, withRelatives } from "../../packages/research/src/rank/rank-files.ts";
export { RELATIONS, relationsOf } from "../../packages/research/src/rank/relations.ts";
export { askedTerms, SIGNALS, signalsOf } from "../../packages/research/src/rank/signals.ts";
export { RELATIVE } from "../../packages/research/src/rank/weights.ts";
export { parseQuestion } from "../../packages/research/src/words/question.ts";
