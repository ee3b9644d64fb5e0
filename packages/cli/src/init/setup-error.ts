// Why a client's settings were left untouched: the file, and where it broke.
export class SetupError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = "SetupError";
    this.hint = hint;
  }
}
