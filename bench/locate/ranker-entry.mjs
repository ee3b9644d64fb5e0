// What training and the baselines need of the ranker; bundled by load-ranker.mjs.
export { createCorpusKeeper } from "../../packages/research/src/corpus/corpus-keeper.ts";
export { COLUMNS, leadersOf } from "../../packages/research/src/rank/leaders.ts";
export { rankFiles } from "../../packages/research/src/rank/rank-files.ts";
export { parseQuestion } from "../../packages/research/src/words/question.ts";
