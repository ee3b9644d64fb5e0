// Chooses the ranker for the rows of a shape.
import { createHandSetRanker, type Ranker } from "../rank/score.ts";
import { rankRows } from "./rank-rows.ts";
import type { Shape } from "./shape.ts";

/** Scripts and navigation are not shown where anything else scores as much as this. */
const IDLE_ASKED = 0.4;

/** Rows of JSON and of tables are ranked as such, other rows like lines. */
export function rankerOf(shape: Shape | undefined): Ranker {
  if (shape?.isList === true) return { rank: (input) => rankRows(input, shape) };
  const ranker = createHandSetRanker();
  const idle = shape?.idle;
  if (idle === undefined) return ranker;
  return {
    rank(input) {
      const ranking = ranker.rank(input);
      let best = 0;
      for (const [row, score] of ranking.scores.entries()) if (idle[row] !== 1 && score > best) best = score;
      // Scripts and navigation may be what is asked for.
      if (best < IDLE_ASKED) return ranking;
      return { ...ranking, scores: ranking.scores.map((score, row) => (idle[row] === 1 ? -1 : score)) };
    },
  };
}
