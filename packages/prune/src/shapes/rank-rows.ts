// How well a row answers, where rows are members and items: by its own words, by the names on its way from the top, and by
// the rows beside it in the same record. Neighbours in a list do not count.
import { ROLE } from "../outline/outline.ts";
import { findHits } from "../rank/hits.ts";
import { weightedIdf } from "../rank/scope-scores.ts";
import type { RankInput, Ranking } from "../rank/score.ts";
import { termsOf } from "../text/words.ts";
import type { Shape } from "./shape.ts";

/** What a word of the focus counts for, by where it stands. */
const OWN = 1;
const ON_THE_WAY = 0.85;
const BESIDE = 0.55;
const BESIDE_PARENT = 0.4;
const BESIDE_GRANDPARENT = 0.3;
const LEVELS = [BESIDE, BESIDE_PARENT, BESIDE_GRANDPARENT];
/** A row with words of its own is ahead of one that has only its place. */
const HAS_OWN = 0.15;
const JOINED = 0.1;
/** Bonus where the focus has every word of a name: for its own row and the rows in it. */
const NAMED = 0.6;
/** In a record of more rows, which is a tree of its own, rows are not beside each other. */
const MOST_ROWS_BESIDE = 60;
const CUT_OFF = 0.55;
/** How many terms are looked at: bits of a number. */
const MOST_TERMS = 30;

/** Scores the rows of a shape. */
export function rankRows(
  { table, focus, outline, poll }: RankInput,
  { telling, nameOf, above }: Pick<Shape, "telling" | "nameOf" | "above">,
): Ranking {
  const n = table.count;
  const hits = findHits(table, focus, new Map(), poll);
  const df = new Float64Array(focus.terms.length);
  for (let row = 0; row < n; row++) {
    const seen = new Set<number>();
    for (let k = hits.rowStart[row] ?? 0; k < (hits.rowStart[row + 1] ?? 0); k++) seen.add(hits.term[k] ?? 0);
    for (const term of seen) df[term] = (df[term] ?? 0) + 1;
  }
  const idf = weightedIdf(df, n, focus);
  // The rarest are looked at, where there are more than a number has bits.
  const order = Array.from(idf, (_, term) => term)
    .filter((term) => (df[term] ?? 0) > 0)
    .sort((a, b) => (idf[b] ?? 0) - (idf[a] ?? 0) || a - b)
    .slice(0, MOST_TERMS);
  const bitOf = new Map(order.map((term, bit) => [term, 1 << bit]));
  const worth = order.map((term) => idf[term] ?? 0);
  const scores = new Float64Array(n);
  const { scopes, scopeOf, role } = outline;

  // Whole words, and words that only begin alike.
  const own = new Int32Array(n);
  const alike = new Int32Array(n);
  for (let row = 0; row < n; row++) {
    for (let k = hits.rowStart[row] ?? 0; k < (hits.rowStart[row + 1] ?? 0); k++) {
      const bit = bitOf.get(hits.term[k] ?? -1) ?? 0;
      if ((hits.weight[k] ?? 0) >= 1) own[row] = (own[row] ?? 0) | bit;
      else alike[row] = (alike[row] ?? 0) | bit;
    }
  }
  poll?.();
  /** The words of a name, where the focus has them all. */
  const asked = (name: string): number => {
    let mask = 0;
    for (const term of termsOf(name)) {
      const bit = bitOf.get(focus.index.get(term) ?? -1);
      if (bit === undefined) return 0;
      mask |= bit;
    }
    return mask;
  };
  const way = new Int32Array(scopes.length);
  const named = new Int32Array(scopes.length);
  const beside = new Int32Array(scopes.length);
  const rowsIn = new Int32Array(scopes.length);
  for (let row = 0; row < n; row++) {
    const s = scopeOf[row] ?? 0;
    const isHeader = ((role[row] ?? 0) & ROLE.header) !== 0 && s > 0;
    const at = isHeader ? (scopes[s]?.parent ?? 0) : s;
    // What opens another record is not beside this one.
    if (isHeader) way[s] = (way[s] ?? 0) | (own[row] ?? 0);
    else beside[at] = (beside[at] ?? 0) | (own[row] ?? 0);
    rowsIn[at] = (rowsIn[at] ?? 0) + 1;
  }
  // A parent has a smaller index.
  for (let s = 1; s < scopes.length; s++) {
    const { parent, name } = scopes[s] ?? NONE;
    way[s] = (way[s] ?? 0) | (way[parent] ?? 0);
    named[s] = (named[parent] ?? 0) | (name === "" ? 0 : asked(name));
  }
  const isNear = (s: number): boolean => s > 0 && (rowsIn[s] ?? 0) <= MOST_ROWS_BESIDE;
  const sums = new Map<number, number>();
  const worthOf = (mask: number): number => {
    const known = sums.get(mask);
    if (known !== undefined) return known;
    let sum = 0;
    for (let bit = 0; bit < worth.length; bit++) if ((mask & (1 << bit)) !== 0) sum += worth[bit] ?? 0;
    sums.set(mask, sum);
    return sum;
  };
  const all = focusWorth(idf, focus.terms);
  let best = 0;
  let top = 0;
  for (let row = 0; row < n; row++) {
    const s = scopeOf[row] ?? 0;
    let mask = own[row] ?? 0;
    let score = OWN * worthOf(mask) + (OWN / 2) * worthOf((alike[row] ?? 0) & ~mask);
    mask |= alike[row] ?? 0;
    const ownName = (own[row] ?? 0) === 0 ? "" : (nameOf?.(row) ?? "");
    const isNamed = (named[s] ?? 0) | (ownName === "" ? 0 : asked(ownName));
    score += NAMED * worthOf(isNamed);
    if (score > 0) score += HAS_OWN * score + JOINED * (hits.joined[row] ?? 0);
    const onTheWay = ((way[s] ?? 0) | (own[above?.(row) ?? -1] ?? 0)) & ~mask;
    score += ON_THE_WAY * worthOf(onTheWay);
    mask |= onTheWay;
    let at = s;
    for (const weight of LEVELS) {
      if (!isNear(at)) break;
      const here = (beside[at] ?? 0) & ~mask;
      score += weight * worthOf(here);
      mask |= here;
      at = scopes[at]?.parent ?? 0;
    }
    // A row for each common word is no answer where another one has the rare word, too.
    scores[row] = score * worthOf(mask);
    if ((scores[row] ?? 0) > top) top = scores[row] ?? 0;
    if ((own[row] ?? 0) !== 0) best = Math.max(best, worthOf(mask));
  }
  for (let row = 0; row < n; row++) {
    const score = top > 0 ? (scores[row] ?? 0) / top : 0;
    scores[row] = Math.round(Math.max(score, telling?.[row] ?? 0) * 1024) / 1024;
  }
  return { scores, coverage: all > 0 ? Math.min(1, best / all) : 0, cutOff: CUT_OFF };
}

const NONE = { parent: 0, name: "" };

/** What all words of the focus are worth together; words of talk are no loss when missing. */
function focusWorth(idf: Float64Array, terms: RankInput["focus"]["terms"]): number {
  let sum = 0;
  idf.forEach((value, term) => {
    if ((terms[term]?.weight ?? 0) >= 1) sum += value;
  });
  return sum;
}
