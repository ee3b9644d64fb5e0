// What tokens cost over the life of a session. The unit is one plain input token.

/** A token that enters the context: written to the cache once and read from it until the session ends. */
export const TOKEN_VALUE = 8;
/** A recovery reads the context once more; a little of it is written anew. */
const CONTEXT_PRICE = 0.115;
/** What the agent writes to ask for lines, at the price of output. */
const ASKING_PRICE = 600;
/** The same words as they enter the context. */
const ASKING_TOKENS = 120;
/** What comes back enters later, and so is read less often. */
const LATER = 0.9;

/** What it costs to ask for something again that brings so many tokens back. */
export function recoveryPrice(contextTokens: number, tokensBack: number): number {
  return CONTEXT_PRICE * contextTokens + ASKING_PRICE + (ASKING_TOKENS + tokensBack) * LATER * TOKEN_VALUE;
}
