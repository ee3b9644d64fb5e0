// Columns about the focus's words on a line and around it: how many, how rare, how near, and whether an identifier of the
// focus is there as written.
import { type FeatureInput, type Features, normalise } from "../features.ts";
import { windowCover } from "../windows.ts";
import { type Column, mostOf, sumOf, toColumn } from "./column.ts";

const RADII = [2, 4, 16, 32];
const AROUND = 3;
const EARLY_WORDS = 2;
const EXACT_REACH = 5;
/** FocusTerm.weight of what the focus quotes or writes as an identifier. */
const MARKED = 2;

/** The columns of a text. */
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
  const joined = atMost(hits.joined, 8);
  const phrases = atMost(hits.phrases, 8);
  return [
    ["own", toColumn(f.own)],
    ["own_share", toColumn(own, all)],
    ["rare", toColumn(rare, top)],
    ["terms", toColumn(atMost(terms, 16), 16)],
    ["above", toColumn(mostAround(f.own, -AROUND, -1))],
    ["below", toColumn(mostAround(f.own, 1, AROUND))],
    ["near", toColumn(f.near)],
    ["near_share", toColumn(near, all)],
    ...RADII.map((radius): Column => [`cover_${radius}`, toColumn(normalise(windowCover(hits, idf, radius)))]),
    ["exact", toColumn(faded(exact, top))],
    ["whole", toColumn(whole, top)],
    ["whole_near", toColumn(mostAround(whole, -AROUND, AROUND), top)],
    ["early", toColumn(early, top)],
    ["joined", toColumn(joined, 8)],
    ["joined_near", toColumn(mostAround(joined, -AROUND, AROUND), 8)],
    ["phrases", toColumn(phrases, 8)],
  ];
}

function atMost(values: Float64Array | Uint8Array, most: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = Math.min(most, values[i] ?? 0);
  return out;
}

/** Per line the largest value of the lines at these distances from it, or 0. */
function mostAround(values: Float64Array, from: number, to: number): Float64Array {
  const n = values.length;
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const last = Math.min(n - 1, i + to);
    let most = 0;
    for (let j = Math.max(0, i + from); j <= last; j++) most = Math.max(most, values[j] ?? 0);
    out[i] = most;
  }
  return out;
}

/** Per line the largest value nearby as a share of `top`, less with every line of distance. */
function faded(values: Float64Array, top: number): Float64Array {
  const n = values.length;
  const out = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    const value = values[j] ?? 0;
    if (value <= 0) continue;
    for (let i = Math.max(0, j - EXACT_REACH); i <= Math.min(n - 1, j + EXACT_REACH); i++)
      out[i] = Math.max(out[i] ?? 0, (value / top) * (1 - Math.abs(j - i) / (EXACT_REACH + 1)));
  }
  return out;
}
