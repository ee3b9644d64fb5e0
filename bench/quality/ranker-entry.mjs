// The learned ranker with weights of one's own: for cross-validation only.
export { createLearnedRanker } from "../../packages/prune/src/rank/learned/learned-ranker.ts";
export { parseTrees } from "../../packages/prune/src/rank/learned/trees.ts";
