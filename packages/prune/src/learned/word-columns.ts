// Columns about the focus's words on a line and around it: how many, how rare, how near, and whether an identifier of
// the focus stands there as it was written.
import { type FeatureInput, type Features, normalise } from "../features.ts";
import { windowCover } from "../windows.ts";
import { type Column, mostOf, sumOf, toColumn } from "./column.ts";

const RADII = [2, 4, 16, 32];
const AROUND = 3;
const EARLY_WORDS = 2;
const EXACT_REACH = 5;
/** FocusTerm.weight of what the focus quotes or writes as an identifier. */
const MARKED = 2;

export function wordColumns({ table, focus }: FeatureInput, f: Features): Column[] {
  const { hits, idf } = f;
  const n = table.count;
  const own = new Float64Array(n);
  const rare = new Float64Array(n);
  const terms = new Float64Array(n);
  const exact = new Float64Array(n);
  const whole = new Float64Array(n);
  const early = new Float64Array(n);
  const seen = new Int32Array(idf.length).fill(-1);
  for (let k = 0; k < hits.term.length; k++) {
    const t = hits.term[k] ?? 0;
    const i = hits.lineOf[k] ?? 0;
    const weight = hits.weight[k] ?? 0;
    if (weight === 1 && (focus.terms[t]?.weight ?? 0) >= MARKED) exact[i] = Math.max(exact[i] ?? 0, idf[t] ?? 0);
    if (weight === 1 && focus.terms[t]?.isWhole === true) whole[i] = Math.max(whole[i] ?? 0, idf[t] ?? 0);
    if ((hits.wordOf[k] ?? 0) < EARLY_WORDS) early[i] = Math.max(early[i] ?? 0, weight * (idf[t] ?? 0));
    rare[i] = Math.max(rare[i] ?? 0, weight * (idf[t] ?? 0));
    if (seen[t] === i) continue;
    seen[t] = i;
    own[i] = (own[i] ?? 0) + weight * (idf[t] ?? 0);
    terms[i] = (terms[i] ?? 0) + 1;
  }
  const all = Math.max(1e-9, sumOf(idf));
  const top = mostOf(idf);
  const near = windowCover(hits, idf, 7);
  const ownAt = (i: number): number => f.own[i] ?? 0;
  const most = (i: number, from: number, to: number, at: (line: number) => number): number => {
    let best = 0;
    for (let j = Math.max(0, i + from); j <= Math.min(n - 1, i + to); j++) best = Math.max(best, at(j));
    return best;
  };
  const exactAt = (i: number): number => {
    let best = 0;
    for (let j = Math.max(0, i - EXACT_REACH); j <= Math.min(n - 1, i + EXACT_REACH); j++)
      if ((exact[j] ?? 0) > 0)
        best = Math.max(best, ((exact[j] ?? 0) / top) * (1 - Math.abs(j - i) / (EXACT_REACH + 1)));
    return best;
  };
  return [
    ["own", toColumn(n, ownAt)],
    ["own_share", toColumn(n, (i) => (own[i] ?? 0) / all)],
    ["rare", toColumn(n, (i) => (rare[i] ?? 0) / top)],
    ["terms", toColumn(n, (i) => Math.min(16, terms[i] ?? 0) / 16)],
    ["above", toColumn(n, (i) => most(i, -AROUND, -1, ownAt))],
    ["below", toColumn(n, (i) => most(i, 1, AROUND, ownAt))],
    ["near", toColumn(n, (i) => f.near[i] ?? 0)],
    ["near_share", toColumn(n, (i) => (near[i] ?? 0) / all)],
    ...RADII.map((radius): Column => {
      const cover = normalise(windowCover(hits, idf, radius));
      return [`cover_${radius}`, toColumn(n, (i) => cover[i] ?? 0)];
    }),
    ["exact", toColumn(n, exactAt)],
    ["whole", toColumn(n, (i) => (whole[i] ?? 0) / top)],
    ["whole_near", toColumn(n, (i) => most(i, -AROUND, AROUND, (j) => whole[j] ?? 0) / top)],
    ["early", toColumn(n, (i) => (early[i] ?? 0) / top)],
    ["joined", toColumn(n, (i) => Math.min(8, hits.joined[i] ?? 0) / 8)],
    [
      "joined_near",
      toColumn(
        n,
        (i) =>
          Math.min(
            8,
            most(i, -AROUND, AROUND, (j) => hits.joined[j] ?? 0),
          ) / 8,
      ),
    ],
    ["phrases", toColumn(n, (i) => Math.min(8, hits.phrases[i] ?? 0) / 8)],
  ];
}
