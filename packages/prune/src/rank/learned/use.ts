// What a text is wanted for: to answer a question about it, or for the next step of an agent, of which only the call, the
// user's words and the agent's thoughts are known.

/**
 * question: an answer is looked for · read: an agent reads a file · search: it looks for places · run: it has a program
 * print something
 */
export const USES = ["question", "read", "search", "run"] as const;
/** What a text is wanted for; each use has weights of its own. */
export type Use = (typeof USES)[number];
