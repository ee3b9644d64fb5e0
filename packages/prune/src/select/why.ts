// Why a line was kept.

/**
 * The reasons for kept lines; `Pruned.kept` has the index into this list plus one. "evidence": matches the focus; "support":
 * what that needs around it; "error": a failure; "header": a heading, a signature, a first line; "fill": a gap too small for
 * a marker; "protected": by a directive or a rule; "outcome": how a run ended well; "end": the end of an output; "mention":
 * has a word of trouble but reports none.
 */
export const WHY = [
  "evidence",
  "support",
  "error",
  "header",
  "fill",
  "protected",
  "outcome",
  "end",
  "mention",
] as const;
/** A reason for a kept line. */
export type Why = (typeof WHY)[number];
