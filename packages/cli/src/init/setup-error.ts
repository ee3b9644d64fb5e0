// Why a client's settings were left untouched: the file, and where it broke.
export class SetupError extends Error {
  readonly hint: string;
  /** Its user may put into the file by hand what --print shows. */
  readonly isForHand: boolean;

  constructor(message: string, hint: string, { isForHand = false } = {}) {
    super(message);
    this.name = "SetupError";
    this.hint = hint;
    this.isForHand = isForHand;
  }
}
