// The result of a command: a value for programs and a text for people, about the same thing.

/** The result of a command that could be carried out. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** Things that the reader should know but did not ask for; on a terminal they go to stderr. */
  readonly notes?: readonly string[];
  /** The text holds colours, and no control character but those of its colours. */
  readonly isPainted?: boolean;
}

/**
 * A command that has ended: what to print, and how to exit. A refusal has its code, message and hint below `error` in
 * `json`.
 */
export interface Outcome {
  /** What is printed: words, or the JSON where that was asked for. */
  readonly text: string;
  readonly json: unknown;
  readonly notes: readonly string[];
  /** 0 done; 1 it could not be done; 2 wrong arguments. */
  readonly exitCode: 0 | 1 | 2;
  readonly isJson: boolean;
  readonly isPainted?: boolean;
}
