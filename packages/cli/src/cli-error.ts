// The error with which a command ends that could not do its work.

/** Why, in words for a person, and what to try next. `jeeves` prints both and exits with code 1. */
export class CliError extends Error {
  readonly hint: string;

  constructor(message: string, hint = "") {
    super(message);
    this.name = "CliError";
    this.hint = hint;
  }
}
