// What is known about a call when its result may be cut. It comes from the call itself and from the session's transcript.

/**
 * The classes of results: a whole file, some lines of one, a search, a test run, a build or a script, git's output,
 * anything else.
 */
export const OUTPUT_CLASSES = ["read", "read-range", "search", "test", "run", "git", "other"] as const;
/** The class of a result. */
export type OutputClass = (typeof OUTPUT_CLASSES)[number];

/** What is known about a call before its result is cut. */
export interface Situation {
  readonly class: OutputClass;
  /** The whole prompt of the session's last call, in tokens; undefined without a transcript. */
  readonly contextTokens?: number | undefined;
  /** Share of the text, from 0 to 1, that the session was shown before in the same words. */
  readonly repeated?: number | undefined;
}
