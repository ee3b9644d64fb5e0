// The rankers that were learned, one for each use of a text: their weights are chunks of their own, read at the first cut
// for that use and once per process, so that starting a server does not pay for them. If they cannot be had, the hand-set
// ranker does the work.
import { createHandSetRanker, type Ranker } from "../score.ts";
import { createLearnedRanker } from "./learned-ranker.ts";
import { parseTrees, type TreeData } from "./trees.ts";
import type { Use } from "./use.ts";

const WEIGHTS: Readonly<Record<Use, () => Promise<{ readonly WEIGHTS: TreeData }>>> = {
  question: () => import("./weights/question.ts"),
  read: () => import("./weights/read.ts"),
  search: () => import("./weights/search.ts"),
  run: () => import("./weights/run.ts"),
};
const loading = new Map<Use, Promise<Ranker>>();

export function loadLearnedRanker(use: Use = "question"): Promise<Ranker> {
  let ranker = loading.get(use);
  if (ranker === undefined) {
    ranker = WEIGHTS[use]()
      .then((module) => createLearnedRanker(parseTrees(module.WEIGHTS), use))
      .catch(() => createHandSetRanker());
    loading.set(use, ranker);
  }
  return ranker;
}
