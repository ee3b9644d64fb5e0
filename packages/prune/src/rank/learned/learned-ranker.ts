// The learned ranker: boosted trees over the columns, smoothed like the hand-set ranker's scores and mixed with them. Where
// nothing in the text matches a question, the hand-set ranker decides alone.
import type { Outline } from "../../outline/outline.ts";
import { type LineTable, lineLength } from "../../text/lines.ts";
import { evenOut, type Ranker, type RankInput, type Ranking } from "../score.ts";
import { mostOf } from "./column.ts";
import { cutOffBy } from "./how-much.ts";
import { extractColumns } from "./line-columns.ts";
import { addNamed } from "./named-scopes.ts";
import type { Trees } from "./trees.ts";
import type { Trained } from "./use.ts";

const LEAF_UNIT = 4096;
/** The log odds against a line that the trees were started from. */
const BASE = Math.log(3);

interface Shape {
  /** How much of the hand-set ranker is mixed in. */
  readonly handSet: number;
  /** How much of a line's score is its scope's. */
  readonly blend: number;
  /** How much of it is the line's own: one line may be all of the answer. */
  readonly sharp: number;
  /** How much a line's length tells against it: by its root for 2, in proportion for 4. */
  readonly costRoots: number;
  /** What all lines of a function gain that the focus names, because it is what is worked on. */
  readonly named: number;
  /** False: the trees rank a text even where no line matches the focus. */
  readonly needsFocus: boolean;
}

/** How the trees' answer is used, by what the text is wanted for. */
export const SHAPES: Readonly<Record<Trained, Shape>> = {
  question: { handSet: 0.5, blend: 0.3, sharp: 0.25, costRoots: 2, named: 0, needsFocus: true },
  issue: { handSet: 0.15, blend: 0.4, sharp: 0.4, costRoots: 2, named: 0, needsFocus: true },
  read: { handSet: 0.15, blend: 0.4, sharp: 0.3, costRoots: 4, named: 0.4, needsFocus: false },
  search: { handSet: 0, blend: 0.3, sharp: 0.3, costRoots: 4, named: 0, needsFocus: false },
  run: { handSet: 0, blend: 0.2, sharp: 0.4, costRoots: 3, named: 0, needsFocus: false },
};
/** Added to the length of every line: what a line costs is not its characters alone. */
const LINE_COST_CHARS = 10;

/** A ranker by boosted trees. */
export function createLearnedRanker(trees: Trees, use: Trained, shape: Shape = SHAPES[use]): Ranker {
  const wanted = new Set(trees.features);
  return {
    rank(input): Ranking {
      const { columns, features, handSet } = extractColumns(input, wanted);
      const { coverage } = handSet;
      const isMatchList = input.outline.scopes[1]?.kind === "group";
      if (shape.needsFocus && (coverage === 0 || isMatchList)) return handSet;
      const n = input.table.count;
      const byName = new Map(columns);
      const sums = trees.sum(
        trees.features.map((name) => byName.get(name) ?? new Int16Array(n)),
        n,
      );
      const chances = new Float64Array(n);
      for (let i = 0; i < n; i++) chances[i] = 1 / (1 + Math.exp(BASE - (sums[i] ?? 0) / LEAF_UNIT));
      const even = evenOut(chances, input.outline, features.owner, shape.blend);
      for (let i = 0; i < n; i++) even[i] = (1 - shape.sharp) * (even[i] ?? 0) + shape.sharp * (chances[i] ?? 0);
      const mixed = even;
      const prices = pricesOf(input, features.owner, shape);
      for (let i = 0; i < n; i++) mixed[i] = (even[i] ?? 0) / (prices[i] ?? 1);
      const top = mostOf(mixed);
      for (let i = 0; i < n; i++) mixed[i] = (mixed[i] ?? 0) / top + shape.handSet * (handSet.scores[i] ?? 0);
      if (shape.named > 0) addNamed(mixed, input, features, shape.named);
      const best = mostOf(mixed);
      const scores = mixed;
      for (let i = 0; i < n; i++) scores[i] = Math.max(0, Math.round(((mixed[i] ?? 0) / best) * 1024) / 1024);
      const charsAt = (i: number): number => lineLength(input.table, i);
      return { scores, coverage, cutOff: cutOffBy({ scores, chances, charsAt }), chances };
    },
  };
}

/** The prices of an outline's lines for the last shape. */
const known = new WeakMap<Outline, { readonly shape: Shape; readonly prices: Float64Array }>();

/** What chances are divided by: of two places with the same chance the one in shorter lines costs less. */
function pricesOf({ table, outline }: RankInput, owner: Int32Array, shape: Shape): Float64Array {
  const last = known.get(outline);
  if (last?.shape === shape) return last.prices;
  const prices = readPrices(table, outline, owner, shape);
  known.set(outline, { shape, prices });
  return prices;
}

function readPrices(table: LineTable, outline: Outline, owner: Int32Array, { blend, costRoots }: Shape): Float64Array {
  const n = table.count;
  const chars = new Float64Array(n);
  for (let i = 0; i < n; i++) chars[i] = lineLength(table, i);
  const mean = table.text.length / Math.max(1, n);
  const prices = evenOut(chars, outline, owner, blend);
  for (let i = 0; i < n; i++) {
    const cost = ((prices[i] ?? 0) + LINE_COST_CHARS) / (mean + LINE_COST_CHARS);
    // By roots alone: they are the same on every machine.
    const fourth = Math.sqrt(Math.sqrt(cost));
    let price = 1;
    for (let k = 0; k < costRoots; k++) price *= fourth;
    prices[i] = price;
  }
  return prices;
}
