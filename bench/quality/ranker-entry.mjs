// The learned ranker with weights of one's own: for cross-validation only.

export { useOf } from "../../packages/cut/src/policy/use-of.ts";
export { createLearnedRanker } from "../../packages/prune/src/rank/learned/learned-ranker.ts";
export { loadLearnedRanker } from "../../packages/prune/src/rank/learned/load-ranker.ts";
export { parseTrees } from "../../packages/prune/src/rank/learned/trees.ts";
export { trainedFor } from "../../packages/prune/src/rank/learned/use.ts";
