// The learned ranker: boosted trees over the columns, evened out like the hand-set ranker's scores and mixed with them.
// Where the text says nothing of the focus it has nothing to say either, and the hand-set skeleton stands.
import { lineLength } from "../../text/lines.ts";
import { evenOut, type Ranker, type RankInput, type Ranking } from "../score.ts";
import { mostOf } from "./column.ts";
import { cutOffBy } from "./how-much.ts";
import { extractColumns } from "./line-columns.ts";
import type { Trees } from "./trees.ts";

const LEAF_UNIT = 4096;
/** The log odds against a line of which nothing is known: what the trees were started from. */
const BASE = Math.log(3);
/** How much of the hand-set ranker is mixed in. */
const HAND_SET = 0.5;
/** How much of a line's score is its scope's. */
const BLEND = 0.3;
/** How much of it is the line's own: one line may be all of the answer. */
const SHARP = 0.25;
/** Added to the length of every line: what a line costs is not its characters alone. */
const LINE_COST_CHARS = 10;

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
      const chances = Float64Array.from(sums, (sum) => 1 / (1 + Math.exp(BASE - sum / LEAF_UNIT)));
      const even = evenOut(chances, input.outline, features.owner, BLEND);
      for (let i = 0; i < n; i++) even[i] = (1 - SHARP) * (even[i] ?? 0) + SHARP * (chances[i] ?? 0);
      const worth = perCost(even, input, features.owner);
      const top = mostOf(worth);
      const mixed = worth.map((s, i) => s / top + HAND_SET * (handSet.scores[i] ?? 0));
      const best = mostOf(mixed);
      const scores = mixed.map((s) => Math.max(0, Math.round((s / best) * 1024) / 1024));
      const charsAt = (i: number): number => lineLength(input.table, i);
      return { scores, coverage, cutOff: cutOffBy({ scores, chances, charsAt }) };
    },
  };
}

/** Of two places with the same chance the one in shorter lines costs less: divided by the root of that. */
function perCost(chances: Float64Array, { table, outline }: RankInput, owner: Int32Array): Float64Array {
  const n = table.count;
  const chars = new Float64Array(n);
  for (let i = 0; i < n; i++) chars[i] = lineLength(table, i);
  const mean = table.text.length / Math.max(1, n);
  const around = evenOut(chars, outline, owner, BLEND);
  return chances.map((s, i) => s / Math.sqrt(((around[i] ?? 0) + LINE_COST_CHARS) / (mean + LINE_COST_CHARS)));
}
