// The features of the learned ranker: one column of integers per feature, the same for every language. The same extractor
// is used for training and for ranking. All values are quantised before they are compared.
import { lineLength } from "../../text/lines.ts";
import { extractFeatures, type FeatureInput, type Features } from "../features.ts";
import { scopeTerms } from "../scope-terms.ts";
import { mix, type Ranking } from "../score.ts";
import { type Column, columnBy, toColumn, UNIT } from "./column.ts";
import { linkColumns } from "./link-columns.ts";
import { partColumns } from "./part-columns.ts";
import { placeColumns } from "./place-columns.ts";
import { scopeColumns } from "./scope-columns.ts";
import { textColumns } from "./text-columns.ts";
import { wordColumns } from "./word-columns.ts";

interface LineColumns {
  readonly columns: readonly Column[];
  readonly features: Features;
  /** The hand-set ranker's answer: two columns, and the answer where no line matches. */
  readonly handSet: Ranking;
}

/** All columns; with `wanted`, those that no other needs only if their names are in it. */
export function extractColumns(input: FeatureInput, wanted?: ReadonlySet<string>): LineColumns {
  const features = extractFeatures(input);
  const handSet = mix(features, input);
  const { scores } = handSet;
  const n = input.table.count;
  const { ownerOf } = features;
  const pairs = scopeTerms(features.hits, ownerOf, input.outline.scopes.length);
  const columns: Column[] = [
    ...wordColumns(input, features),
    ...scopeColumns(input, features, { ownerOf, pairs }),
    ...linkColumns(input, features, ownerOf),
    ...placeColumns(input, features),
    ...partColumns(input, features, { ownerOf, pairs }),
    ...textColumns(input, features, wanted),
    ["hand", toColumn(scores)],
    [
      "hand_above",
      columnBy(
        n,
        shareAbove(scores, (i) => lineLength(input.table, i)),
      ),
    ],
  ];
  return { columns, features, handSet };
}

/** Share of the text, by characters, that scores higher than a line, half of what scores the same included: where only
 * a few lines match, all others are in the middle of the text and not right behind the best. */
function shareAbove(scores: Float64Array, sizeAt: (line: number) => number): (line: number) => number {
  const sizes = new Float64Array(UNIT + 1);
  let all = 0;
  const bucket = (i: number): number => Math.round((scores[i] ?? 0) * UNIT);
  for (let i = 0; i < scores.length; i++) {
    const size = sizeAt(i);
    sizes[bucket(i)] = (sizes[bucket(i)] ?? 0) + size;
    all += size;
  }
  const above = new Float64Array(UNIT + 2);
  for (let b = UNIT; b >= 0; b--) above[b] = (above[b + 1] ?? 0) + (sizes[b] ?? 0);
  return (i) => ((above[bucket(i) + 1] ?? 0) + (sizes[bucket(i)] ?? 0) / 2) / Math.max(1, all);
}
