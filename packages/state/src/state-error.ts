// The one error of this engine: a code from a closed list, and the next thing to try.

/** The codes of such failures. */
export type StateErrorCode =
  | "store_unavailable" // neither directory took the text (nothing may be dropped), or one does not answer
  | "lock_timeout" // someone else, alive, kept the lock for longer than the caller would wait
  | "stalled" // the directory did not answer in time
  | "invalid_directory" // a directory that others could have prepared, or could read
  | "token_unavailable"; // the user's token cannot be read, trusted or written

/** State that cannot be used, with a hint on what to do. */
export class StateError extends Error {
  override readonly name = "StateError";
  readonly code: StateErrorCode;
  readonly hint: string;

  constructor(code: StateErrorCode, message: string, options: { readonly hint: string; readonly cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}
