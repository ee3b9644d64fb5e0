// The error of a set-up that is refused.

/** Why a client's settings were left untouched: the file, its fault, and what to do. `jeeves init` exits with 2. */
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
