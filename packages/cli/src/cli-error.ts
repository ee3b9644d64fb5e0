// What a command could not do, in words for a person, and the next thing to try.
export class CliError extends Error {
  readonly hint: string;

  constructor(message: string, hint = "") {
    super(message);
    this.name = "CliError";
    this.hint = hint;
  }
}
