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

/** The rates of a model, by its name. */
export function ratesOf(model: string): Rates {
  if (/claude/i.test(model)) return CLAUDE;
  const [, major, minor = "0"] = /\bgpt-(\d+)(?:\.(\d+))?/i.exec(model) ?? [];
  if (major === undefined) return GPT;
  const isOlder = Number(major) < 5 || (Number(major) === 5 && Number(minor) < 4);
  return isOlder ? GPT_BEFORE_5_4 : GPT;
}

/** What a token that enters the context is worth where no transcript tells: its write and all later reads. */
export const TOKEN_WORTH = 8;
/** The context of a call of which nothing is known. */
const UNKNOWN_CONTEXT_TOKENS = 80_000;

/** What it costs to ask again where no transcript tells: one more turn, 120 tokens of question, and what comes back. */
export function recoveryCost(tokens: number, contextTokens = UNKNOWN_CONTEXT_TOKENS): number {
  return 0.115 * contextTokens + 600 + (120 + tokens) * 0.9 * TOKEN_WORTH;
}
