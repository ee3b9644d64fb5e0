// A function that the focus names is what the work is about: all of its lines gain, and so does each line that calls it.
// Half as much where only the earlier words of a long focus name it.
import { FOCUS_PART } from "../../text/focus.ts";
import { wholeOf } from "../../text/words.ts";
import type { Features } from "../features.ts";
import type { RankInput } from "../score.ts";

const MOST_LINES = 80;
const SHORTEST_NAME = 4;
/** Share of a function's gain for a line that calls it. */
const CALLER = 0.5;
const MOST_NAMESAKES = 2;

/** Adds to the scores of these lines. */
export function addNamed(
  scores: Float64Array,
  { outline, focus }: RankInput,
  { hits, names }: Features,
  gain: number,
): void {
  const { scopes } = outline;
  const namesakes = new Map<number, number>();
  const gains = new Map<number, number>();
  for (const { kind, name } of scopes) {
    const id = kind === "function" ? names.get(wholeOf(name)) : undefined;
    if (id !== undefined) namesakes.set(id, (namesakes.get(id) ?? 0) + 1);
  }
  for (const { kind, name, start, end } of scopes) {
    if (kind !== "function" || name.length < SHORTEST_NAME || end - start >= MOST_LINES) continue;
    const whole = wholeOf(name);
    const id = names.get(whole) ?? -1;
    const term = focus.terms[focus.index.get(whole) ?? -1];
    if (term?.isWhole !== true || (namesakes.get(id) ?? 0) > MOST_NAMESAKES) continue;
    const own = (term.parts & FOCUS_PART.tail) === 0 ? gain / 2 : gain;
    gains.set(id, own);
    for (let i = start; i <= end; i++) scores[i] = (scores[i] ?? 0) + own;
  }
  if (gains.size === 0) return;
  for (let i = 0; i < scores.length; i++) {
    let most = 0;
    for (let k = hits.refStart[i] ?? 0; k < (hits.refStart[i + 1] ?? 0); k++)
      most = Math.max(most, gains.get(hits.ref[k] ?? 0) ?? 0);
    scores[i] = (scores[i] ?? 0) + CALLER * most;
  }
}
