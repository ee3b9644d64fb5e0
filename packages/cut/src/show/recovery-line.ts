// the last line of a cut answer, at most 25 tokens: the cheapest way to the rest. A file is simply read again by
// line numbers; everything else, and a file that may have changed since, comes back by its id.
export interface RecoveryHint {
  readonly pruneId: string;
  readonly isWholeFile: boolean;
  /** Whether the focus was found; where it hardly was, the model should know before it trusts the cut. */
  readonly isWeak: boolean;
}

export function recoveryLine(hint: RecoveryHint): string {
  if (hint.isWeak) return `[weak match; rest: recover_text ${hint.pruneId}]`;
  return `[rest: ${hint.isWholeFile ? "read by lines or " : ""}recover_text ${hint.pruneId}]`;
}
