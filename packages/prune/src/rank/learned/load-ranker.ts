// The learned rankers, one for each use of a text. Their weights are chunks of their own, loaded once per process at the
// first cut for that use, so that they do not slow down a start. If they cannot be loaded, the hand-set ranker takes over.
import { createHandSetRanker, type Ranker } from "../score.ts";
import { createLearnedRanker } from "./learned-ranker.ts";
import { parseTrees, type TreeData } from "./trees.ts";
import type { Trained } from "./use.ts";

const WEIGHTS: Readonly<Record<Trained, () => Promise<{ readonly WEIGHTS: TreeData }>>> = {
  question: () => import("./weights/question.ts"),
  issue: () => import("./weights/issue.ts"),
  read: () => import("./weights/read.ts"),
  search: () => import("./weights/search.ts"),
  run: () => import("./weights/run.ts"),
};
const loading = new Map<Trained, Promise<Ranker>>();

/** The learned ranker for a use, or the hand-set one where its weights cannot be loaded. Never rejects. */
export function loadLearnedRanker(use: Trained = "question"): Promise<Ranker> {
  let ranker = loading.get(use);
  if (ranker === undefined) {
    ranker = WEIGHTS[use]()
      .then((module) => createLearnedRanker(parseTrees(module.WEIGHTS), use))
      .catch(() => createHandSetRanker());
    loading.set(use, ranker);
  }
  return ranker;
}
