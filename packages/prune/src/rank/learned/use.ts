// What a text is wanted for: to answer a question about it, or for the next step of an agent, where only the call, the user's
// words and the agent's thoughts are known.

/**
 * question: an answer is looked for · read: an agent reads a file · search: it looks for places · run: it has a program
 * print something
 */
export const USES = ["question", "read", "search", "run"] as const;
/**
 * What a text is wanted for. "question": to answer the focus; "read", "search" and "run": for the next step of an agent that
 * read a file, searched for places or ran a program, with the agent's last words as focus.
 */
export type Use = (typeof USES)[number];
