// One reference away: a scope that the top scopes name, and a scope that names one of them, gets the score of that
// neighbour. By name only; a name that many scopes share does not count.
import type { Outline } from "../outline/outline.ts";
import type { Hits } from "./hits.ts";
import { scopeNames } from "./scope-names.ts";

const HOP = { top: 4, sameName: 4 };

/** Per scope the best score of a top scope that names it or that it names. */
export function linkedScores(hits: Hits, outline: Outline, owner: Int32Array, scope: Float64Array): Float64Array {
  const linked = new Float64Array(scope.length);
  const { holders } = scopeNames(outline);
  const top = [...scope.keys()].filter((i) => i > 0 && (scope[i] ?? 0) > 0);
  top.sort((a, b) => Math.round((scope[b] ?? 0) * 1024) - Math.round((scope[a] ?? 0) * 1024) || a - b);
  const topScore = new Map(top.slice(0, HOP.top).map((i) => [i, scope[i] ?? 0]));
  const raise = (i: number, score: number): void => {
    if (i > 0 && score > (linked[i] ?? 0)) linked[i] = score;
  };
  for (let i = 0; i < outline.scopeOf.length; i++) {
    const own = owner[outline.scopeOf[i] ?? 0] ?? 0;
    for (let k = hits.refStart[i] ?? 0; k < (hits.refStart[i + 1] ?? 0); k++) {
      const targets = holders[hits.ref[k] ?? 0] ?? [];
      if (targets.length > HOP.sameName) continue;
      for (const target of targets) {
        if (target === own) continue;
        raise(target, topScore.get(own) ?? 0);
        raise(own, topScore.get(target) ?? 0);
      }
    }
  }
  return linked;
}
