// How much to keep: what the engine finds right, a share of the text, or a ceiling on the lines that may be dropped. The
// ceiling is an invariant: counted in whole lines, without floating point.
import { ROLE } from "../outline/outline.ts";
import { assemble, codeOf, cutAt, keptChars, keptLines, rankUnits, type Selection, scoreUnits } from "./select.ts";

/** How much of a text to keep. */
export type Amount =
  /**
   * As much as the engine finds useful, times `generosity` (default 1); with `maxChars` the rendered text with its short
   * markers has at most about so many characters. Lines that must stay, failures for example, may exceed it.
   */
  | { readonly mode: "auto"; readonly generosity?: number; readonly maxChars?: number }
  /**
   * The share `keep` (0..1) of the characters. With `isLeast` the kept lines have at least so many; otherwise they have at
   * most so many, markers included, unless lines that must stay need more.
   */
  | { readonly mode: "share"; readonly keep: number; readonly isLeast?: boolean }
  /**
   * Drops exactly as many lines as `maxPruneRatio` (0..1, rounded down) and `minKeepLines` allow, or fewer where lines must
   * stay. Nothing is dropped of a text with fewer lines than `minKeepLines`.
   */
  | { readonly mode: "ratio"; readonly maxPruneRatio: number; readonly minKeepLines: number };

type ShareAmount = Extract<Amount, { mode: "share" }>;

/** Characters that are kept in any case: a smaller cut saves less than another look at the text costs. */
export const FLOOR_CHARS = 2000;
/** Lines that score less are not worth their tokens even where there is room. */
const LEAST_SCORE = 0.125;
const TOP_UP_MISSES = 8;
const TOP_UP_MAX_LINES = 5000;

/** The kept lines where the engine decides how many. */
export function keepAuto(
  selection: Selection,
  { cutOff, floorChars }: { cutOff: number; floorChars: number },
  amount: Extract<Amount, { mode: "auto" }>,
): Uint8Array {
  const best = scoreUnits(selection);
  const order = rankUnits(best, LEAST_SCORE);
  let evidence = 0;
  for (let u = 0; u < best.length; u++) if ((best[u] ?? 0) >= cutOff) evidence++;
  const kept = assemble(selection, order, evidence);
  const enough = keptChars(selection, kept);
  const wanted = Math.max(enough, floorChars) * (amount.generosity ?? 1);
  const budget = Math.min(wanted, amount.maxChars ?? wanted);
  return budget === enough ? kept : spend(selection, order, budget);
}

/** The kept lines of a share of the text. */
export function keepShare(selection: Selection, { keep, isLeast = false }: ShareAmount): Uint8Array {
  const share = Number.isFinite(keep) ? Math.min(1, Math.max(0, keep)) : 1;
  if (share === 1) return new Uint8Array(selection.table.count).fill(codeOf("fill"));
  const order = rankUnits(scoreUnits(selection), 0);
  const budget = selection.table.text.length * share;
  return isLeast ? reach(selection, order, budget) : spend(selection, order, budget);
}

/** As much as fits into the budget: the best units, and smaller ones after them. */
function spend(selection: Selection, order: Int32Array, budget: number): Uint8Array {
  const measure = (kept: Uint8Array): number => keptChars(selection, kept);
  const first = order.subarray(0, mayFit(selection, order, budget));
  const { kept, count } = cutAt(selection, first, { limit: budget, measure });
  let best = kept;
  tryMore(selection, order, count, (tried) => {
    const fits = measure(tried) <= budget;
    if (fits) best = tried;
    return fits;
  });
  return best;
}

/** As little as reaches the budget: the best units that do not, and the one more that passes it least. */
function reach(selection: Selection, order: Int32Array, budget: number): Uint8Array {
  const measure = (kept: Uint8Array): number => keptChars(selection, kept, 0);
  const { kept, count } = cutAt(selection, order, { limit: budget, measure });
  if (measure(kept) >= budget) return kept;
  let best = assemble(selection, order, count + 1);
  let least = measure(best);
  tryMore(selection, order, count, (tried) => {
    const chars = measure(tried);
    if (chars < budget) return true;
    if (chars < least) [best, least] = [tried, chars];
    return false;
  });
  return best;
}

/** The unit after the first `count` may be a long one: tries to add smaller ones that come after it. */
function tryMore(selection: Selection, order: Int32Array, count: number, fits: (tried: Uint8Array) => boolean): void {
  if (selection.table.count > TOP_UP_MAX_LINES) return;
  const chosen = [...order.subarray(0, count)];
  let misses = 0;
  for (let k = count + 1; k < order.length && misses < TOP_UP_MISSES; k++) {
    chosen.push(order[k] ?? 0);
    if (fits(assemble(selection, Int32Array.from(chosen), chosen.length))) continue;
    chosen.pop();
    misses++;
  }
}

/** How many of the first units fit if nothing came with them: no search needs to look further. */
function mayFit({ table, outline }: Selection, order: Int32Array, budget: number): number {
  let chars = 0;
  for (let k = 0; k < order.length; k++) {
    const u = order[k] ?? 0;
    chars += (table.starts[(outline.unitEnd[u] ?? u) + 1] ?? 0) - (table.starts[u] ?? 0);
    if (chars > budget) return k;
  }
  return order.length;
}

/** Keeps exactly `target` lines; more only where protected lines or solid units need it. */
export function keepRatio(selection: Selection, target: number): Uint8Array {
  const { table, outline } = selection;
  const order = rankUnits(scoreUnits(selection), 0);
  const { kept } = cutAt(selection, order, { limit: target, measure: keptLines });
  let missing = target - keptLines(kept);
  const evidence = codeOf("evidence");
  const take = (i: number): void => {
    if (missing <= 0 || kept[i] !== 0) return;
    kept[i] = evidence;
    missing--;
  };
  const isSolid = (i: number): boolean => ((outline.role[i] ?? 0) & ROLE.solid) !== 0;
  for (const u of order) {
    const end = outline.unitEnd[u] ?? u;
    if (missing <= 0) break;
    if (isSolid(u) && end - u + 1 > missing) continue;
    for (let i = u; i <= end; i++) take(i);
  }
  for (let i = 0; i < table.count && missing > 0; i++) if (!isSolid(i)) take(i);
  for (let i = 0; i < table.count && missing > 0; i++) {
    if (kept[i] !== 0) continue;
    // Only solid units are left: one goes in whole, over the target rather than torn.
    const u = outline.unitStart[i] ?? i;
    for (let j = u; j <= (outline.unitEnd[i] ?? i); j++) {
      if (kept[j] === 0) missing--;
      kept[j] = evidence;
    }
  }
  return kept;
}

/** How many lines a ratio lets go: floor(lines · ratio) in decimal, so that 0.55 of 420 is 231 and never 230. */
export function mayDrop(lines: number, ratio: number): number {
  if (!(ratio > 0)) return 0;
  if (ratio >= 1) return lines;
  const [digits = "0", exponent = "0"] = String(ratio).split("e");
  const [whole = "0", fraction = ""] = digits.split(".");
  const scale = fraction.length - Number(exponent);
  return Number((BigInt(lines) * BigInt(whole + fraction)) / 10n ** BigInt(Math.max(0, scale)));
}
