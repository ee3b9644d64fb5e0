// The error of this package: a code from a closed list, and the next thing to try.

/** The kinds of state errors. */
export type StateErrorCode =
  | "store_unavailable" // neither directory took the text (nothing may be dropped), or one does not answer
  | "lock_timeout" // a live process kept the lock for longer than the caller would wait
  | "stalled" // the directory did not answer in time
  | "invalid_directory" // a directory that others could have prepared, or could read
  | "token_unavailable"; // the user's token cannot be read, trusted or written

/** An operation on the state directory, the store or the database that failed, with a hint at what to do. */
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
