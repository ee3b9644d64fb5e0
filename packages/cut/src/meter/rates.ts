// What tokens cost. The unit is one plain input token of the same model, so that sums hold for every model and plan.

/** Prices in plain input tokens. */
export interface Rates {
  /** A token read from the cache. */
  readonly read: number;
  /** A token written to the cache, and one written to the cache of an hour. */
  readonly write: number;
  readonly hour: number;
  readonly output: number;
}

const CLAUDE: Rates = { read: 0.1, write: 1.25, hour: 2, output: 5 };
/** gpt-5.4 and later, which charge nothing for writing to the cache; also taken for the models of other makers. */
const GPT: Rates = { read: 0.1, write: 1, hour: 1, output: 6 };
const GPT_BEFORE_5_4: Rates = { ...GPT, output: 8 };

/** The rates of a model by its name; those of a current GPT for unknown models. */
export function ratesOf(model: string): Rates {
  if (/claude/i.test(model)) return CLAUDE;
  const [, major, minor = "0"] = /\bgpt-(\d+)(?:\.(\d+))?/i.exec(model) ?? [];
  if (major === undefined) return GPT;
  const isOlder = Number(major) < 5 || (Number(major) === 5 && Number(minor) < 4);
  return isOlder ? GPT_BEFORE_5_4 : GPT;
}

/** The price of a token that enters the context: written to the cache once and read from it until the session ends. */
export const TOKEN_WORTH = 8;
/** The context of a call without a transcript. */
const UNKNOWN_CONTEXT_TOKENS = 80_000;
/** A recovery reads the context once more; a little of it is written anew. */
const CONTEXT_PRICE = 0.115;
/** What the agent writes to ask for lines, at the price of output; and the same words as they enter the context. */
const ASKING_PRICE = 600;
const ASKING_TOKENS = 120;
/** What comes back enters later, and so is read less often. */
const LATER = 0.9;

/**
 * What it costs to ask for something again that brings so many tokens back, in plain input tokens; an estimate for calls
 * without a transcript. `worth` is the price of a token that enters then.
 */
export function recoveryCost(
  tokens: number,
  contextTokens = UNKNOWN_CONTEXT_TOKENS,
  worth = LATER * TOKEN_WORTH,
): number {
  return CONTEXT_PRICE * contextTokens + ASKING_PRICE + (ASKING_TOKENS + tokens) * worth;
}
