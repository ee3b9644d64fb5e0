// What a run costs with prompt caching, in input tokens: what is new is written, what was there is read, what the agent
// writes is dear. A recovery is one more turn: the context is read once more, and what comes back stays in it.
export const RATES = { write: 1.25, read: 0.1, output: 5 };
/** What an agent writes to ask for a block again: the call, its id and its range. */
export const RECOVERY_CALL_TOKENS = 60;

/**
 * @param {{ prompt: number, turns: { wrote: number, got: number }[] }} run tokens
 * @returns {number}
 */
export function costOf({ prompt, turns }, rates = RATES) {
  let cost = 0;
  let cached = 0;
  let fresh = prompt;
  for (const { wrote, got } of turns) {
    cost += rates.read * cached + rates.write * fresh + rates.output * wrote;
    cached += fresh;
    fresh = wrote + got;
  }
  return cost;
}
