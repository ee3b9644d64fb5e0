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

/** What there are trees for: each use, and questions that are as long as the text of an issue. */
export const TRAINED = [...USES, "issue"] as const;
/** One of TRAINED. */
export type Trained = (typeof TRAINED)[number];

/** Hardly a question is longer, and hardly an issue, a log or a task shorter. */
const LONGEST_QUESTION_CHARS = 320;

/** The trees for a use; without one, those for a question or, where it is as long as an issue, for an issue. */
export function trainedFor(use: Use | undefined, focus: string): Trained {
  return use ?? (focus.trim().length > LONGEST_QUESTION_CHARS ? "issue" : "question");
}
