// How much of a text to keep by its scores: where the ranker is sure, most of the chances are in little of the text, and
// little is kept; where they are spread out, the answer may be anywhere, and more is kept.

const UNIT = 1024;
/** The share of all chances by whose size in the text the ranker's certainty is measured. */
const SURE = 0.25;
/**
 * Share of the text that holds four fifths of an answer, by the share that holds a quarter of the chances: a power law,
 * fitted on rankings of repositories that the weights had not seen. LEVEL moves all of it.
 */
const POWER = 1.57;
const LEVEL = 13;
const LEAST = 0.02;
const MOST = 0.8;
/** A line with less than this share of the best score is not evidence, however spread out the chances are. */
const LEAST_SCORE = 0.2;

interface Scored {
  /** Per line, 0..1 in 1/1024. */
  readonly scores: Float64Array;
  /** Per line the chance that it belongs to the answer. */
  readonly chances: Float64Array;
  readonly charsAt: (line: number) => number;
}

/** The score from which on a line is evidence. */
export function cutOffBy({ scores, chances, charsAt }: Scored): number {
  const mass = new Float64Array(UNIT + 1);
  const chars = new Float64Array(UNIT + 1);
  let [allMass, allChars] = [0, 0];
  for (let i = 0; i < scores.length; i++) {
    const at = Math.round((scores[i] ?? 0) * UNIT);
    mass[at] = (mass[at] ?? 0) + (chances[i] ?? 0);
    chars[at] = (chars[at] ?? 0) + charsAt(i);
    allMass += chances[i] ?? 0;
    allChars += charsAt(i);
  }
  const sureShare = reach(mass, SURE * allMass, chars).passed / Math.max(1, allChars);
  const share = Math.min(MOST, Math.max(LEAST, LEVEL * (sureShare + 0.01) ** POWER));
  const { at, above } = reach(chars, share * allChars, chars);
  // Lines of one score are kept together: where they are many, leaving them out may come nearer to the share.
  const over = above + (chars[at] ?? 0) - share * allChars;
  const cut = (above > 0 && share * allChars - above < over ? at + 1 : at) / UNIT;
  return Math.max(Math.round(LEAST_SCORE * UNIT) / UNIT, cut);
}

/** Going down from the best score: where `values` sum up to `goal`; characters passed by then, and above that score. */
function reach(values: Float64Array, goal: number, chars: Float64Array): Record<"at" | "passed" | "above", number> {
  let [sum, passed] = [0, 0];
  for (let at = UNIT; at >= 0; at--) {
    const value = values[at] ?? 0;
    const size = chars[at] ?? 0;
    if (sum + value >= goal && value > 0) return { at, passed: passed + (size * (goal - sum)) / value, above: passed };
    sum += value;
    passed += size;
  }
  return { at: 0, passed, above: passed };
}
