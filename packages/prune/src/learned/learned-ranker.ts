// The learned ranker: boosted trees over the columns, evened out like the hand-set ranker's scores and mixed with them.
// Where the text says nothing of the focus it has nothing to say either, and the hand-set skeleton stands.
import { evenOut, type Ranker, type Ranking } from "../score.ts";
import { extractColumns } from "./line-columns.ts";
import type { Trees } from "./trees.ts";

const LEAF_UNIT = 4096;
/** The log odds against a line of which nothing is known: what the trees were started from. */
const BASE = Math.log(3);
/** How much of the hand-set ranker is mixed in. Half of it costs half a point of recall at a tenth of the text. */
const HAND_SET = 0.5;
/** Evidence is what scores this share of the best line; more in a long text, where a kept line costs more turns. */
const CUT = { share: 0.45, bySize: 0.04, least: 0.3, most: 0.75 };

export function createLearnedRanker(trees: Trees): Ranker {
  return {
    rank(input): Ranking {
      const { columns, features, handSet } = extractColumns(input);
      const { coverage } = handSet;
      const isMatchList = input.outline.scopes[1]?.kind === "group";
      if (coverage === 0 || isMatchList) return handSet;
      const n = input.table.count;
      const byName = new Map(columns);
      const sums = trees.sum(
        trees.features.map((name) => byName.get(name) ?? new Int16Array(n)),
        n,
      );
      const chance = Float64Array.from(sums, (sum) => 1 / (1 + Math.exp(BASE - sum / LEAF_UNIT)));
      const learned = evenOut(chance, input.outline, features.owner);
      let top = 1e-9;
      for (const s of learned) if (s > top) top = s;
      const mixed = learned.map((s, i) => s / top + HAND_SET * (handSet.scores[i] ?? 0));
      let best = 1e-9;
      for (const s of mixed) if (s > best) best = s;
      const longer = Math.log2(Math.max(1, input.table.text.length) / 30_000);
      const cutOff = Math.min(CUT.most, Math.max(CUT.least, CUT.share + CUT.bySize * longer));
      return {
        scores: mixed.map((s) => Math.max(0, Math.round((s / best) * 1024) / 1024)),
        coverage,
        cutOff: Math.round(cutOff * 1024) / 1024,
      };
    },
  };
}
