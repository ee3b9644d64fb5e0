// Rankers with weights of one's own: what train/fit.py wrote. Each case is ranked with weights that never saw its
// repository or its project.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** `extra` is the module of ranker-entry.mjs. Without a use, the focus decides which. */
export function openFolds(dir, extra) {
  const groups = JSON.parse(readFileSync(join(dir, "folds.json"), "utf8"));
  const rankers = new Map();
  return (repo, use, focus = "") => {
    const trained = extra.trainedFor(use, focus);
    const name = `${groups[repo] ?? "all"}-${trained}`;
    if (!rankers.has(name)) {
      const data = JSON.parse(readFileSync(join(dir, `${name}.json`), "utf8"));
      rankers.set(name, extra.createLearnedRanker(extra.parseTrees(data), trained));
    }
    return rankers.get(name);
  };
}
