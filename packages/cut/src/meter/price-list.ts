// What a token is worth: the price list that drives the gates and the meter. Rates are in input tokens, so that they hold
// for every model; a user's own replace them.
export interface PriceList {
  /** How many more turns a text is read again, from the cache. */
  readonly turns: number;
  /** A token's price when it enters the cache, and each time it is read from there. */
  readonly cacheWrite: number;
  readonly cacheRead: number;
  /** What the context holds when something is asked for again: that is one more turn. */
  readonly contextTokens: number;
  /** Our own tools and instructions, read on every turn; a figure of the user's own. The meter knows what each session had. */
  readonly surfaceTokens: number;
}

export const DEFAULT_PRICES: PriceList = {
  turns: 25,
  cacheWrite: 1.25,
  cacheRead: 0.1,
  contextTokens: 80_000,
  surfaceTokens: 0,
};

/** What one token costs that enters the context now: 3.75 with the defaults. */
export function costOfToken({ cacheWrite, cacheRead, turns }: PriceList): number {
  return cacheWrite + cacheRead * turns;
}

/** What it costs to ask for something again: the whole context once more, and the tokens that come back. */
export function costOfRecovery(prices: PriceList, tokens: number): number {
  return prices.contextTokens * prices.cacheRead + tokens * costOfToken(prices);
}
