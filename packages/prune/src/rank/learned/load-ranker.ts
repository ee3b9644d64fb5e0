// The ranker that code is ranked with: the weights are a chunk of their own, read at the first cut and once per process,
// so that starting a server does not pay for them. If they cannot be had, the hand-set ranker does the work.
import { createHandSetRanker, type Ranker } from "../score.ts";
import { createLearnedRanker } from "./learned-ranker.ts";
import { parseTrees } from "./trees.ts";

let loading: Promise<Ranker> | undefined;

export function loadLearnedRanker(): Promise<Ranker> {
  loading ??= import("./weights.ts")
    .then(({ WEIGHTS }) => createLearnedRanker(parseTrees(WEIGHTS)))
    .catch(() => createHandSetRanker());
  return loading;
}
